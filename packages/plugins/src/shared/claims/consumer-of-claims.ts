import type { ConsumerIdentity, Exchange } from '@portcullis/plugin-runtime';
import type { Claims } from './claim-value.ts';

/** Longest claim that is taken for a name of a consumer, in characters. */
const REFERENCE_LENGTH_MAX = 256;

/**
 * Who the client is by claims that somebody trusted issued: the first consumer of the tenant that one of the claims names by ID,
 * username or custom ID; where the tenant has none of them, the first claim stands for itself, without groups.
 * @param names of claims, in order. Only such as the issuer assigns: who may choose a claim's value would choose who to be
 * @returns `undefined` when none of the claims is a text, `disabled` when that first consumer has to be refused
 */
export function consumerOfClaims(
  { consumers }: Pick<Exchange, 'consumers'>,
  claims: Claims,
  names: readonly string[],
): ConsumerIdentity | 'disabled' | undefined {
  let first: string | undefined;
  for (const name of names) {
    const reference = Object.hasOwn(claims, name) ? claims[name] : undefined;
    if (typeof reference !== 'string' || reference === '' || reference.length > REFERENCE_LENGTH_MAX) continue;
    const consumer = consumers.findConsumer(reference);
    if (consumer !== undefined) return consumer;
    first ??= reference;
  }
  return first === undefined ? undefined : { id: first, groups: [] };
}
