import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Edit } from './edit.ts';
import { TextTrie } from './text-trie.ts';

/** Keys that begin alike, that are each other's beginnings, that differ in characters far apart, and long ones. */
const anyKey = fc.oneof(
  fc
    .array(fc.constantFrom('a', 'b', '/', 'abc', 'z', 'é', '\u{1F600}', '\0', '￿'), { maxLength: 6 })
    .map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom(4094, 4095, 4096, 9000), fc.constantFrom('', 'x', 'y'))
    .map(([length, end]) => 'l'.repeat(length) + end),
  fc.nat({ max: 300 }).map((number) => `/service-${number}/items`),
);

interface Value {
  readonly number: number;
}

/** All that a trie says, and what it finds for some keys. */
function saidBy(trie: TextTrie<Value>, keys: readonly string[]): unknown {
  return [trie.size, [...trie.entries()], keys.map((key) => trie.find(`<${key}>`, 1, key.length + 1))];
}

/** The same of a map. */
function expected(map: ReadonlyMap<string, Value>, keys: readonly string[]): unknown {
  const entries = [...map].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return [map.size, entries, keys.map((key) => map.get(key))];
}

it('is a map, and leaves those that it was made from as they were', () => {
  const property = fc.property(
    fc.array(fc.array(fc.tuple(anyKey, fc.boolean()), { maxLength: 30 }), { maxLength: 8 }),
    fc.array(anyKey, { maxLength: 5 }),
    (edits, others) => {
      let trie = new TextTrie<Value>();
      const map = new Map<string, Value>();
      const past: { readonly trie: TextTrie<Value>; readonly map: ReadonlyMap<string, Value> }[] = [];
      for (const changes of edits) {
        const edit = new Edit();
        for (const [key, isPut] of changes) {
          const value = { number: past.length };
          trie = trie.with(edit, key, isPut ? value : undefined);
          if (isPut) map.set(key, value);
          else map.delete(key);
        }
        past.push({ trie, map: new Map(map) });
      }
      for (const one of past) {
        const keys = [...one.map.keys(), ...others];
        expect(saidBy(one.trie, keys)).toEqual(expected(one.map, keys));
      }
    },
  );
  fc.assert(property, { numRuns: 300 });
});

it('may be changed in two ways at the same time, step by step', () => {
  const first = new Edit();
  const common = ['a', 'ab', 'abc'].reduce((trie, key) => trie.with(first, key, { number: 0 }), new TextTrie<Value>());
  const [left, right] = [new Edit(), new Edit()];
  let [one, other] = [common, common];
  for (let index = 0; index < 500; index += 1) {
    one = one.with(left, `ab${index}`, { number: index });
    other = other.with(right, `ab${index}`, { number: -index }).with(right, 'abc', undefined);
  }
  expect([common.size, one.size, other.size]).toEqual([3, 503, 502]);
  expect([one.find('ab17', 0, 4)?.number, other.find('ab17', 0, 4)?.number, common.find('ab17', 0, 4)]).toEqual([
    17,
    -17,
    undefined,
  ]);
  expect([one.find('abc', 0, 3)?.number, other.find('abc', 0, 3)]).toEqual([0, undefined]);
});

it('keeps no more than twice of what it needs, however often it is changed', () => {
  let trie = new TextTrie<Value>();
  for (let index = 0; index < 1000; index += 1) trie = trie.with(new Edit(), `/p${index}/items`, { number: index });
  const before = trie.arena.cells.length;
  for (let index = 0; index < 20_000; index += 1) {
    const key = `/p${index % 1000}/items`;
    trie = index % 3 === 0 ? trie.with(new Edit(), key, undefined) : trie;
    trie = trie.with(new Edit(), key, { number: index }).with(new Edit(), `/once/${index}`, { number: index });
    trie = trie.with(new Edit(), `/once/${index}`, undefined);
  }
  expect(trie.size).toBe(1000);
  expect(trie.arena.cells.length).toBeLessThanOrEqual(before * 4);
  expect(trie.arena.values.length).toBeLessThanOrEqual(2 * 1000 + 64 + 1);
  expect(trie.arena.characters.length).toBeLessThanOrEqual(2 * (64 * 1000 + 4096) * 2);
});

it('takes keys of which each is the beginning of the next', () => {
  const edit = new Edit();
  let trie = new TextTrie<Value>();
  for (let length = 1; length <= 2000; length += 1) trie = trie.with(edit, 'n'.repeat(length), { number: length });
  expect([trie.size, trie.find('n'.repeat(1234), 0, 1234)?.number]).toEqual([2000, 1234]);
});
