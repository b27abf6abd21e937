import type { Words } from './words.ts';

/**
 * Gives the things of one scope words that are never alike, whatever the casing: `petId` and `PETID` are written the same in some language.
 * Later ones get a number.
 */
export class UniqueWords {
  readonly #taken: Set<string>;
  /** The number to try next, so that thousands of one name are not counted through each time. */
  readonly #next = new Map<string, number>();

  /** @param reserved names, as they are without any casing */
  constructor(reserved: readonly string[] = []) {
    this.#taken = new Set(reserved);
  }

  isTaken(words: Words): boolean {
    return this.#taken.has(words.join(''));
  }

  take(words: Words): Words {
    const plain = words.join('');
    let number = this.#next.get(plain) ?? 2;
    let unique = words;
    while (this.isTaken(unique)) {
      unique = [...words, String(number)];
      number += 1;
    }
    this.#next.set(plain, number);
    this.#taken.add(unique.join(''));
    return unique;
  }
}
