import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerStore, CacheEntry } from '../answer-store.ts';
import { entryBytes, ENTRY_BYTES_MAX, type StoreBounds } from './store-bounds.ts';
import {
  contractClock,
  entryOf,
  HOUR_MS,
  unit,
  vectorOfSeed,
  type ContractClock,
} from './contract-entries.test-support.ts';

/** How a store of a test is made. */
export interface ContractStoreOptions {
  readonly clock: ContractClock;
  /** Default `acme`. */
  readonly space?: string;
  /** Default: its own. */
  readonly bounds?: StoreBounds;
}

/** What a test of the contract works on. */
export interface ContractWorld extends AsyncDisposable {
  /** Another store over the same things, as another process or tenant has it. */
  open(options: ContractStoreOptions): AnswerStore;
}

/** What not every store has. */
export interface ContractTraits {
  /** Several stores over one database see each other's entries. */
  readonly isShared: boolean;
  /** Stores of several spaces are over one database. */
  readonly hasSpaces: boolean;
  /** It keeps to `bounds`. */
  readonly isBounded: boolean;
}

const wide: StoreBounds = { spaceEntriesMax: 1000, spaceBytesMax: 64 * 1024 * 1024, partitionEntriesMax: 1000 };

/** What holds for every store. @param begin makes an empty world */
export function describeAnswerStore(name: string, traits: ContractTraits, begin: () => Promise<ContractWorld>): void {
  const like = (store: AnswerStore, entry: CacheEntry, more: { limit?: number; similarityMin?: number } = {}) =>
    store.findLike({
      partition: entry.partition,
      vector: entry.vector ?? unit([1]),
      similarityMin: more.similarityMin ?? 0.9,
      limit: more.limit ?? 10,
    });
  const keysOf = async (found: ReturnType<typeof like>): Promise<readonly string[]> =>
    (await found).map(({ key }) => key);

  describe(`${name}: the contract of answer stores`, () => {
    it('gives nothing where nothing is', async () => {
      await using world = await begin();
      const store = world.open({ clock: contractClock() });
      expect(await store.get(entryOf({ seed: 1 }).key)).toBeUndefined();
      expect(await like(store, entryOf({ seed: 1 }))).toEqual([]);
    });

    it.each([
      ['plain', { prompt: 'How are you?', body: '{"a":1}' }],
      [
        'any character',
        { prompt: 'nul \u0000, quote \' " \\ {} [] \u2028 🦊', body: '{"a":"\\u0000 ñ 漢字 🦊 $1 %s"}' },
      ],
      ['empty prompt', { prompt: '', body: '{}' }],
      ['long', { prompt: 'x'.repeat(20_000), body: JSON.stringify({ text: 'y'.repeat(300_000) }) }],
    ])('gives what was put as it was: %s', async (_, texts) => {
      await using world = await begin();
      const clock = contractClock();
      const store = world.open({ clock });
      const entry = entryOf({ seed: 1, clock, ...texts });
      await store.put(entry);
      expect(await store.get(entry.key)).toEqual(entry.answer);
      const [found] = await like(store, entry);
      expect(found).toMatchObject({ key: entry.key, prompt: texts.prompt, answer: entry.answer });
      expect(found?.similarity).toBeCloseTo(1, 5);
    });

    it('puts an answer in the place of the one before', async () => {
      await using world = await begin();
      const clock = contractClock();
      const store = world.open({ clock });
      await store.put(entryOf({ seed: 1, clock }));
      const later = entryOf({ seed: 1, clock, body: '{"later":true}', prompt: 'later', partition: 'elsewhere' });
      await store.put(later);
      expect((await store.get(later.key))?.body).toBe('{"later":true}');
      expect((await like(store, later)).map(({ prompt }) => prompt)).toEqual(['later']);
    });

    it('never gives what is past its time', async () => {
      await using world = await begin();
      const clock = contractClock();
      const store = world.open({ clock });
      const short = entryOf({ seed: 1, clock, lastsMs: HOUR_MS });
      const long = entryOf({ seed: 2, clock, lastsMs: 3 * HOUR_MS, vector: short.vector });
      await store.put(short);
      await store.put(long);
      expect((await keysOf(like(store, short))).toSorted()).toEqual([short.key, long.key].toSorted());
      clock.ms += HOUR_MS;
      expect(await store.get(short.key)).toBeUndefined();
      expect(await keysOf(like(store, short))).toEqual([long.key]);
      clock.ms += 2 * HOUR_MS;
      expect(await keysOf(like(store, short))).toEqual([]);
    });

    it('finds the likest first, no more than are wanted, and none below the least similarity', async () => {
      await using world = await begin();
      const clock = contractClock();
      const store = world.open({ clock });
      const angles = [0.6, 0, 0.3, 1.5, 0.1];
      for (const [at, angle] of angles.entries()) {
        await store.put(entryOf({ seed: at, clock, vector: unit([Math.cos(angle), Math.sin(angle)]) }));
      }
      const asked = entryOf({ seed: 9, vector: unit([1, 0]) });
      const found = await like(store, asked, { similarityMin: Math.cos(0.4) });
      expect(found.map(({ key }) => key)).toEqual([1, 4, 2].map((seed) => entryOf({ seed }).key));
      for (const [at, { similarity }] of found.entries()) {
        expect(similarity).toBeCloseTo(Math.cos([0, 0.1, 0.3][at] ?? NaN), 5);
      }
      expect(await keysOf(like(store, asked, { limit: 2 }))).toEqual([1, 4].map((seed) => entryOf({ seed }).key));
    });

    it('compares within a partition only, and only what has a vector of the same dimensions', async () => {
      await using world = await begin();
      const clock = contractClock();
      const store = world.open({ clock });
      const asked = entryOf({ seed: 1, clock });
      await store.put(asked);
      await store.put(entryOf({ seed: 2, clock, vector: asked.vector, partition: 'another' }));
      await store.put(entryOf({ seed: 3, clock, vector: null }));
      await store.put(entryOf({ seed: 4, clock, vector: vectorOfSeed(1, 24) }));
      expect(await keysOf(like(store, asked, { similarityMin: 0 }))).toEqual([asked.key]);
      expect(await store.get(entryOf({ seed: 3 }).key)).toBeDefined();
    });

    it('keeps nothing that is too large or past its time already', async () => {
      await using world = await begin();
      const clock = contractClock();
      const store = world.open({ clock });
      const large = entryOf({ seed: 1, clock, body: JSON.stringify('x'.repeat(ENTRY_BYTES_MAX)) });
      const late = entryOf({ seed: 2, clock, lastsMs: 0 });
      await store.put(large);
      await store.put(late);
      expect(await store.get(large.key)).toBeUndefined();
      expect(await store.get(late.key)).toBeUndefined();
      expect(await like(store, large)).toEqual([]);
    });

    it('finds what comparing all of them by hand finds', { timeout: 60_000 }, async () => {
      const action = fc.record({
        seed: fc.nat(40),
        partition: fc.constantFrom('p', 'q'),
        lasts: fc.integer({ min: 1, max: 9 }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(action, { maxLength: 25 }),
          fc.nat(40),
          fc.double({ min: 0, max: 1, noNaN: true }),
          async (actions, seed, similarityMin) => {
            await using world = await begin();
            const clock = contractClock();
            const store = world.open({ clock });
            const model = new Map<string, CacheEntry>();
            for (const { seed: one, partition, lasts } of actions) {
              clock.ms += 1000;
              const entry = entryOf({ seed: one, clock, partition, lastsMs: lasts * 3000 });
              await store.put(entry);
              model.set(entry.key, entry);
            }
            const asked = entryOf({ seed, partition: 'p' });
            const wanted = [...model.values()]
              .filter(({ partition, answer }) => partition === asked.partition && answer.expiresAtMs > clock.ms)
              .map(({ key, vector }) => ({ key, similarity: dot(asked.vector, vector) }))
              .filter(({ similarity }) => Math.abs(similarity - similarityMin) > 1e-4 && similarity >= similarityMin)
              .map(({ key }) => key);
            const found = await like(store, asked, { similarityMin, limit: 100 });
            const isNear = ({ similarity }: { similarity: number }): boolean =>
              Math.abs(similarity - similarityMin) <= 1e-4;
            expect(
              found
                .filter((one) => !isNear(one))
                .map(({ key }) => key)
                .toSorted(),
            ).toEqual(wanted.toSorted());
            for (const { key, answer } of found) expect(answer).toEqual(model.get(key)?.answer);
          },
        ),
        { numRuns: 15 },
      );
    });

    if (traits.isBounded)
      describe('bounds', () => {
        it('a partition keeps its newest', async () => {
          await using world = await begin();
          const clock = contractClock();
          const store = world.open({ clock, bounds: { ...wide, partitionEntriesMax: 3 } });
          const vector = vectorOfSeed(1);
          for (let seed = 0; seed < 8; seed += 1) {
            clock.ms += 1000;
            await store.put(entryOf({ seed, clock, vector }));
          }
          const found = await keysOf(like(store, entryOf({ seed: 1, vector }), { limit: 100 }));
          expect(found.toSorted()).toEqual([7, 6, 5].map((seed) => entryOf({ seed }).key).toSorted());
        });

        it.each([
          ['entries', { ...wide, spaceEntriesMax: 4 }],
          [
            'bytes',
            { ...wide, spaceBytesMax: 4 * entryBytes(entryOf({ seed: 1, body: JSON.stringify('x'.repeat(3000)) })) },
          ],
        ])('a space keeps its newest: %s', async (_, bounds) => {
          await using world = await begin();
          const clock = contractClock();
          const store = world.open({ clock, bounds });
          const body = JSON.stringify('x'.repeat(3000));
          for (let seed = 0; seed < 9; seed += 1) {
            clock.ms += 1000;
            await store.put(entryOf({ seed, clock, partition: `p${seed}`, body }));
          }
          const kept: number[] = [];
          for (let seed = 0; seed < 9; seed += 1) {
            if ((await store.get(entryOf({ seed }).key)) !== undefined) kept.push(seed);
          }
          expect(kept).toEqual([5, 6, 7, 8]);
          expect(await keysOf(like(store, entryOf({ seed: 0, partition: 'p0' })))).toEqual([]);
        });
      });

    if (traits.isShared)
      describe('several processes', () => {
        it('see what the others put, and forget what they forgot', async () => {
          await using world = await begin();
          const clock = contractClock();
          const bounds = { ...wide, spaceEntriesMax: 3 };
          const [one, other] = [world.open({ clock, bounds }), world.open({ clock, bounds })];
          const vector = vectorOfSeed(1);
          const asked = entryOf({ seed: 0, vector });
          for (let seed = 0; seed < 6; seed += 1) {
            clock.ms += 1000;
            await one.put(entryOf({ seed, clock, vector }));
            const found = await keysOf(like(other, asked));
            const newest = [seed, seed - 1, seed - 2].filter((at) => at >= 0).map((at) => entryOf({ seed: at }).key);
            expect(found.toSorted()).toEqual(newest.toSorted());
          }
        });
      });

    if (traits.hasSpaces)
      describe('several tenants', () => {
        it('see nothing of each other', async () => {
          await using world = await begin();
          const clock = contractClock();
          const [acme, globex] = [world.open({ clock }), world.open({ clock, space: 'globex' })];
          const entry = entryOf({ seed: 1, clock });
          await acme.put(entry);
          expect(await globex.get(entry.key)).toBeUndefined();
          expect(await keysOf(like(globex, entry))).toEqual([]);
          await globex.put({ ...entry, answer: { ...entry.answer, body: '{"of":"globex"}' } });
          expect((await acme.get(entry.key))?.body).toBe(entry.answer.body);
          expect((await like(acme, entry))[0]?.answer.body).toBe(entry.answer.body);
        });
      });
  });
}

function dot(one: Float32Array | undefined, other: Float32Array | undefined): number {
  if (one === undefined || other === undefined) return -1;
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}
