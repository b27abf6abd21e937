import { plainLines } from '../../source-text/plain-text.ts';

/** A literal for a text, in ASCII. The only way in which texts of a description get into code. */
export function csharpString(text: string): string {
  return `"${text.replace(/["\\]|[^\x20-\x7e]/g, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}"`;
}

/** Text of one line in elements and attributes of XML, which documentation comments are too. */
export function xmlText(text: string): string {
  return text
    .replace(/[\uFFFE\uFFFF]/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A text of a description in one line of XML. */
export function xmlLine(text: string | undefined): string {
  return xmlText(plainLines(text).join(' ').trim());
}

/** What stands in a documentation comment. `notes` and `tags` are finished XML. */
export interface XmlDocumentation {
  /** From the description. The first line of all is the summary. */
  readonly texts?: readonly (string | undefined)[];
  readonly notes?: readonly string[];
  readonly tags?: readonly string[];
}

/** The lines of a documentation comment; none where there is nothing to say. */
export function xmlDocumentation({ texts = [], notes = [], tags = [] }: XmlDocumentation): readonly string[] {
  const [summary, ...remarks] = [
    ...texts
      .flatMap((text) => plainLines(text))
      .map((line) => xmlText(line).trim())
      .filter((line) => line !== ''),
    ...notes,
  ];
  return [
    ...(summary === undefined ? [] : [`<summary>${summary}</summary>`]),
    ...(remarks.length === 0 ? [] : ['<remarks>', ...remarks.map((line) => `<para>${line}</para>`), '</remarks>']),
    ...tags,
  ].map((line) => `/// ${line}`);
}
