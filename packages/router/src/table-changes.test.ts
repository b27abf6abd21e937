import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildRouteTable } from './build-route-table.ts';
import { orderedRoutes } from './ordered-routes.ts';
import type { RouteRule } from './route-rule.ts';
import type { RouteTable } from './route-table.ts';
import {
  anyRequest,
  anyRule,
  anyRules,
  options,
  prefix,
  regex,
  request,
  rule,
  tableOf,
} from './table-samples.test-support.ts';

/** An edit: a rule to put, or the ID of one to remove. */
const anyEdit = fc.oneof(
  fc.record({ id: fc.integer({ min: 0, max: 9 }), put: anyRule }),
  fc.record({ id: fc.integer({ min: 0, max: 9 }), put: fc.constant(undefined) }),
);

describe('a changed table', () => {
  it('finds what a table built anew finds, after any sequence of edits, and leaves the tables before as they were', () => {
    const property = fc.property(
      fc.array(fc.array(anyEdit, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
      fc.array(anyRequest, { minLength: 1, maxLength: 6 }),
      (batches, requests) => {
        const routes = new Map<string, RouteRule>();
        let table = tableOf<RouteRule>([]);
        const past: { readonly table: RouteTable<RouteRule>; readonly found: readonly (string | undefined)[] }[] = [];
        const foundIn = (one: RouteTable<RouteRule>) => requests.map((facts) => one.match(facts)?.route.id);
        for (const batch of batches) {
          const edits = new Map(batch.map(({ id, put }) => [String(id), put && { ...put, id: String(id) }]));
          for (const [id, put] of edits) {
            if (put) routes.set(id, put);
            else routes.delete(id);
          }
          const upsert = [...edits.values()].filter((put) => put !== undefined);
          table = table.with({ upsert, remove: [...edits].flatMap(([id, put]) => (put ? [] : [id])) });
          past.push({ table, found: foundIn(tableOf([...routes.values()])) });
        }
        expect(table.size).toBe(routes.size);
        for (const one of past) expect(foundIn(one.table)).toEqual(one.found);
      },
    );
    fc.assert(property, { numRuns: 300 });
  }, 60_000);

  it('holds after thousands of changes what thousands of changes have left', () => {
    const named = (index: number): RouteRule =>
      rule(`r${index}`, { hosts: [`h${index % 300}.test`], paths: [prefix(`/p${index}`)] });
    let table = tableOf(Array.from({ length: 3000 }, (_, index) => named(index)));
    for (let index = 0; index < 3000; index += 1) {
      if (index % 3 !== 0) table = table.with({ remove: [`r${index}`] });
    }
    expect(table.size).toBe(1000);
    const left = Array.from({ length: 3000 }, (_, index) => index).filter(
      (index) => table.match(request({ host: `h${index % 300}.test`, path: `/p${index}/x` })) !== undefined,
    );
    expect(left).toEqual(Array.from({ length: 1000 }, (_, index) => index * 3));
  });

  it('is not half made when an expression does not compile', () => {
    const table = tableOf([rule('good', { paths: [prefix('/a')] })]);
    const bad = { upsert: [rule('good', { paths: [prefix('/b')] }), rule('bad', { paths: [regex('/a|(')] })] };
    expect(() => table.with(bad)).toThrow('missing');
    expect([table.size, table.match(request({ path: '/a' }))?.route.id]).toEqual([1, 'good']);
    expect(table.match(request({ path: '/b' }))).toBeUndefined();
  });
});

describe('a table built in slices', () => {
  it('pauses whenever the caller says that a slice is over, and finds what the other one finds', async () => {
    let pauses = 0;
    let sinceLast = 0;
    const routes = Array.from({ length: 5000 }, (_, index) => rule(`r${index}`, { paths: [prefix(`/p${index}`)] }));
    const table = await buildRouteTable(routes, {
      ...options,
      isSliceOver: () => (sinceLast += 1) === 100,
      pause: async () => {
        pauses += 1;
        sinceLast = 0;
      },
    });
    expect(pauses).toBe(50);
    expect([table.size, table.match(request({ path: '/p4999/x' }))?.route.id]).toEqual([5000, 'r4999']);
    expect(table.get('r17')).toBe(routes[17]);
  });
});

describe('the order of a table', () => {
  it('is one and the same whatever order the routes were put in, and the first that matches wins', async () => {
    const property = fc.asyncProperty(
      anyRules.chain((rules) =>
        fc.tuple(fc.constant(rules), fc.shuffledSubarray([...rules], { minLength: rules.length })),
      ),
      anyRequest,
      async ([rules, shuffled], facts) => {
        const [one, other] = [tableOf(rules), tableOf(shuffled)];
        const order = await orderedRoutes(one, async () => undefined);
        expect(await orderedRoutes(other, async () => undefined)).toEqual(order);
        expect(other.match(facts)?.route).toEqual(one.match(facts)?.route);
        const { candidates, match } = one.explain(facts, { candidates: 100 });
        expect(candidates.find(({ outcome }) => outcome === 'won')?.route).toBe(match?.route);
        expect(candidates.find(({ unmet }) => unmet.length === 0)?.route).toBe(match?.route);
        for (const { outcome, lostBy } of candidates) expect(outcome === 'lost').toBe(lostBy !== undefined);
      },
    );
    await fc.assert(property, { numRuns: 200 });
  }, 60_000);

  it('of thousands is sorted in slices', async () => {
    let pauses = 0;
    const routes = Array.from({ length: 3500 }, (_, index) => rule(`r${index}`, { priority: (index * 7919) % 3500 }));
    const order = await orderedRoutes(tableOf(routes), async () => void (pauses += 1));
    expect(order.map(({ priority }) => priority)).toEqual(Array.from({ length: 3500 }, (_, index) => 3499 - index));
    expect(pauses).toBeGreaterThanOrEqual(6);
  });
});
