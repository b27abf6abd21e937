import { isIPv4, isIPv6 } from 'node:net';

/** Reading of the PROXY protocol, versions 1 and 2. Source: haproxy.org, proxy-protocol.txt, sections 2.1 and 2.2. */

/** Whom a header names. */
export interface ProxiedEnds {
  readonly peerAddress: string;
  readonly peerPort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** A header. Without ends it names nobody: a health check of the proxy, or a kind of socket without addresses. */
export interface ProxyHeader {
  /** Bytes that it takes. */
  readonly length: number;
  readonly ends: ProxiedEnds | undefined;
}

/** Bytes that a header may take: version 2 lets it carry as much as 64 KB, of which certificates' names are the largest part. */
export const proxyHeaderBytesMax = 4096;

const signature2 = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const fixedBytes2 = 16;
const signature1 = Buffer.from('PROXY ', 'latin1');
/** With the line's end. */
const lineBytesMax = 107;

/** @returns `undefined` while more bytes are needed, `'malformed'` for what is no header */
export function readProxyHeader(bytes: Buffer): ProxyHeader | 'malformed' | undefined {
  if (startsLike(bytes, signature2)) return bytes.length < fixedBytes2 ? undefined : readBinary(bytes);
  if (startsLike(bytes, signature1)) return readLine(bytes);
  return 'malformed';
}

/** Whether bytes are, as far as they go, a signature and more. */
function startsLike(bytes: Buffer, signature: Buffer): boolean {
  const length = Math.min(bytes.length, signature.length);
  return bytes.compare(signature, 0, length, 0, length) === 0;
}

function readLine(bytes: Buffer): ProxyHeader | 'malformed' | undefined {
  const end = bytes.subarray(0, lineBytesMax).indexOf('\r\n', 0, 'latin1');
  if (end === -1) return bytes.length >= lineBytesMax ? 'malformed' : undefined;
  const line = bytes.toString('latin1', 0, end);
  const length = end + 2;
  if (line === 'PROXY UNKNOWN' || line.startsWith('PROXY UNKNOWN ')) return { length, ends: undefined };
  const [, family, peerAddress = '', localAddress = '', peerPort = '', localPort = ''] =
    /^PROXY (TCP4|TCP6) (\S+) (\S+) (\d{1,5}) (\d{1,5})$/.exec(line) ?? [];
  const isAddress = family === 'TCP4' ? isIPv4 : isIPv6;
  const isPort = (text: string): boolean => /^(0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535;
  if (family === undefined || !isAddress(peerAddress) || !isAddress(localAddress)) return 'malformed';
  // An address with a zone is one of the proxy's own links.
  if (peerAddress.includes('%') || localAddress.includes('%') || !isPort(peerPort) || !isPort(localPort)) {
    return 'malformed';
  }
  const ends = { peerAddress, localAddress, peerPort: Number(peerPort), localPort: Number(localPort) };
  return { length, ends };
}

const addressBytes = new Map([
  [1, 4],
  [2, 16],
]);

function readBinary(bytes: Buffer): ProxyHeader | 'malformed' | undefined {
  const command = bytes.readUInt8(12);
  const [family, protocol] = [bytes.readUInt8(13) >> 4, bytes.readUInt8(13) & 0x0f];
  const length = fixedBytes2 + bytes.readUInt16BE(14);
  if (command !== 0x20 && command !== 0x21) return 'malformed';
  if (family > 3 || protocol > 2 || length > proxyHeaderBytesMax) return 'malformed';
  if (bytes.length < length) return undefined;
  if (command === 0x20) return { length, ends: undefined };
  const size = addressBytes.get(family);
  // Sockets without addresses: who sent the header is as good a name as any.
  if (size === undefined || protocol === 0) return { length, ends: undefined };
  // Datagrams do not come in on a connection.
  if (protocol !== 1 || length < fixedBytes2 + 2 * size + 4) return 'malformed';
  const at = fixedBytes2;
  return {
    length,
    ends: {
      peerAddress: addressOf(bytes.subarray(at, at + size)),
      localAddress: addressOf(bytes.subarray(at + size, at + 2 * size)),
      peerPort: bytes.readUInt16BE(at + 2 * size),
      localPort: bytes.readUInt16BE(at + 2 * size + 2),
    },
  };
}

function addressOf(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_group, at) => bytes.readUInt16BE(at * 2).toString(16));
  // The short form is the one that the system writes.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
