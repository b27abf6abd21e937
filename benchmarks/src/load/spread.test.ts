import { describe, expect, it } from 'vitest';
import { routeTable } from '../gateway-routes/route-table.ts';
import { nextSpread, spreadTarget } from './spread.ts';

describe('a load spread over routes', () => {
  it.each([1, 2, 100, 10_000, 100_000])('asks for each of %i routes before it asks for one again', (routes) => {
    const asked = new Set<number>();
    let at = 0;
    for (let count = 0; count < routes; count += 1) asked.add((at = nextSpread(at, routes)));
    expect(asked.size).toBe(routes);
  });

  it('has a route for each target, of three kinds', () => {
    const table = routeTable(6);
    expect(table.map(({ path_type: type, hosts }) => hosts ?? type)).toEqual([
      'prefix',
      'exact',
      ['host-2.bench.test'],
      'prefix',
      'exact',
      ['host-5.bench.test'],
    ]);
    table.forEach(({ paths }, index) => expect(spreadTarget(index).path.startsWith(paths[0] ?? '?')).toBe(true));
  });
});
