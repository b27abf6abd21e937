import { fromBER, Sequence, Set as Asn1Set, ObjectIdentifier, BaseStringBlock, type AsnType } from 'asn1js';
import type { RelativeDistinguishedNames } from 'pkijs';
import { byTypeAndValue, type Attribute, type DistinguishedName } from './distinguished-name.ts';

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
