/** Media types of which each line is a JSON text. */
const LINES = /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|stream\+json)\b/i;

/**
 * The body of a call that sends records, each already JSON. One is sent as it is, several as a list: that is how Kong does it. Of a media
 * type that means lines of JSON, each is a line.
 */
export function jsonBody(records: readonly string[], contentType: string): string {
  const [first = '', ...more] = records;
  return more.length === 0 && !LINES.test(contentType) ? first : jsonList(records, contentType);
}

/** The same, but one record is a list, too. */
export function jsonList(records: readonly string[], contentType: string): string {
  return LINES.test(contentType) ? `${records.join('\n')}\n` : `[${records.join(',')}]`;
}
