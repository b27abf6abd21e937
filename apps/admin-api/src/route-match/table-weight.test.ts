import { compileRouteExpression } from '@portcullis/resources';
import { routeTable, type PathRule } from '@portcullis/router';
import { expect, it } from 'vitest';
import type { ExplainedRoute, MatchingTable } from './matching-table.ts';
import { tableWeight } from './table-weight.ts';

function tableWith(parts: Partial<ExplainedRoute>): MatchingTable {
  const empty = { hosts: [], paths: [], methods: [], headers: [], query: [], plugins: [] };
  const order = { createdAtMs: 0, priority: 0, regexPriority: 0 };
  const served = { serviceId: undefined, stripPath: true, protocols: [], redirectStatus: 426 };
  const route: ExplainedRoute = { id: '1', name: 'one', ...order, ...empty, ...served, ...parts };
  const routes = routeTable([route], { compile: compileRouteExpression });
  const gateway = { id: 'g', name: 'g' };
  return { gateway, workspaceId: undefined, hosts: undefined, allowsEncodedSlashes: true, routes, instances: [] };
}

const long: PathRule = { type: 'regex', value: '/(?:ab|c){400}$' };

it.each<[string, Partial<ExplainedRoute>]>([
  ['long texts', { headers: [{ name: 'x', values: ['v'.repeat(1000)] }] }],
  ['an expression that is compiled to much', { paths: [long] }],
  ['many ways to match', { hosts: Array.from({ length: 50 }, (_, index) => `h${index}.test`) }],
])('%s weigh more', (_what, parts) => {
  expect(tableWeight(tableWith(parts))).toBeGreaterThan(tableWeight(tableWith({})) + 1000);
});

it('counts an expression once for each host: each is compiled', () => {
  const weightOf = (hosts: readonly string[]): number => tableWeight(tableWith({ hosts, paths: [long] }));
  expect(weightOf(['a', 'b'])).toBeGreaterThan(weightOf(['a']) * 1.5);
});
