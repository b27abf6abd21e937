/**
 * Control characters, line and paragraph separators, and what changes the direction of writing. Source: Unicode, general
 * category Cc and the bidirectional formatting characters.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what is replaced
const harmful = /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/**
 * A text on one line that cannot move a cursor, change colours or reorder what stands beside it: names and values come
 * from whoever wrote them and are shown, not obeyed.
 */
export function harmlessText(text: string): string {
  return text.replaceAll(harmful, '\uFFFD');
}
