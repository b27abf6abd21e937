/** What JSON leaves as it is and a terminal or a reader of lines may act on: DEL, C1 controls, the line separators. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;

/**
 * JSON in which nothing is left that a terminal or a reader of lines acts on: those characters stand as `\uXXXX`, which says the same.
 * Source: security rules, Log injection.
 * @param json a JSON text, as `JSON.stringify` makes it
 * @param bytes of it in UTF-8, for whoever has counted them
 */
export function safeJson(json: string, bytes: number = Buffer.byteLength(json)): string {
  // As many bytes as characters: it is ASCII, and nearly every record is. Both looks together take a tenth of what the pattern takes.
  if (bytes === json.length && !json.includes('\u007f')) return json;
  return json.replace(UNSAFE, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
