/** What can be written as YAML here. */
export type YamlValue = string | number | boolean | readonly YamlValue[] | { readonly [name: string]: YamlValue };

/** Characters that YAML wants escaped in a double-quoted text and JSON leaves as they are. */
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Plain names need no quotes as keys. Words that YAML reads as something else are not among the keys of rules. */
const plainKey = /^[A-Za-z][A-Za-z0-9_]*$/;

/**
 * Writes a value as a YAML document in block style. Every text is double-quoted, so that none is read as a number, a date or a
 * word of YAML, whatever is in it; lone surrogates become U+FFFD. Empty lists and objects are written in flow style.
 */
export function yamlText(value: YamlValue): string {
  return `${linesOf(value).join('\n')}\n`;
}

function linesOf(value: YamlValue): string[] {
  if (typeof value === 'string') return [quoted(value)];
  if (typeof value !== 'object') return [String(value)];
  if (isList(value)) {
    if (value.length === 0) return ['[]'];
    return value.flatMap((item) => indented(linesOf(item), '- '));
  }
  const fields = Object.entries(value);
  if (fields.length === 0) return ['{}'];
  return fields.flatMap(([name, field]) => {
    const key = plainKey.test(name) ? name : quoted(name);
    const lines = linesOf(field);
    const isBlock = typeof field === 'object' && (isList(field) ? field.length : Object.keys(field).length) > 0;
    return isBlock ? [`${key}:`, ...indented(lines, '  ')] : [`${key}: ${lines[0]}`];
  });
}

/** The first line behind a prefix, the others below it. */
function indented(lines: readonly string[], prefix: string): string[] {
  return lines.map((line, index) => (index === 0 ? prefix : ' '.repeat(prefix.length)) + line);
}

function quoted(text: string): string {
  const escape = (character: string): string => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text.toWellFormed()).replace(unprintable, escape);
}

function isList(value: YamlValue): value is readonly YamlValue[] {
  return Array.isArray(value);
}
