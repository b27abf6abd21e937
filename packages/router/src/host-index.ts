import type { Edit } from './edit.ts';
import { addToHash, hashFromEnd, hashOf, hashSeed } from './text-hash.ts';
import { TextMap } from './text-map.ts';
import type { TextTrie } from './text-trie.ts';
import type { DirectOf } from './trie-arena.ts';

const dot = 0x2e;

/** Gets the value of each pattern that a host matches. */
export interface HostVisitor<Value extends object> {
  visitHost(value: Value): void;
  /** The same, by its number in a trie: the value need not be fetched. */
  visitNumber(trie: TextTrie<Value>, number: number): void;
}

/** An index without hosts. @param directOf see there */
export function hostIndex<Value extends object>(directOf: DirectOf<Value>): HostIndex<Value> {
  return new HostIndex(new TextMap(directOf));
}

/**
 * Values found by host. A pattern is a name, or one with `*` as its first or last label, which stands for one or more
 * labels; `undefined` stands for every host. It shares with the indexes it was made from what it can.
 */
export class HostIndex<Value extends object> {
  readonly #exact: TextMap<Value>;
  /** By what follows the `*`, hashed from the end. */
  readonly #endings: TextMap<Value>;
  /** By what comes before the `*`. */
  readonly #beginnings: TextMap<Value>;
  readonly #any: Value | undefined;

  constructor(
    exact: TextMap<Value> = new TextMap(),
    endings: TextMap<Value> = new TextMap(),
    beginnings: TextMap<Value> = new TextMap(),
    any?: Value,
  ) {
    this.#exact = exact;
    this.#endings = endings;
    this.#beginnings = beginnings;
    this.#any = any;
  }

  /** The value of a pattern, as it is written. */
  get(pattern: string | undefined): Value | undefined {
    if (pattern === undefined) return this.#any;
    const { kind, key, hash } = placeOf(pattern);
    return this.#maps()[kind].find(hash, key, 0, key.length);
  }

  /** The index with a pattern's value set, or without the pattern when it is `undefined`. */
  with(edit: Edit, pattern: string | undefined, value: Value | undefined): HostIndex<Value> {
    let { exact, endings, beginnings } = this.#maps();
    if (pattern === undefined) return new HostIndex(exact, endings, beginnings, value);
    const { kind, key, hash } = placeOf(pattern);
    if (kind === 'exact') exact = exact.with(edit, hash, key, value);
    else if (kind === 'endings') endings = endings.with(edit, hash, key, value);
    else beginnings = beginnings.with(edit, hash, key, value);
    return new HostIndex(exact, endings, beginnings, this.#any);
  }

  /** Calls back with the value of each pattern that matches: exact, wildcards, any. */
  visit(host: string, visitor: HostVisitor<Value>): void {
    this.#visitExact(host, visitor);
    if (this.#endings.size > 0) this.#visitEndings(host, visitor);
    if (this.#beginnings.size > 0) this.#visitBeginnings(host, visitor);
    if (this.#any !== undefined) visitor.visitHost(this.#any);
  }

  #visitExact(host: string, visitor: HostVisitor<Value>): void {
    const { trie, size } = this.#exact;
    if (trie !== undefined) {
      const number = trie.numberOf(host, 0, host.length);
      if (number !== 0) visitor.visitNumber(trie, number);
    } else if (size > 0) {
      const exact = this.#exact.find(hashOf(host), host, 0, host.length);
      if (exact !== undefined) visitor.visitHost(exact);
    }
  }

  #visitEndings(host: string, visitor: HostVisitor<Value>): void {
    let hash = hashSeed;
    for (let at = host.length - 1; at > 0; at -= 1) {
      const code = host.charCodeAt(at);
      hash = addToHash(hash, code);
      const value = code === dot ? this.#endings.find(hash, host, at, host.length) : undefined;
      if (value !== undefined) visitor.visitHost(value);
    }
  }

  #visitBeginnings(host: string, visitor: HostVisitor<Value>): void {
    let hash = hashSeed;
    for (let at = 0; at < host.length - 1; at += 1) {
      const code = host.charCodeAt(at);
      hash = addToHash(hash, code);
      const value = code === dot ? this.#beginnings.find(hash, host, 0, at + 1) : undefined;
      if (value !== undefined) visitor.visitHost(value);
    }
  }

  #maps(): Record<HostPlace['kind'], TextMap<Value>> {
    return { exact: this.#exact, endings: this.#endings, beginnings: this.#beginnings };
  }
}

interface HostPlace {
  readonly kind: 'exact' | 'endings' | 'beginnings';
  readonly key: string;
  readonly hash: number;
}

function placeOf(pattern: string): HostPlace {
  if (pattern.startsWith('*')) {
    const key = pattern.slice(1);
    return { kind: 'endings', key, hash: hashFromEnd(key) };
  }
  const key = pattern.endsWith('*') ? pattern.slice(0, -1) : pattern;
  return { kind: key === pattern ? 'exact' : 'beginnings', key, hash: hashOf(key) };
}
