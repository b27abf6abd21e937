import { compileRouteExpression, readRoutePath } from '@portcullis/resources';
import { LookUpCostError, routeRuleOf, routeTable } from '@portcullis/router';
import type { RouteFields, RouteRule, RouteTable } from '@portcullis/router';
import { isEnabled, textOf, textsOf } from '../linted-bundle.ts';
import type { LintRecord } from '../linted-bundle.ts';
import type { LintRule, RuleFinding } from '../rule.ts';
import { coveringPart } from './route-coverage.ts';
import { samplesOf } from './route-samples.ts';

/** The router itself is asked who takes a route's requests; what it answers is only believed where it is so for all of them. */
export const routeShadowed: LintRule = {
  id: 'route-shadowed',
  description: 'A route never gets a request, because others take all of them',
  severity: 'warning',
  check: ({ records, gatewayOf }) => {
    const routes = records('routes').filter(({ values }) => isEnabled(values));
    return [...Map.groupBy(routes, gatewayOf).values()].flatMap(shadowedAmong);
  },
};

function shadowedAmong(records: readonly LintRecord[]): readonly RuleFinding[] {
  const rules = records.map(ruleOf);
  const table = tableOf(rules);
  return rules.flatMap((rule, index): readonly RuleFinding[] => {
    const record = records[index];
    const samples = samplesOf(rule);
    const winners = samples.map((sample) => {
      const winner = winnerOf(table, sample.request);
      const part = winner === undefined || winner.id === rule.id ? undefined : coveringPart(winner, rule, sample);
      // It may have won with a host or path that is more special than those which take all of it.
      return part !== undefined && winnerOf(tableOf([rule, part]), sample.request)?.id === part.id
        ? part.name
        : undefined;
    });
    if (record === undefined || winners.length === 0 || winners.includes(undefined)) return [];
    const names = [...new Set(winners)].slice(0, 3).join(', ');
    return [{ record, at: '', message: `never gets a request: ${names} takes them first` }];
  });
}

function tableOf(rules: readonly RouteRule[]): RouteTable<RouteRule> {
  return routeTable(rules, { compile: compileRouteExpression });
}

function winnerOf(
  table: RouteTable<RouteRule>,
  request: Parameters<RouteTable<RouteRule>['match']>[0],
): RouteRule | undefined {
  try {
    return table.match(request)?.route;
  } catch (error) {
    if (error instanceof LookUpCostError) return undefined;
    throw error;
  }
}

/** Ages are not known yet: routes of a file count as equally old, and their names decide. */
function ruleOf({ values, pointer }: LintRecord): RouteRule {
  const alternatives = (field: string) => (values[field] ?? {}) as RouteFields['headers'];
  const number = (field: string): number => (typeof values[field] === 'number' ? values[field] : 0);
  return routeRuleOf(
    {
      id: pointer,
      name: textOf(values, 'name') ?? '',
      created_at_ms: 0,
      priority: number('priority'),
      regex_priority: number('regex_priority'),
      hosts: textsOf(values, 'hosts').map((host) => host.toLowerCase()),
      path: textOf(values, 'path'),
      paths: textsOf(values, 'paths'),
      path_type: (textOf(values, 'path_type') ?? 'prefix') as RouteFields['path_type'],
      methods: textsOf(values, 'methods'),
      headers: alternatives('headers'),
      query: alternatives('query'),
      snis: textsOf(values, 'snis'),
    },
    readRoutePath,
    () => {},
  );
}
