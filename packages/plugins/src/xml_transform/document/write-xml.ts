import { escapedAttribute, escapedContent } from './xml-characters.ts';
import type { XmlAttribute, XmlDocument, XmlElement } from './xml-tree.ts';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/**
 * The text of a document after its edits.
 * @param hasDeclaration whether it begins with an XML declaration: one that is there is kept. Default: as it was
 * @returns `undefined` when nothing has changed
 */
export function writeXml(
  { source, declarationEnd, root }: XmlDocument,
  hasDeclaration: boolean | undefined,
): string | undefined {
  const adds = hasDeclaration === true && declarationEnd === 0;
  const removes = hasDeclaration === false && declarationEnd > 0;
  if (!root.isChanged && !adds && !removes) return undefined;
  const { start = 0, end = 0 } = root.place ?? {};
  const before = source.slice(removes ? declarationEnd : 0, start);
  const head = adds ? `${DECLARATION}\n${before}` : removes ? before.trimStart() : before;
  return head + written(source, root) + source.slice(end);
}

/** Recursion is as deep as the document, which is bounded, and as the paths of edits, which are. */
function written(source: string, element: XmlElement): string {
  const { place, name, isChanged, isTagChanged, content, children } = element;
  if (!isChanged && place !== undefined) return source.slice(place.start, place.end);
  const head =
    place === undefined || isTagChanged
      ? `<${name}${element.attributes.map((attribute) => attributeText(source, attribute)).join('')}`
      : source.slice(place.start, place.headEnd);
  const inner = contentText(source, element, content, children);
  const isEmptyTag = place === undefined || (place.contentEnd === place.end && content === undefined);
  if (inner === '' && isEmptyTag) return `${head}/>`;
  const hasEndTag = place !== undefined && !isTagChanged && place.contentEnd < place.end;
  return `${head}>${inner}${hasEndTag ? source.slice(place.contentEnd, place.end) : `</${name}>`}`;
}

function contentText(
  source: string,
  { place }: XmlElement,
  content: string | undefined,
  children: readonly XmlElement[],
): string {
  const parts: string[] = [];
  let at = place?.contentStart ?? 0;
  if (content !== undefined) parts.push(escapedContent(content));
  const sourced = content === undefined && place !== undefined ? children.filter((child) => child.place) : [];
  for (const child of sourced) {
    parts.push(source.slice(at, child.place?.start));
    if (!child.isRemoved) parts.push(written(source, child));
    at = child.place?.end ?? at;
  }
  if (content === undefined && place !== undefined) parts.push(source.slice(at, place.contentEnd));
  for (const child of children) if (!child.place && !child.isRemoved) parts.push(written(source, child));
  return parts.join('');
}

function attributeText(source: string, attribute: XmlAttribute): string {
  const { name, start, end, rawValue, value, isRemoved, isRenamed } = attribute;
  if (isRemoved) return '';
  if (value !== undefined) return ` ${name}="${escapedAttribute(value)}"`;
  if (!isRenamed) return source.slice(start, end);
  // The quotes that the value was written in are those that it can be written in.
  const quote = source[end - 1] ?? '"';
  return ` ${name}=${quote}${rawValue}${quote}`;
}
