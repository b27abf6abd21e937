import { LRUCache } from 'lru-cache';
import { BoundedNotes } from './bounded-notes.ts';
import type { CachedAnswer } from './cached-answer.ts';
import type { Evicting, MemoryBudget } from './memory-budget.ts';

/** Memory of one store (an instance, or a namespace of a tenant), in bytes. */
export const STORE_BYTES_MAX: number = 64 * 1024 * 1024;

/** Answers that one address may have at once: for other routes, languages, codings. */
export const ANSWERS_PER_ADDRESS_MAX = 32;

/** Addresses of which a store remembers that their answers changed or cannot be stored. */
export const NOTES_MAX = 10_000;

/** How long nobody waits for an address whose answer could not be stored, in milliseconds. */
export const PASS_MS = 10_000;

/** Bytes counted for an address beside its answers and its key. */
const ADDRESS_BYTES = 256;

interface Address {
  readonly answers: readonly CachedAnswer[];
}

/** Answers by address, least recently used first to go. */
export class AnswerStore implements Evicting {
  readonly #addresses: LRUCache<string, Address>;
  readonly #budget: MemoryBudget;
  /** When addresses were invalidated, as numbers that grow. */
  readonly #changes = new BoundedNotes(NOTES_MAX);
  readonly #passing = new BoundedNotes(NOTES_MAX);
  #changeNumber = 0;
  #forgotten = 0;

  constructor(budget: MemoryBudget, bytesMax: number = STORE_BYTES_MAX) {
    this.#budget = budget;
    this.#addresses = new LRUCache<string, Address>({
      maxSize: bytesMax,
      sizeCalculation: ({ answers }, key) =>
        answers.reduce((sum, { bytes }) => sum + bytes, ADDRESS_BYTES + key.length),
    });
    budget.add(this);
  }

  /** Memory that the answers take, as it is counted. */
  get bytes(): number {
    return this.#addresses.calculatedSize;
  }

  /** Answers of an address, newest first. */
  answersOf(key: string): readonly CachedAnswer[] {
    return this.#addresses.get(key)?.answers ?? [];
  }

  /** Where a request stands among the changes; for {@link put}. */
  get moment(): number {
    return this.#changeNumber;
  }

  /**
   * Stores an answer in place of one that the same requests would get.
   * @param since the {@link moment} at which the service was asked: what was invalidated since then is not stored
   */
  put(key: string, answer: CachedAnswer, since: number): boolean {
    if (since < this.#forgotten || (this.#changes.get(key) ?? 0) > since) return false;
    const others = this.answersOf(key).filter((other) => !isForSameRequests(other, answer));
    this.#keep(key, [answer, ...others].slice(0, ANSWERS_PER_ADDRESS_MAX));
    return true;
  }

  /** Drops one answer. */
  drop(key: string, answer: CachedAnswer): void {
    const { answers } = this.#addresses.get(key) ?? {};
    if (answers?.includes(answer) === true)
      this.#keep(
        key,
        answers.filter((other) => other !== answer),
      );
  }

  /** Drops all answers of an address, and those that are on their way. Source: RFC 9111, section 4.4. */
  invalidate(key: string): void {
    this.#addresses.delete(key);
    this.#changeNumber += 1;
    // Whoever asked before a change that is no longer remembered might bring what it made invalid.
    this.#forgotten = this.#changes.set(key, this.#changeNumber) ?? this.#forgotten;
  }

  /** Notes whether answers of this kind are worth waiting for. @param nowMs monotonic */
  notePassing(kind: string, isPassing: boolean, nowMs: number): void {
    if (isPassing) this.#passing.set(kind, nowMs + PASS_MS);
    else this.#passing.delete(kind);
  }

  /** Whether a request of this kind need not wait for another's answer: it could not use it. */
  isPassing(kind: string, nowMs: number): boolean {
    return (this.#passing.get(kind) ?? -Infinity) > nowMs;
  }

  evictOne(): boolean {
    return this.#addresses.pop() !== undefined;
  }

  /** Gives all memory back; the store is used no more. */
  end(): void {
    this.#addresses.clear();
    this.#budget.remove(this);
  }

  #keep(key: string, answers: readonly CachedAnswer[]): void {
    if (answers.length === 0) this.#addresses.delete(key);
    else this.#addresses.set(key, { answers });
    this.#budget.settle();
  }
}

function isForSameRequests(left: CachedAnswer, right: CachedAnswer): boolean {
  if (left.origin !== right.origin || left.vary.length !== right.vary.length) return false;
  return left.vary.every(({ name, value }) => right.vary.some((other) => other.name === name && other.value === value));
}
