import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Placed, PlacedItems } from './placed-items.ts';

const shown = <Item extends Placed>(items: PlacedItems<Item>): readonly Item[] => {
  const all: Item[] = [];
  items.forEach((item) => void all.push(item));
  return all;
};

it('keeps what was added and not deleted, each once, whatever comes and goes', () => {
  const step = fc.record({ isAdded: fc.boolean(), index: fc.nat(7) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const all = Array.from({ length: 8 }, (_, name) => ({ name, place: -1 }));
      const items = new PlacedItems<(typeof all)[number]>();
      const kept = new Set<(typeof all)[number]>();
      for (const { isAdded, index } of steps) {
        const item = all[index];
        if (item === undefined) continue;
        if (isAdded) items.add(item);
        else items.delete(item);
        if (isAdded) kept.add(item);
        else kept.delete(item);
      }
      expect(items.size).toBe(kept.size);
      expect(new Set(shown(items))).toEqual(kept);
      expect(shown(items)).toHaveLength(kept.size);
    }),
  );
});

it('shows none that went while the others were shown', () => {
  const [one, other] = [{ place: -1 }, { place: -1 }];
  const items = new PlacedItems<Placed>();
  items.add(one);
  items.add(other);
  const seen: Placed[] = [];
  items.forEach((item) => {
    seen.push(item);
    items.delete(one);
    items.delete(other);
  });
  expect(seen).toEqual([one]);
  expect(items.size).toBe(0);
});

it('uses places again: there are as many as were ever needed at once', () => {
  const items = new PlacedItems<Placed>();
  const places = Array.from({ length: 100 }, () => {
    const item = { place: -1 };
    items.add(item);
    const { place } = item;
    items.delete(item);
    return place;
  });
  expect(new Set(places)).toEqual(new Set([0]));
});
