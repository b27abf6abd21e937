import type { NamedType, SdkUnion } from '../../model/named-types.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { UniqueWords } from '../../names/unique-words.ts';
import { wordsOf, type Words } from '../../names/words.ts';
import { sdkLimits } from '../limits.ts';
import type { SchemaSource } from './schema-source.ts';

/**
 * The types that have names. What is in them is built later, in turn, so that types may lead to each other however deep, and each one has
 * its name first.
 */
export class TypeRegistry {
  readonly #source: SchemaSource;
  readonly #types = new Map<string, NamedType | undefined>();
  readonly #words = new Map<string, Words>();
  readonly #waiting: (() => void)[] = [];
  readonly #unique = new UniqueWords();
  /** Words that a component has for itself until it takes them. */
  readonly #kept = new Map<string, Words>();
  readonly #open = new Set<Words>();
  #members = 0;

  constructor(source: SchemaSource) {
    this.#source = source;
    for (const name of Object.keys(source.components)) {
      const words = this.#unique.take(wordsOf(name));
      this.#kept.set(source.pointerOf(name), words);
      this.#open.add(words);
    }
  }

  /** The words of the component at a place. */
  wordsAt(pointer: string): Words | undefined {
    return this.#kept.get(pointer);
  }

  /** A type that is built as soon as the others before it are. The same one is built once. */
  declare(id: string, wanted: Words, build: (words: Words) => NamedType): TypeRef {
    if (!this.#types.has(id) && this.#hasRoom()) {
      const words = this.#take(id, wanted);
      this.#types.set(id, undefined);
      this.#waiting.push(() => this.#types.set(id, build(words)));
    }
    return { kind: 'named', id };
  }

  /** A type that is known already. */
  define(id: string, wanted: Words, build: (words: Words) => NamedType): TypeRef {
    if (!this.#types.has(id) && this.#hasRoom()) this.#types.set(id, build(this.#take(id, wanted)));
    return { kind: 'named', id };
  }

  /** Builds what waits, and what comes to wait by that. */
  buildAll(): void {
    for (let index = 0; index < this.#waiting.length && !this.#source.isOver; index += 1) this.#waiting[index]?.();
    this.#waiting.length = 0;
  }

  /** Counts fields, values and variants. @returns whether there is room for them */
  count(members: number): boolean {
    this.#members += members;
    if (this.#members <= sdkLimits.membersMax) return true;
    return this.#source.tooLarge(
      `must have at most ${sdkLimits.membersMax} fields, values and variants in all types together`,
    );
  }

  unionAt(id: string): SdkUnion | undefined {
    const type = this.#types.get(id);
    return type?.kind === 'union' ? type : undefined;
  }

  /** The words of a type, which it has before it is built. */
  wordsOf(id: string): Words | undefined {
    return this.#words.get(id);
  }

  get(id: string): NamedType | undefined {
    return this.#types.get(id);
  }

  /** In the order in which they were met. */
  get all(): readonly NamedType[] {
    return [...this.#types.values()].filter((type) => type !== undefined);
  }

  #take(id: string, wanted: Words): Words {
    const words = this.#open.delete(wanted) ? wanted : this.#unique.take(wanted);
    this.#words.set(id, words);
    return words;
  }

  #hasRoom(): boolean {
    if (this.#types.size < sdkLimits.typesMax) return true;
    return this.#source.tooLarge(`must lead to at most ${sdkLimits.typesMax} types`);
  }
}
