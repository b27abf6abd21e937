import type { RouterError } from '../errors/router-error.ts';
import { JUDGED_LENGTH_MAX } from './judge-texts.ts';
import { JUDGED_TEXTS_MAX } from './text-places.ts';

/* Why requests are refused before any attempt. */

export const unknownModel: RouterError = {
  code: 'model_not_found',
  message: 'No route and no default provider has this model',
  param: 'model',
};
export const forbiddenModel: RouterError = {
  code: 'model_not_allowed',
  message: 'The policy of this consumer does not allow this model',
  param: 'model',
};
export const unjudged: RouterError = {
  code: 'request_too_large',
  message: `The request has more text than guards judge: ${JUDGED_LENGTH_MAX} characters, ${JUDGED_TEXTS_MAX} texts`,
};
export const unreadable: RouterError = {
  code: 'invalid_request_error',
  message: 'Prompts and inputs must be text here, and no token numbers: guards cannot read those',
};
export const overRate: RouterError = { code: 'rate_limit_exceeded', message: 'Too many requests for this model' };
export const overBudget: RouterError = { code: 'token_budget_exceeded', message: 'The token budget is used up' };
export const noLimits: RouterError = { code: 'limits_unavailable', message: 'Limits cannot be checked now' };
