/** Bytes of the values of types whose length is fixed, by type: true, false, byte, short, integer, long, …, timestamp, UUID. */
const FIXED_BYTES: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 2],
  [4, 4],
  [5, 8],
  [8, 8],
  [9, 16],
]);
const TYPE_BYTES = 6;
const TYPE_TEXT = 7;

/**
 * The headers of a message whose values are texts. Others are passed over. `undefined` for bytes that are no headers.
 * Source: AWS, event stream encoding.
 */
export function readAwsHeaders(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    if (nameEnd >= bytes.length) return undefined;
    const type = bytes.readUInt8(nameEnd);
    let start = nameEnd + 1;
    let length = FIXED_BYTES.get(type);
    if (length === undefined) {
      if ((type !== TYPE_BYTES && type !== TYPE_TEXT) || start + 2 > bytes.length) return undefined;
      length = bytes.readUInt16BE(start);
      start += 2;
    }
    if (start + length > bytes.length) return undefined;
    if (type === TYPE_TEXT) {
      headers.set(bytes.toString('utf8', at + 1, nameEnd), bytes.toString('utf8', start, start + length));
    }
    at = start + length;
  }
  return headers;
}
