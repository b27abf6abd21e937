import { createHash } from 'node:crypto';
import { fieldLimits } from '@portcullis/resources';

/** Characters of a name that is made; what is added to it still fits. */
const madeLengthMax = fieldLimits.nameLengthMax - 56;

/**
 * A name out of a text that people wrote: letters and digits of any script and `. _ ~ -` stay, whatever else there is becomes
 * a hyphen. What is too long ends in a digest of all of it. Empty when nothing stays.
 */
export function slug(text: string): string {
  const plain = text
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}._~-]+/gu, '-')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  if (plain.length <= madeLengthMax) return plain;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return `${plain.slice(0, madeLengthMax).toWellFormed()}-${digest}`;
}

/** A path template as a name: `/pets/{petId}/toys` is `pets.petId.toys`. */
export function nameOfPath(path: string): string {
  const steps = path.split('/').map((segment) => slug(segment.replaceAll(/[{}]/g, '-').replaceAll(/-*\.-*/g, '.')));
  return steps.filter((step) => step !== '').join('.') || 'root';
}

/**
 * Hands out names that differ in more than case. The second that asks for a name gets `-2` behind it, so ask in an order that
 * does not depend on the document's.
 */
export function uniqueNames(): (wanted: string) => string {
  const taken = new Set<string>();
  return (wanted) => {
    let name = wanted;
    for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${wanted}-${count}`;
    taken.add(name.toLowerCase());
    return name;
  };
}
