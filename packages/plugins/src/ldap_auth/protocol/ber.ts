/*
 * The subset of BER that LDAP uses: tags of one octet, definite lengths. Source: RFC 4511, section 5.1; X.690, section 8.1.
 */

/** Universal tags. */
export const BOOLEAN = 0x01;
export const INTEGER = 0x02;
export const OCTETS = 0x04;
export const ENUMERATED = 0x0a;
export const SEQUENCE = 0x30;

/** What a peer sent is no LDAP. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** One element: what it is, and what is in it. */
export interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

/** Where the element that begins at an offset has its content, and where it ends; its end may lie beyond what is there. */
export interface Extent {
  readonly tag: number;
  readonly begin: number;
  readonly end: number;
}

/** Writes an element. */
export function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const length = contents.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return Buffer.concat([Buffer.of(tag, ...lengthOctets(length)), ...contents]);
}

/** Writes a whole number from 0 to 2^31 - 1. */
export function integer(value: number, tag: number = INTEGER): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeInt32BE(value);
  let first = 0;
  // As few octets as hold it, and a first bit that says it is not negative.
  while (first < 3 && octets[first] === 0 && (octets[first + 1] as number) < 0x80) first += 1;
  return element(tag, octets.subarray(first));
}

/** Writes text as UTF-8. */
export function octets(text: string, tag: number = OCTETS): Buffer {
  return element(tag, Buffer.from(text));
}

/**
 * Reads an element's head.
 * @returns `undefined` when the head is not there whole
 * @throws MalformedMessage for tags and lengths that LDAP does not have
 */
export function extentAt(bytes: Uint8Array, offset: number): Extent | undefined {
  const tag = bytes[offset];
  const first = bytes[offset + 1];
  if (tag === undefined || first === undefined) return undefined;
  if ((tag & 0x1f) === 0x1f) throw new MalformedMessage('a tag has several octets');
  if (first < 0x80) return { tag, begin: offset + 2, end: offset + 2 + first };
  const count = first & 0x7f;
  if (count === 0 || count > 4) throw new MalformedMessage('a length is indefinite, or has too many octets');
  if (bytes.length < offset + 2 + count) return undefined;
  let length = 0;
  for (let index = 0; index < count; index += 1) length = length * 0x100 + (bytes[offset + 2 + index] as number);
  const begin = offset + 2 + count;
  return { tag, begin, end: begin + length };
}

/**
 * Reads elements that stand one behind the other, to the end.
 * @throws MalformedMessage when the last is cut
 */
export function elementsOf(bytes: Buffer): readonly Element[] {
  const elements: Element[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const extent = extentAt(bytes, offset);
    if (extent === undefined || extent.end > bytes.length) throw new MalformedMessage('an element is cut');
    elements.push({ tag: extent.tag, content: bytes.subarray(extent.begin, extent.end) });
    offset = extent.end;
  }
  return elements;
}

/** Reads a whole number of at most four octets that is not negative. */
export function numberOf({ content }: Element): number {
  const { length } = content;
  if (length === 0 || length > 4 || (content[0] as number) >= 0x80) throw new MalformedMessage('a number is none');
  return content.readUIntBE(0, length);
}

function lengthOctets(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const reversed: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 0x100)) reversed.push(rest % 0x100);
  return [0x80 | reversed.length, ...reversed.toReversed()];
}
