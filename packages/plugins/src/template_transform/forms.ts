import { JSON_TYPES, XML_TYPES, contentTypeMatcher, saidType } from '../shared/bodies/content-types.ts';
import { ExactJson } from './exact-json.ts';
import type { TemplatePart } from './parse-template.ts';

/**
 * How values are written, so that none of them can be more than a value in what the template makes:
 *
 * - `json`: within a JSON string its text, escaped; elsewhere the value as JSON, and `null` where there is none
 * - `xml`: its text, with references for markup
 * - `form`: its text, percent-encoded
 * - `text`: its text
 */
export type TemplateForm = 'json' | 'xml' | 'form' | 'text';

/** Writes a value into the text; `undefined` for none. */
export type ValueWriter = (value: unknown) => string;

const isJson = contentTypeMatcher(JSON_TYPES);
const isXml = contentTypeMatcher([...XML_TYPES, 'text/html']);

/** The form of a content type. */
export function formOf(contentType: string): TemplateForm {
  const { type } = saidType(contentType);
  if (isJson(type)) return 'json';
  if (isXml(type)) return 'xml';
  return type === 'application/x-www-form-urlencoded' ? 'form' : 'text';
}

/** The content type of a template that says none: by what it is. */
export function contentTypeOf(parts: readonly TemplatePart[]): string {
  if (jsonWriters(parts) !== undefined) return 'application/json';
  const [first] = parts;
  return first?.kind === 'literal' && first.text.trimStart().startsWith('<')
    ? 'application/xml'
    : 'text/plain; charset=utf-8';
}

/** The writers of a template's variables, in their order; `undefined` where the template is not of the form. */
export function writersOf(parts: readonly TemplatePart[], form: TemplateForm): readonly ValueWriter[] | undefined {
  if (form === 'json') return jsonWriters(parts);
  const writer = form === 'xml' ? xmlText : form === 'form' ? formText : plainText;
  return parts.filter(({ kind }) => kind === 'variable').map(() => writer);
}

/** The template has to be JSON whatever the values are: with `null` where a value stands, and letters where text does. */
function jsonWriters(parts: readonly TemplatePart[]): readonly ValueWriter[] | undefined {
  const writers: ValueWriter[] = [];
  let isInString = false;
  let sample = '';
  for (const part of parts) {
    if (part.kind === 'variable') {
      writers.push(isInString ? stringText : jsonValue);
      sample += isInString ? 'x' : 'null';
    } else {
      isInString = endsInString(part.text, isInString);
      sample += part.text;
    }
  }
  try {
    JSON.parse(sample);
    return writers;
  } catch {
    return undefined;
  }
}

function endsInString(text: string, startsInString: boolean): boolean {
  let isInString = startsInString;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isInString = !isInString;
    else if (text[at] === '\\' && isInString) at += 1;
  }
  return isInString;
}

const jsonValue: ValueWriter = (value) => (value === undefined ? 'null' : jsonOf(value));

const stringText: ValueWriter = (value) => JSON.stringify(plainText(value)).slice(1, -1);

const formText: ValueWriter = (value) => encodeURIComponent(plainText(value).toWellFormed());

const MARKUP: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
  ['\r', '&#13;'],
]);

const xmlText: ValueWriter = (value) =>
  plainText(value)
    .toWellFormed()
    .replaceAll(/[&<>"'\r]/g, (character) => MARKUP.get(character) ?? character)
    // What XML does not allow even as a reference.
    .replaceAll(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');

/** A text as it is, nothing for what is missing or null, else JSON. */
function plainText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : jsonOf(value);
}

function jsonOf(value: unknown): string {
  return value instanceof ExactJson ? value.text : JSON.stringify(value);
}
