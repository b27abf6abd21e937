import { textOf } from '../linted-bundle.ts';
import type { LintRule } from '../rule.ts';

const keys = ['gateways', 'services', 'routes', 'upstreams', 'consumers', 'consumer_groups', 'vaults'] as const;

/** They are two records, which people take for one. */
export const namesDifferInCase: LintRule = {
  id: 'names-differ-in-case',
  description: 'Two names of one kind differ in nothing but upper and lower case',
  severity: 'warning',
  check: ({ records, gatewayOf }) =>
    keys.flatMap((key) => {
      const field = key === 'consumers' ? 'username' : 'name';
      const firsts = new Map<string, string>();
      return records(key).flatMap((record) => {
        const name = textOf(record.values, field);
        if (name === undefined) return [];
        const folded = `${gatewayOf(record)} ${name.toLowerCase()}`;
        const first = firsts.get(folded) ?? name;
        firsts.set(folded, first);
        if (first === name) return [];
        return [{ record, at: `/${field}`, message: 'differs from another name in nothing but case' }];
      });
    }),
};
