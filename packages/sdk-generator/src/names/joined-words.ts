import { shortened, type Words } from './words.ts';

/** Words of a name that is put together. */
const joinedMax = 12;
/** Of those, how many stay of the beginning: what a thing is in, and what it is, say more than what is between. */
const firstMax = 4;

/** The name of something inside of something else. */
export function joinedWords(...parts: readonly Words[]): Words {
  const words = parts.flat();
  const kept = words.length <= joinedMax ? words : [...words.slice(0, firstMax), ...words.slice(firstMax - joinedMax)];
  return shortened(kept);
}
