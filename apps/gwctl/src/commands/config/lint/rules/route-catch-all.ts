import { pathsOf } from '../linted-bundle.ts';
import type { LintRule } from '../rule.ts';

const conditions = ['hosts', 'headers', 'query', 'snis'] as const;

/** Whatever no other route takes ends up here, also what was mistyped. */
export const routeCatchAll: LintRule = {
  id: 'route-catch-all',
  description: 'A route takes every path of every host',
  severity: 'info',
  check: ({ records }) =>
    records('routes')
      .filter(({ values }) => conditions.every((field) => Object.keys(values[field] ?? {}).length === 0))
      .filter(({ values }) => {
        const isPrefix = values['path_type'] === undefined || values['path_type'] === 'prefix';
        const paths = pathsOf(values);
        return paths.length === 0 || (isPrefix && paths.some(({ path }) => path === '/'));
      })
      .map((record) => ({ record, at: '', message: 'takes whatever no other route takes' })),
};
