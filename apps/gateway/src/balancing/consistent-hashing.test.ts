import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpoint, setUsable } from './balancing.test-support.ts';
import { ConsistentHashing } from './consistent-hashing.ts';
import { untroubled, type Share } from './eligibility.ts';
import { hashOf } from './hash.ts';
import { scoreOf, SlotTable } from './slot-table.ts';

const slots = 4096;
const keys = Array.from({ length: 4000 }, (_, index) => hashOf(`key-${index}`));

function shareOf(host: string, weight = 100): Share {
  return { endpoint: endpoint(host), weight };
}

function homesOf(shares: readonly Share[]): (string | undefined)[] {
  const balancer = new ConsistentHashing(shares, slots);
  return keys.map((key) => balancer.choose(key, 0, undefined, untroubled)?.address.host);
}

const hosts = fc.uniqueArray(fc.ipV4(), { minLength: 2, maxLength: 8 });
const weighted = hosts.chain((list) =>
  fc.tuple(...list.map((host) => fc.integer({ min: 1, max: 200 }).map((weight) => [host, weight] as const))),
);

describe('consistent hashing', () => {
  it('moves only the keys of a target that leaves, whatever the weights and the order', () => {
    fc.assert(
      fc.property(weighted, fc.nat(), (list, seed) => {
        const shares = list.map(([host, weight]) => shareOf(host, weight));
        const gone = shares[seed % shares.length]?.endpoint.address.host;
        const before = homesOf(shares);
        const after = homesOf(shares.filter((share) => share.endpoint.address.host !== gone).toReversed());
        for (const [index, home] of before.entries()) {
          if (home !== gone) expect(after[index]).toBe(home);
        }
        expect(after.includes(gone)).toBe(false);
      }),
      { numRuns: 25 },
    );
  });

  it('moves about one nth of the keys to a target that comes', () => {
    const shares = Array.from({ length: 10 }, (_, index) => shareOf(`10.0.0.${index}`));
    const before = homesOf(shares);
    const after = homesOf([...shares, shareOf('10.0.1.1')]);
    const moved = before.filter((home, index) => after[index] !== home).length;
    expect(moved / keys.length).toBeGreaterThan(0.06);
    expect(moved / keys.length).toBeLessThan(0.13);
  });

  it('honours weights', () => {
    const homes = homesOf([shareOf('10.0.0.1', 100), shareOf('10.0.0.2', 300), shareOf('10.0.0.3', 600)]);
    const share = (host: string): number => homes.filter((home) => home === host).length / keys.length;
    expect(share('10.0.0.1')).toBeCloseTo(0.1, 1);
    expect(share('10.0.0.2')).toBeCloseTo(0.3, 1);
    expect(share('10.0.0.3')).toBeCloseTo(0.6, 1);
  });

  it('moves only the keys of who cannot be used, never chooses one of them, and takes the keys back', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), (usable) => {
        const shares = usable.map((_, index) => shareOf(`10.0.0.${index}`));
        const balancer = new ConsistentHashing(shares, slots);
        const homes = (): (string | undefined)[] =>
          keys.slice(0, 300).map((key) => balancer.choose(key, 0, undefined, untroubled)?.address.host);
        const before = homes();
        for (const [index, { endpoint: one }] of shares.entries()) setUsable(one, usable[index] === true);
        const down = new Set(usable.flatMap((isUsable, index) => (isUsable ? [] : [`10.0.0.${index}`])));
        for (const [index, home] of homes().entries()) {
          if (down.size === shares.length) expect(home).toBeUndefined();
          else expect(home !== undefined && !down.has(home)).toBe(true);
          if (!down.has(before[index] ?? '')) expect(home).toBe(before[index]);
        }
        for (const { endpoint: one } of shares) setUsable(one, true);
        expect(homes()).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });

  it('finds the only one of 500 that can be used', () => {
    const shares = Array.from({ length: 500 }, (_, index) => shareOf(`10.0.${index >> 8}.${index & 255}`));
    for (const { endpoint: one } of shares.slice(1)) setUsable(one, false);
    const balancer = new ConsistentHashing(shares, slots);
    for (const key of keys.slice(0, 50)) {
      expect(balancer.choose(key, 0, undefined, untroubled)).toBe(shares[0]?.endpoint);
    }
  });

  it('takes turns with requests that are told apart by nothing', () => {
    const balancer = new ConsistentHashing([shareOf('a'), shareOf('b')], slots);
    const order = Array.from({ length: 4 }, () => balancer.choose(undefined, 0, undefined, untroubled)?.address.host);
    expect(order).toEqual(['a', 'b', 'a', 'b']);
  });

  it('goes elsewhere with a request that was tried', () => {
    const shares = [shareOf('a'), shareOf('b'), shareOf('c')];
    const balancer = new ConsistentHashing(shares, slots);
    for (const key of keys.slice(0, 100)) {
      const first = balancer.choose(key, 0, undefined, untroubled);
      if (first === undefined) throw new Error('an endpoint');
      expect(balancer.choose(key, 0, [first], untroubled)).not.toBe(first);
    }
  });
});

describe('the owners of slots', () => {
  it('are those with the highest score', () => {
    const candidates = [1, 2, 2, 7].map((weight, index) => ({ hash: hashOf(`c${index}`), weight }));
    const table = new SlotTable(candidates, 500);
    for (let slot = 0; slot < table.size; slot += 1) {
      const scores = candidates.map((candidate) => scoreOf(candidate, slot));
      expect(scores[table.ownerOf(slot)]).toBe(Math.max(...scores));
      expect(table.ownerOf(slot)).toBe(table.ownerOf(slot));
    }
  });
});
