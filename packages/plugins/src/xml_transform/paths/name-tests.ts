import { attributeMeaning } from '../document/xml-characters.ts';
import { localNameOf, prefixOf } from '../document/xml-names.ts';
import type { XmlElement } from '../document/xml-tree.ts';
import type { NameTest } from './xml-path.ts';

/** Bound by the specification, whatever a document declares. Source: Namespaces in XML 1.0, 3. */
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

/** Whether an element's name is meant. */
export function meansElement(test: NameTest, element: XmlElement): boolean {
  return test.kind === 'namespace'
    ? meansLocal(test.local, element.name) && (namespaceOf(element, prefixOf(element.name)) ?? '') === test.uri
    : meansWritten(test, element.name);
}

/** Whether an attribute's name is meant. One without a prefix is in no namespace. */
export function meansAttribute(test: NameTest, element: XmlElement, name: string): boolean {
  if (test.kind !== 'namespace') return meansWritten(test, name);
  const prefix = prefixOf(name);
  return meansLocal(test.local, name) && (prefix === '' ? '' : namespaceOf(element, prefix)) === test.uri;
}

/**
 * The namespace of a prefix where an element stands, the empty prefix's for elements without one.
 * @returns `undefined` where none is declared
 */
export function namespaceOf(element: XmlElement, prefix: string): string | undefined {
  if (prefix === 'xml') return XML_NAMESPACE;
  const declaration = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  for (let at: XmlElement | undefined = element; at !== undefined; at = at.parent) {
    const found = at.attributes.find(({ name }) => name === declaration);
    if (found !== undefined) return attributeMeaning(found.rawValue);
  }
  return undefined;
}

function meansWritten(test: Exclude<NameTest, { readonly kind: 'namespace' }>, name: string): boolean {
  if (test.kind === 'written') return name === test.name;
  if (test.kind === 'local') return meansLocal(test.local, name);
  return test.kind === 'any' || prefixOf(name) === test.prefix;
}

function meansLocal(local: string | undefined, name: string): boolean {
  return local === undefined || localNameOf(name) === local;
}
