import { accessRules } from './access-rules.ts';
import { fieldRules } from './field-rules.ts';
import type { Rule } from './rule.ts';
import { trafficRules } from './traffic-rules.ts';

/** One for each row of docs/security.md, in its order. */
export const rules: readonly Rule[] = [...fieldRules, ...accessRules, ...trafficRules];
