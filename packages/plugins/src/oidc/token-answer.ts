import type { Exchange, PluginResponse, RequestEdits } from '@portcullis/plugin-runtime';
import type { TokenRefusals } from '../shared/claims/token-refusals.ts';
import { consumerOf } from '../shared/consumer-reference.ts';
import { leaveFacts } from '../shared/identity-facts.ts';
import type { VerifiedToken } from './token-verifier.ts';

/**
 * What a verified token does to its request. The subject is looked up for each request: consumers come and go, the token stays.
 */
export function tokenAnswer(
  refusals: TokenRefusals,
): (exchange: Exchange, token: VerifiedToken) => PluginResponse | RequestEdits {
  return (exchange, { isEnough, subject, headers, facts }) => {
    if (!isEnough) return refusals.insufficient(exchange, 'insufficient_scope');
    const consumer = subject === undefined ? undefined : consumerOf(exchange, subject);
    if (consumer === 'disabled') return refusals.invalid(exchange, 'consumer_disabled');
    leaveFacts(exchange, facts, consumer);
    return consumer === undefined ? { headers } : { headers, consumer };
  };
}
