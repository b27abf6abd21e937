import { expressionCostOf } from '@portcullis/resources';
import type { LintRule } from '../rule.ts';
import { expressionsOf } from './expressions.ts';

/** Instructions from which on a look-up notices an expression; a plain template has a tenth of it. */
const costMax = 400;

/** Look-ups have a budget, which such expressions use up together. */
export const expressionExpensive: LintRule = {
  id: 'expression-expensive',
  description: 'A regular expression of a path takes long to be tried',
  severity: 'warning',
  check: (bundle) =>
    expressionsOf(bundle).flatMap(({ record, at, expression }) => {
      const cost = expressionCostOf(expression, 'regex');
      if (cost <= costMax) return [];
      return [{ record, at, message: `costs ${cost} instructions a character: counted repetitions are written out` }];
    }),
};
