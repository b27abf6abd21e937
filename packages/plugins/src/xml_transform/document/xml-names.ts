/** Characters that a name may begin with, and more that it may have, as parts of a class of a Unicode pattern. Source: XML 1.0, 2.3. */
const START =
  ':A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const MORE = '\\-.0-9\\xB7\\u0300-\\u036F\\u203F\\u2040';

/** A name with any colons, as the grammar of XML has it. For other patterns. */
export const NAME: string = `[${START}][${START}${MORE}]*`;

const colonless = START.slice(1);

/** A name without a colon. For other patterns. Source: Namespaces in XML 1.0, 3. */
export const NCNAME: string = `[${colonless}][${colonless}${MORE}]*`;

/** A name with at most one prefix. */
export const QNAME: string = `(?:${NCNAME}:)?${NCNAME}`;

const QNAME_ALONE = new RegExp(`^${QNAME}$`, 'u');

/** Whether a text is a name with at most one prefix. */
export function isQualifiedName(text: string): boolean {
  return QNAME_ALONE.test(text);
}

/** The prefix of a qualified name; empty where it has none. */
export function prefixOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf(':')));
}

/** A qualified name without its prefix. */
export function localNameOf(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Whether an attribute declares a namespace, and so is none for paths. Source: XPath 3.1, 3.3.2.1. */
export function isDeclaration(attributeName: string): boolean {
  return attributeName === 'xmlns' || attributeName.startsWith('xmlns:');
}
