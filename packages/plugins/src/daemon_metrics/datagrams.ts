/**
 * Bytes of a datagram that is in one piece on its way: an Ethernet frame's 1500 without the heads of IPv6 and UDP, and 20 for a tunnel's.
 */
export const DATAGRAM_BYTES_MAX = 1432;

/** Packs lines into as few datagrams as keep their order. A line that is longer than a datagram has one to itself. */
export function packLines(lines: Iterable<string>, bytesMax: number = DATAGRAM_BYTES_MAX): readonly Buffer[] {
  const datagrams: Buffer[] = [];
  let packed = '';
  let bytes = 0;
  for (const line of lines) {
    const lineBytes = Buffer.byteLength(line);
    if (packed !== '' && bytes + 1 + lineBytes > bytesMax) {
      datagrams.push(Buffer.from(packed));
      packed = '';
    }
    bytes = packed === '' ? lineBytes : bytes + 1 + lineBytes;
    packed = packed === '' ? line : `${packed}\n${line}`;
  }
  if (packed !== '') datagrams.push(Buffer.from(packed));
  return datagrams;
}
