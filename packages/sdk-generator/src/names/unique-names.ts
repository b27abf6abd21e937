import type { Casing } from './casing.ts';
import type { Words } from './words.ts';

/**
 * Gives each thing of one scope (the fields of a class, the methods of a client) a name that is neither reserved nor given yet.
 * The first one to ask gets the plain name, later ones and reserved ones a number at the end: `list`, `list2`.
 */
export class UniqueNames {
  readonly #casing: Casing;
  readonly #taken: Set<string>;
  readonly #hasCase: boolean;

  /**
   * @param reserved words of the language, and names that the scope has already
   * @param hasCase whether names that differ in case only are different ones; files on some systems are not
   */
  constructor(casing: Casing, reserved: Iterable<string> = [], hasCase = true) {
    this.#casing = casing;
    this.#hasCase = hasCase;
    this.#taken = new Set([...reserved].map((name) => this.#keyOf(name)));
  }

  take(words: Words): string {
    const plain = this.#casing(words);
    let name = plain;
    for (let number = 2; this.#taken.has(this.#keyOf(name)); number += 1) {
      name = this.#casing([...words, String(number)]);
    }
    this.#taken.add(this.#keyOf(name));
    return name;
  }

  #keyOf(name: string): string {
    return this.#hasCase ? name : name.toLowerCase();
  }
}
