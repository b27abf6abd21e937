/** Writes DER, well-formed or on purpose not quite: what certificates are made of in tests. Source: ITU-T X.690. */

/** One value with its tag; constructed ones have their parts one after another. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

export function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return der(0x30, ...parts);
}

export function set(...parts: readonly Uint8Array[]): Uint8Array {
  return der(0x31, ...parts);
}

/** A tagged value of a context, `[number]`. */
export function context(number: number, isConstructed: boolean, ...parts: readonly Uint8Array[]): Uint8Array {
  return der(0x80 + (isConstructed ? 0x20 : 0) + number, ...parts);
}

export function integer(value: bigint | number): Uint8Array {
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return der(0x02, Number(bytes[0]) >= 0x80 ? Buffer.from([0]) : Buffer.alloc(0), bytes);
}

export function boolean(value: boolean): Uint8Array {
  return der(0x01, Buffer.from([value ? 0xff : 0]));
}

export function octets(content: Uint8Array): Uint8Array {
  return der(0x04, content);
}

export function bits(content: Uint8Array, unused = 0): Uint8Array {
  return der(0x03, Buffer.from([unused]), content);
}

export function utf8(text: string): Uint8Array {
  return der(0x0c, Buffer.from(text));
}

export function printable(text: string): Uint8Array {
  return der(0x13, Buffer.from(text, 'latin1'));
}

/** Two bytes a character, the high one first. */
export function bmp(text: string): Uint8Array {
  return der(0x1e, Buffer.from(text, 'utf16le').swap16());
}

/** @param dotted for instance `2.5.4.3` */
export function oid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** In the form that certificates have to take: two digits of the year up to 2049. Source: RFC 5280, section 4.1.2.5. */
export function time(date: Date): Uint8Array {
  const digits = `${date.toISOString().replace(/\.\d+Z|[-:T]/g, '')}Z`;
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 + bytes.length, ...bytes];
}

function base128(value: number): number[] {
  const groups = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) groups.unshift(128 + (rest % 128));
  return groups;
}
