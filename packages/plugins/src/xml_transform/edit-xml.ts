import { readXml, type XmlFault } from './document/read-xml.ts';
import { writeXml } from './document/write-xml.ts';
import { prefixOf } from './document/xml-names.ts';
import { appendElement, attributeOf, touch, type XmlElement } from './document/xml-tree.ts';
import { namespaceOf } from './paths/name-tests.ts';
import { Selection } from './paths/select.ts';
import { madeName, type XmlPath } from './paths/xml-path.ts';

/** One edit of a document. Paths and texts were checked. */
export type XmlEdit =
  | { readonly op: 'remove'; readonly path: XmlPath }
  | { readonly op: 'rename'; readonly path: XmlPath; readonly to: string }
  /** `replace` where there is something, `add` where there is nothing, `set` in both cases. */
  | { readonly op: 'replace' | 'set' | 'add'; readonly path: XmlPath; readonly value: string };

/** What came of an edited text; `text` is `undefined` when it stays as it is. */
export type EditedXml = { readonly text: string | undefined } | XmlFault;

/** @param hasDeclaration as for `writeXml` */
export function editXml(source: string, edits: readonly XmlEdit[], hasDeclaration: boolean | undefined): EditedXml {
  const document = readXml(source);
  if (typeof document === 'string') return document;
  const selection = new Selection(document.root);
  for (const edit of edits) {
    apply(selection, edit);
    if (selection.isExhausted) return 'too_large';
  }
  return { text: writeXml(document, hasDeclaration) };
}

function apply(selection: Selection, edit: XmlEdit): void {
  const { op, path } = edit;
  if (op === 'set' || op === 'add') return put(selection, edit, op === 'add');
  const elements = path.steps.reduce<readonly XmlElement[]>(
    (contexts, step) => selection.from(contexts, step),
    [selection.document],
  );
  if (path.attribute !== undefined) {
    for (const element of elements) {
      for (const { name } of selection.attributes(element, path.attribute)) editAttribute(element, name, edit);
    }
    return;
  }
  for (const element of elements) {
    if (edit.op === 'remove') removeElement(element);
    else if (edit.op === 'rename') renameElement(element, edit.to);
    else setContent(element, edit.value);
  }
}

function editAttribute(element: XmlElement, name: string, edit: XmlEdit): void {
  const attribute = attributeOf(element, name);
  if (attribute === undefined) return;
  if (edit.op === 'remove') attribute.isRemoved = true;
  else if (edit.op === 'rename') {
    if (edit.to === name || !isBound(element, edit.to)) return;
    const other = attributeOf(element, edit.to);
    if (other !== undefined) other.isRemoved = true;
    attribute.name = edit.to;
    attribute.isRenamed = true;
  } else attribute.value = edit.value;
  element.isTagChanged = true;
  touch(element);
}

/** A document has a root, whatever a path says: a wildcard may mean it. */
function removeElement(element: XmlElement): void {
  if (element.parent === undefined) return;
  element.isRemoved = true;
  touch(element.parent);
}

function renameElement(element: XmlElement, to: string): void {
  if (!isBound(element, to)) return;
  element.name = to;
  element.isTagChanged = true;
  touch(element);
}

function setContent(element: XmlElement, value: string): void {
  element.content = value;
  element.children = [];
  touch(element);
}

/** Goes down the path from each element that it means, and makes what is missing on the way where a step says one name. */
function put(
  selection: Selection,
  { path, value }: XmlEdit & { readonly value: string },
  isOnlyMissing: boolean,
): void {
  let contexts: readonly XmlElement[] = [selection.document];
  for (const [index, step] of path.steps.entries()) {
    const isTarget = path.attribute === undefined && index === path.steps.length - 1;
    const next: XmlElement[] = [];
    const name = madeName(step);
    // One after the other only where something may be made: a deep step from all contexts at once looks at each element once.
    for (const group of name === undefined ? [contexts] : contexts.map((context) => [context])) {
      const found = selection.from(group, step);
      for (const element of found) {
        if (isTarget && !isOnlyMissing) setContent(element, value);
        next.push(element);
      }
      const [parent] = group;
      if (found.length > 0 || name === undefined || parent === undefined || parent === selection.document) continue;
      if (selection.isExhausted || !isBound(parent, name)) continue;
      const made = appendElement(parent, name);
      if (isTarget) setContent(made, value);
      next.push(made);
    }
    contexts = next;
  }
  if (path.attribute === undefined) return;
  for (const element of contexts) putAttribute(selection, element, path.attribute, value, isOnlyMissing);
}

function putAttribute(
  selection: Selection,
  element: XmlElement,
  test: NonNullable<XmlPath['attribute']>,
  value: string,
  isOnlyMissing: boolean,
): void {
  const found = selection.attributes(element, test);
  if (found.length > 0 ? isOnlyMissing : test.kind !== 'written' || !isBound(element, test.name)) return;
  for (const attribute of found) attribute.value = value;
  if (found.length === 0 && test.kind === 'written') {
    const edits = { value, isRemoved: false, isRenamed: false };
    element.attributes.push({ name: test.name, start: 0, end: 0, rawValue: '', ...edits });
  }
  element.isTagChanged = true;
  touch(element);
}

/** Whether a name means something where it would stand: with a prefix that nobody declared no reader would take the document. */
function isBound(element: XmlElement, name: string): boolean {
  const prefix = prefixOf(name);
  return prefix === '' || namespaceOf(element, prefix) !== undefined;
}
