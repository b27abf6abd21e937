import { fromBER, Sequence, Set as Asn1Set, ObjectIdentifier, BaseStringBlock, type AsnType } from 'asn1js';
import type { RelativeDistinguishedNames } from 'pkijs';

/** One attribute: its type as object identifier, and its text; `#` and hex of the DER for a value that is no text. */
export type Attribute = readonly [type: string, value: string];

/** A name as its relative names, the widest first, as certificates have it. Attributes of one relative name are sorted. */
export type DistinguishedName = readonly (readonly Attribute[])[];

/** Reads a name of a certificate. `undefined` for what is none. */
export function readName(name: RelativeDistinguishedNames): DistinguishedName | undefined {
  const { result, offset } = fromBER(name.valueBeforeDecode);
  if (offset === -1 || !(result instanceof Sequence)) return undefined;
  const relative: Attribute[][] = [];
  for (const set of result.valueBlock.value) {
    if (!(set instanceof Asn1Set) || set.valueBlock.value.length === 0) return undefined;
    const attributes = set.valueBlock.value.map((part) => readAttribute(part as AsnType));
    if (attributes.some((attribute) => attribute === undefined)) return undefined;
    relative.push((attributes as Attribute[]).toSorted(byTypeAndValue));
  }
  return relative;
}

/** A text that two names share when they are the same: types and values agree exactly, in this order of relative names. */
export function nameKey(name: DistinguishedName): string {
  return JSON.stringify(name);
}

/** The value of a name's only common name. `undefined` with none, and with several: nobody could say which one counts. */
export function commonNameOf(name: DistinguishedName): string | undefined {
  const found = name.flat().filter(([type]) => type === TYPES.CN);
  const [first] = found;
  return found.length === 1 && first !== undefined && !first[1].startsWith('#') ? first[1] : undefined;
}

export function byTypeAndValue([type, value]: Attribute, [otherType, otherValue]: Attribute): number {
  return compare(type, otherType) || compare(value, otherValue);
}

/** Types of attributes by the keywords that texts use for them. Source: RFC 4514, section 3; RFC 4519, section 2. */
export const TYPES = {
  CN: '2.5.4.3',
  SN: '2.5.4.4',
  SERIALNUMBER: '2.5.4.5',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  STREET: '2.5.4.9',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  TITLE: '2.5.4.12',
  GIVENNAME: '2.5.4.42',
  ORGANIZATIONIDENTIFIER: '2.5.4.97',
  UID: '0.9.2342.19200300.100.1.1',
  DC: '0.9.2342.19200300.100.1.25',
  EMAILADDRESS: '1.2.840.113549.1.9.1',
} as const;

function readAttribute(part: AsnType): Attribute | undefined {
  if (!(part instanceof Sequence)) return undefined;
  const [type, value, ...more] = part.valueBlock.value;
  if (!(type instanceof ObjectIdentifier) || value === undefined || more.length > 0) return undefined;
  return [type.valueBlock.toString(), valueText(value)];
}

/** A text that cannot have been decoded faithfully counts as bytes; so does one that looks like bytes. */
function valueText(value: AsnType): string {
  const text = value instanceof BaseStringBlock ? value.getValue() : undefined;
  const isFaithful = text !== undefined && text !== '' && !text.startsWith('#');
  return isFaithful && text.isWellFormed() ? text : `#${Buffer.from(value.toBER()).toString('hex')}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
