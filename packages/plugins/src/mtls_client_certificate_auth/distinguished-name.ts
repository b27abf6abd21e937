/** One attribute: its type as object identifier, and its text; `#` and hex of the DER for a value that is no text. */
export type Attribute = readonly [type: string, value: string];

/** A name as its relative names, the widest first, as certificates have it. Attributes of one relative name are sorted. */
export type DistinguishedName = readonly (readonly Attribute[])[];

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

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
