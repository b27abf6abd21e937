import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Lifetimes } from './lifetimes.ts';
import { pageEntries, SharedMap } from './shared-map.ts';

describe('a shared map', () => {
  it('reads like a map that was copied at each change, also the earlier ones', () => {
    const change = fc.array(fc.tuple(fc.nat(20), fc.option(fc.nat(), { nil: undefined })), { maxLength: 400 });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        let shared = new SharedMap<number>();
        let plain = new Map<string, number>();
        const all = [{ shared, plain }];
        for (const edits of changes) {
          const edit = shared.edit();
          plain = new Map(plain);
          for (const [index, [factor, value]] of edits.entries()) {
            const key = `${factor * index}`;
            if (value === undefined) plain.delete(key);
            else plain.set(key, value);
            if (value === undefined) edit.delete(key);
            else edit.set(key, value);
            expect(edit.get(key)).toBe(value);
          }
          shared = edit.finish();
          all.push({ shared, plain });
        }
        for (const one of all) {
          expect(one.shared.size).toBe(one.plain.size);
          for (let key = 0; key < 8000; key += 7) expect(one.shared.get(`${key}`)).toBe(one.plain.get(`${key}`));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('grows by pages and loses nothing, and an empty one finds nothing', () => {
    const edit = new SharedMap<number>().edit();
    const count = pageEntries * 37;
    for (let key = 0; key < count; key += 1) edit.set(`k${key}`, key);
    const map = edit.finish();
    for (let key = 0; key < count; key += 1) if (map.get(`k${key}`) !== key) expect(map.get(`k${key}`)).toBe(key);
    const emptied = map.edit();
    for (let key = 0; key < count; key += 1) emptied.delete(`k${key}`);
    expect([map.size, emptied.finish().size, emptied.finish().get('k1')]).toEqual([count, 0, undefined]);
  });
});

describe('lifetimes', () => {
  it('free what no live generation has, whatever else lives on', () => {
    const lifetimes = new Lifetimes();
    const freed: string[] = [];
    const retire = (name: string, born: number, died: number): void =>
      lifetimes.retire({ born, died, free: () => void freed.push(name) });
    for (const generation of [1, 2, 3]) lifetimes.begin(generation);
    retire('of 1', 1, 1);
    retire('of 1 and 2', 1, 2);
    retire('of 3', 3, 3);
    retire('of a build that failed', 4, 4);
    expect(freed).toEqual(['of a build that failed']);
    lifetimes.end(2);
    expect(freed).toHaveLength(1);
    lifetimes.end(3);
    expect(freed.at(-1)).toBe('of 3');
    lifetimes.end(1);
    expect(freed.toSorted()).toEqual(['of 1', 'of 1 and 2', 'of 3', 'of a build that failed']);
  });

  it('tell what no new request gets once another generation serves, before it is freed', () => {
    const lifetimes = new Lifetimes();
    const told: string[] = [];
    const retire = (name: string, born: number, died: number): void => {
      const tell = (what: string) => () => void told.push(`${name} ${what}`);
      lifetimes.retire({ born, died, leave: tell('left'), free: tell('freed') });
    };
    lifetimes.begin(1);
    retire('old', 1, 1);
    expect(told).toEqual([]);
    // Generation 2 was given up, so what it has goes at once, and the old one goes on as it is.
    retire('never served', 2, 2);
    expect(told.splice(0)).toEqual(['never served left', 'never served freed']);
    lifetimes.begin(3);
    expect(told.splice(0)).toEqual(['old left']);
    lifetimes.end(1);
    lifetimes.begin(4);
    expect(told).toEqual(['old freed']);
  });
});
