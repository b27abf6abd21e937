/** Words of 32 bits of an IPv4 and of an IPv6 address. */
export const wordsOfIpv4 = 1;
export const wordsOfIpv6 = 4;

const groupsOfIpv6 = 8;
const digitsMax = 4;

/**
 * Reads an address as bits, most significant word first. Written for the way of a request: it makes no objects. A zone (`fe80::1%eth0`) says
 * on which link an address is, not which one it is, and is left out. An IPv4-mapped address is its IPv4 address.
 * Source: RFC 4291, 2.2 and 2.5.5.2; IPv4 as four decimal numbers without leading zeros, as `node:net` takes it.
 * @param into at least four words, of which the result says how many were written
 * @returns 1 for IPv4, 4 for IPv6, 0 for what is no address
 */
export function readAddress(text: string, into: Uint32Array): 0 | 1 | 4 {
  const ipv4 = readIpv4(text, 0, text.length);
  if (ipv4 >= 0) {
    into[0] = ipv4;
    return wordsOfIpv4;
  }
  const zone = text.indexOf('%');
  if (zone === text.length - 1 || !readGroups(text, zone < 0 ? text.length : zone)) return 0;
  for (let word = 0; word < wordsOfIpv6; word += 1) {
    into[word] = (groups[word * 2] as number) * 0x1_0000 + (groups[word * 2 + 1] as number);
  }
  if (into[0] !== 0 || into[1] !== 0 || into[2] !== 0xffff) return wordsOfIpv6;
  into[0] = into[3] as number;
  return wordsOfIpv4;
}

/** The address as a number, or -1. */
function readIpv4(text: string, from: number, end: number): number {
  let address = 0;
  let octets = 0;
  let octet = -1;
  for (let at = from; at <= end; at += 1) {
    const code = at === end ? dot : text.charCodeAt(at);
    if (code === dot) {
      if (octet < 0 || octets === 4) return -1;
      address = (address << 8) | octet;
      octets += 1;
      octet = -1;
      continue;
    }
    const digit = code - zero;
    // No digit, or one after a leading zero, which is octal elsewhere.
    if (digit < 0 || digit > 9 || octet === 0) return -1;
    octet = octet < 0 ? digit : octet * 10 + digit;
    if (octet > 255) return -1;
  }
  return octets === 4 ? address >>> 0 : -1;
}

/** What {@link readGroups} read. One for all: nothing else runs while an address is read. */
const groups = new Uint16Array(groupsOfIpv6);

function readGroups(text: string, end: number): boolean {
  let count = 0;
  let gap = -1;
  let at = 0;
  if (text.startsWith('::')) {
    gap = 0;
    at = 2;
  }
  while (at < end) {
    const from = at;
    let value = 0;
    for (; at < end; at += 1) {
      const digit = hexDigit(text.charCodeAt(at));
      if (digit < 0) break;
      if (at - from === digitsMax) return false;
      value = value * 16 + digit;
    }
    if (at < end && text.charCodeAt(at) === dot) {
      const ipv4 = readIpv4(text, from, end);
      if (ipv4 < 0 || count > groupsOfIpv6 - 2) return false;
      groups[count] = Math.floor(ipv4 / 0x1_0000);
      groups[count + 1] = ipv4 % 0x1_0000;
      count += 2;
      break;
    }
    if (at === from || count === groupsOfIpv6) return false;
    groups[count] = value;
    count += 1;
    if (at === end) break;
    at += 1;
    if (text.charCodeAt(at - 1) !== colon || at === end) return false;
    if (text.charCodeAt(at) !== colon) continue;
    if (gap >= 0) return false;
    gap = count;
    at += 1;
  }
  if (gap < 0) return count === groupsOfIpv6;
  if (count === groupsOfIpv6) return false;
  groups.copyWithin(groupsOfIpv6 - count + gap, gap, count);
  groups.fill(0, gap, groupsOfIpv6 - count + gap);
  return true;
}

const zero = 48;
const dot = 46;
const colon = 58;

function hexDigit(code: number): number {
  if (code >= zero && code <= 57) return code - zero;
  const letter = (code | 32) - 97;
  return letter >= 0 && letter <= 5 ? letter + 10 : -1;
}
