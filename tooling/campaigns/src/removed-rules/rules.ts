import { fieldRules } from './field-rules.ts';
import { generalRules } from './general-rules.ts';
import type { Rule } from './rule.ts';

/** One for each row of docs/security.md, in its order. */
export const rules: readonly Rule[] = [...fieldRules, ...generalRules];
