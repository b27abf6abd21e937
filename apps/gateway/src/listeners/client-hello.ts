/**
 * Reading of the first message of TLS. Source: RFC 8446, sections 4.1.2 and 5.1; RFC 6066, section 3. What it accepts is
 * checked again by OpenSSL; it refuses what two readers might understand differently.
 */

/** What a connection that should begin TLS begins with. */
export type ClientHello =
  | { readonly kind: 'hello'; readonly serverName: string | undefined }
  /** A request in cleartext: no record of TLS begins with a capital letter. */
  | { readonly kind: 'http' }
  /** Not TLS at all. */
  | { readonly kind: 'other' }
  | { readonly kind: 'malformed' };

/** Bytes that a ClientHello may take; with post-quantum key shares they are 2 KB. */
export const clientHelloBytesMax = 16 * 1024;

/** Records that it may come in. Clients use one, or a few to hide the name from onlookers; each costs whoever reads it. */
export const clientHelloRecordsMax = 32;

const handshakeRecord = 22;
const clientHelloMessage = 1;
const recordHeaderBytes = 5;
const messageHeaderBytes = 4;
const serverNameExtension = 0;
const hostNameType = 0;
const malformed: ClientHello = { kind: 'malformed' };

/** @returns `undefined` while more bytes are needed */
export function readClientHello(bytes: Buffer): ClientHello | undefined {
  const [first = 0] = bytes;
  if (first !== handshakeRecord) return { kind: first >= 0x41 && first <= 0x5a ? 'http' : 'other' };
  const message = messageOf(bytes);
  if (message === 'malformed') return malformed;
  return message && readMessage(message);
}

/** The message that the first records carry, without its header. Costs the same however the message is cut into records. */
function messageOf(bytes: Buffer): Buffer | 'malformed' | undefined {
  const parts: Buffer[] = [];
  let length = 0;
  let wanted: number | undefined;
  for (let at = 0; ;) {
    if (parts.length === clientHelloRecordsMax) return 'malformed';
    if (bytes.length < at + recordHeaderBytes) return undefined;
    // The version of the record layer is history; its first byte tells other protocols apart.
    if (bytes[at] !== handshakeRecord || bytes[at + 1] !== 3) return 'malformed';
    const recordBytes = bytes.readUInt16BE(at + 3);
    if (recordBytes === 0) return 'malformed';
    at += recordHeaderBytes;
    const part = bytes.subarray(at, at + recordBytes);
    at += recordBytes;
    parts.push(part);
    length += part.length;
    if (parts.length === 1 && part.length > 0 && part[0] !== clientHelloMessage) return 'malformed';
    if (wanted === undefined && length >= messageHeaderBytes) {
      wanted = messageHeaderBytes + Buffer.concat(parts).readUIntBE(1, 3);
      if (wanted > clientHelloBytesMax) return 'malformed';
    }
    if (wanted !== undefined && length >= wanted) return Buffer.concat(parts).subarray(messageHeaderBytes, wanted);
    if (part.length < recordBytes) return undefined;
  }
}

function readMessage(message: Buffer): ClientHello {
  const fields = new Fields(message);
  fields.skip(2 + 32); // Version and random.
  fields.vector(1); // Session.
  fields.vector(2); // Cipher suites.
  fields.vector(1); // Compression.
  if (!fields.isWhole) return malformed;
  if (fields.isAtEnd) return { kind: 'hello', serverName: undefined };
  const extensions = new Fields(fields.vector(2));
  if (!fields.isWhole || !fields.isAtEnd) return malformed;
  let serverName: string | undefined;
  while (!extensions.isAtEnd) {
    const type = extensions.number(2);
    const body = extensions.vector(2);
    if (!extensions.isWhole) return malformed;
    if (type !== serverNameExtension) continue;
    if (serverName !== undefined) return malformed;
    serverName = readServerName(body);
    if (serverName === undefined) return malformed;
  }
  return { kind: 'hello', serverName };
}

/** The one host name of the list. Lists of several, and other types, were never used. */
function readServerName(body: Buffer): string | undefined {
  const outer = new Fields(body);
  const list = new Fields(outer.vector(2));
  const type = list.number(1);
  const name = list.vector(2);
  if (!outer.isWhole || !outer.isAtEnd || !list.isWhole || !list.isAtEnd || type !== hostNameType) return undefined;
  const text = name.toString('latin1').toLowerCase();
  // A dot at the end names the same host.
  return /^[\x21-\x7e]{1,255}$/.test(text) ? text.replace(/\.$/, '') : undefined;
}

/** Reads numbers and vectors one after the other; past the end everything is empty, and it is not whole any more. */
class Fields {
  isWhole = true;
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  skip(length: number): void {
    this.#at += length;
    if (this.#at > this.#bytes.length) this.isWhole = false;
  }

  number(size: 1 | 2): number {
    const at = this.#at;
    this.skip(size);
    return this.isWhole ? this.#bytes.readUIntBE(at, size) : 0;
  }

  /** A vector with its length before it. */
  vector(lengthSize: 1 | 2): Buffer {
    const length = this.number(lengthSize);
    const at = this.#at;
    this.skip(length);
    return this.isWhole ? this.#bytes.subarray(at, at + length) : Buffer.alloc(0);
  }
}
