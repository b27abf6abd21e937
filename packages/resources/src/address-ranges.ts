import * as v from 'valibot';

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const versionFour = new RegExp(`^(?:${octet}\\.){3}${octet}$`);
/** Longest form of an IPv6 address, with an IPv4 address as its end, and its prefix. */
const rangeLengthMax = 49;

/** Whether a text is an IPv4 or IPv6 address, or a range of them as `address/bits`. Source: RFC 4632, 3.1; RFC 4291, 2.3. */
export function isAddressRange(text: string): boolean {
  if (text.length > rangeLengthMax) return false;
  const [address = '', bits, ...more] = text.split('/');
  const width = widthOf(address);
  if (width === undefined || more.length > 0) return false;
  return bits === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= width);
}

function widthOf(address: string): 32 | 128 | undefined {
  if (versionFour.test(address)) return 32;
  return /^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*$/.test(address) && URL.canParse(`http://[${address}]`) ? 128 : undefined;
}

/** An address or a range of them. */
export const addressRange: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.check(isAddressRange, 'must be an IPv4 or IPv6 address, or a range of them as address/bits'),
);
