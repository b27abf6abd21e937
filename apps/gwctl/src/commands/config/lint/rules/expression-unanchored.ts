import type { LintRule } from '../rule.ts';
import { expressionsOf } from './expressions.ts';

/** `~/users/[0-9]+` also takes `/users/1/keys` and `/users/1x`. */
export const expressionUnanchored: LintRule = {
  id: 'expression-unanchored',
  description: 'A regular expression of a path has no $ at its end, so that it takes whatever follows',
  severity: 'warning',
  check: (bundle) =>
    expressionsOf(bundle)
      .filter(({ expression }) => !/(?:^|[^\\])(?:\\\\)*(?:\$|\.[*+])\)*$/.test(expression))
      .map(({ record, at }) => ({
        record,
        at,
        message: 'takes whatever follows: end it with $, or with .* to say so',
      })),
};
