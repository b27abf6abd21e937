const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;

/**
 * How many values a text of JSON holds, without parsing it: parsing takes its time by values, and nothing else runs meanwhile. An empty list or
 * object counts twice. Of a text that is no JSON it is some number.
 * @param bytes UTF-8, in which no part of another character looks like one of the marks
 * @returns counted up to one more than `valuesMax`
 */
export function countValues(bytes: Uint8Array, valuesMax: number): number {
  let count = 1;
  for (let at = 0; at < bytes.length && count <= valuesMax; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) count += 1;
  }
  return count;
}

/** Where the text ends that begins at a quotation mark. */
function endOfText(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
