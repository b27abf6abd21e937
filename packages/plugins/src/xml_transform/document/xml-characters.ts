/** What no document may have, not even as a reference. Source: XML 1.0, 2.2. */
const FORBIDDEN = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** Whether a text has only characters that XML allows. */
export function isXmlText(text: string): boolean {
  return !FORBIDDEN.test(text);
}

const REFERENCE = /&(?:amp|lt|gt|quot|apos|#0*(\d{1,7})|#x0*([\dA-Fa-f]{1,6}));/y;

/**
 * Where a reference ends, or `undefined` where there is none: without a document type only five entities are known. Source: XML 1.0, 4.1.
 * @param at of the ampersand
 */
export function referenceEnd(text: string, at: number): number | undefined {
  REFERENCE.lastIndex = at;
  const found = REFERENCE.exec(text);
  if (found === null) return undefined;
  const [, decimal, hexadecimal] = found;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '20', 16) : Number(decimal);
  return code <= 0x10ffff && isXmlText(String.fromCodePoint(code)) ? REFERENCE.lastIndex : undefined;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** What a checked attribute value means, references and white space resolved. Source: XML 1.0, 3.3.3. */
export function attributeMeaning(raw: string): string {
  if (!/[&\t\n\r]/.test(raw)) return raw;
  return raw
    .replaceAll(/\r\n|[\t\n\r]/g, ' ')
    .replaceAll(
      /&(?:(\w+)|#(\d+)|#x([\dA-Fa-f]+));/g,
      (_whole, entity: string | undefined, decimal?: string, hex = '') =>
        entity === undefined
          ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
          : (ENTITIES.get(entity) ?? ''),
    );
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\t', '&#9;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
]);

/** A text as the content of an element. Readers turn a carriage return into a line feed if it is not written as a reference. */
export function escapedContent(text: string): string {
  return text.replaceAll(/[&<>\r]/g, (character) => ESCAPES.get(character) ?? character);
}

/** A text as an attribute value in double quotes. */
export function escapedAttribute(text: string): string {
  return text.replaceAll(/[&<>"\t\n\r]/g, (character) => ESCAPES.get(character) ?? character);
}
