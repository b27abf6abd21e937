import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { DueQueue, type Due } from './due-queue.ts';

const items = (count: number): Due[] => Array.from({ length: count }, () => ({ dueMs: Infinity, place: -1 }));

it('gives the one that is due first, whatever was put in, moved and taken out before', () => {
  const step = fc.record({ item: fc.nat({ max: 19 }), dueMs: fc.option(fc.nat({ max: 50 })) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const all = items(20);
      const queue = new DueQueue<Due>();
      const oracle = new Map<Due, number>();
      for (const { item: index, dueMs } of steps) {
        const item = all[index] as Due;
        if (dueMs === null) {
          queue.remove(item);
          oracle.delete(item);
        } else {
          queue.set(item, dueMs);
          oracle.set(item, dueMs);
        }
        expect(queue.size).toBe(oracle.size);
        expect(queue.first()?.dueMs).toBe(oracle.size === 0 ? undefined : Math.min(...oracle.values()));
      }
      const sorted = [...oracle.values()].toSorted((left, right) => left - right);
      for (const dueMs of sorted) {
        const first = queue.first() as Due;
        expect(first.dueMs).toBe(dueMs);
        queue.set(first, Infinity);
      }
      expect(queue.size).toBe(0);
    }),
  );
});
