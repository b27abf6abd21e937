import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EntryQueue } from './entry-queue.ts';

type Step =
  | { readonly op: 'push'; readonly bytes: number }
  | { readonly op: 'drop' }
  | { readonly op: 'take'; readonly records: number; readonly bytes: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ op: fc.constant('push' as const), bytes: fc.nat(10) }),
  fc.record({ op: fc.constant('drop' as const) }),
  fc.record({ op: fc.constant('take' as const), records: fc.integer({ min: 1, max: 5 }), bytes: fc.nat(20) }),
);

/** What a plain list does, written without a thought for speed. */
function takeFrom(list: [number, number][], records: number, bytesMax: number): [number, number][] {
  const taken: [number, number][] = [];
  const bytes = () => taken.reduce((sum, [, size]) => sum + size, 0);
  while (list[0] !== undefined && taken.length < records && (taken.length === 0 || bytes() + list[0][1] <= bytesMax)) {
    taken.push(...list.splice(0, 1));
  }
  return taken;
}

describe('a queue of entries', () => {
  it('does what a plain list does', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new EntryQueue<number>();
        const list: [number, number][] = [];
        let next = 0;
        for (const one of steps) {
          if (one.op === 'push') {
            queue.push((next += 1), one.bytes);
            list.push([next, one.bytes]);
          } else if (one.op === 'drop') expect(queue.drop()).toBe(list.shift()?.[1]);
          else {
            const taken = takeFrom(list, one.records, one.bytes);
            expect(queue.take(one.records, one.bytes)).toEqual({
              entries: taken.map(([entry]) => entry),
              bytes: taken.reduce((sum, [, bytes]) => sum + bytes, 0),
            });
          }
          expect([queue.length, queue.bytes]).toEqual([list.length, list.reduce((sum, [, bytes]) => sum + bytes, 0)]);
        }
      }),
    );
  });
});
