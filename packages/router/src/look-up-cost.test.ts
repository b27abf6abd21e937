import { describe, expect, it } from 'vitest';
import { routeTable } from './build-route-table.ts';
import { LookUpCostError } from './look-up-cost.ts';
import type { PathExpression } from './path-expression.ts';
import { prefix, regex, request, rule, tableOf } from './table-samples.test-support.ts';

/** As expensive as one that the control plane takes may be, and not to be told apart by any literal. */
const costly = (index: number): string => `/rx/.*(a|b|[a-c]|ab|.c){60}.*x[${index % 10}]?[^/]$`;
const routes = [
  ...Array.from({ length: 20 }, (_, index) => rule(`costly-${index}`, { paths: [regex(costly(index))] })),
  rule('rest', { paths: [prefix('/')] }),
];

describe('a look-up among expensive expressions', () => {
  const table = tableOf(routes);

  it('finds what it finds for a path of usual length', () => {
    expect(table.match(request({ path: '/rx/ab' }))?.route.id).toBe('rest');
    expect(table.match(request({ path: `/rx/${'a'.repeat(70)}x/` }))?.route.id).toBe('rest');
  });

  it('has no result for one that would take too long: a route that was not asked might be the one', () => {
    expect(() => table.match(request({ path: `/rx/${'ab'.repeat(7000)}` }))).toThrow(LookUpCostError);
    expect(table.match(request({ path: `/other/${'ab'.repeat(7000)}` }))?.route.id).toBe('rest');
  });

  it('says when it is only the explanation that goes too far', () => {
    const early = tableOf([rule('first', { priority: 1, paths: [prefix('/rx')] }), ...routes]);
    const long = request({ path: `/rx/${'ab'.repeat(7000)}` });
    expect(early.match(long)?.route.id).toBe('first');
    expect(() => early.explain(long)).toThrow(expect.objectContaining({ isExplaining: true }));
    expect(() => table.explain(long)).toThrow(expect.objectContaining({ isExplaining: false }));
  });

  it('runs no expression whose ending the path does not have', () => {
    let runs = 0;
    const compile = (): PathExpression => ({
      matcher: () => ({ lookingAt: () => (runs += 1) > 0, end: () => 1 }),
      programSize: () => 1,
    });
    const endings = Array.from({ length: 1000 }, (_, index) =>
      rule(`e${index}`, { paths: [regex(`/api/[a-z]+-${index}$`)] }),
    );
    const found = routeTable(endings, { compile }).match(request({ path: '/api/report-517' }));
    expect([found?.route.id, runs]).toEqual(['e517', 1]);
  });
});
