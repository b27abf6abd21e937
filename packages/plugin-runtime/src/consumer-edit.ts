import type { ConsumerIdentity } from './exchange.ts';

/**
 * The consumer that a hook named, as it stays for the request: a frozen copy, unless it is frozen already.
 * @throws TypeError for what is no consumer
 */
export function keptConsumer(consumer: ConsumerIdentity): ConsumerIdentity {
  if (known.has(consumer)) return consumer;
  const { id, groups, username, customId, credentialId } = consumer;
  if (!isName(id) || !Array.isArray(groups)) throw new TypeError('an edit names a consumer without id or groups');
  // A copy first: what is checked and what is kept must be one.
  const copies: readonly unknown[] = [...(groups as readonly unknown[])];
  if (![username, customId, credentialId].every((text) => text === undefined || typeof text === 'string')) {
    throw new TypeError('an edit names a consumer with a name that is no text');
  }
  if (!copies.every(isName)) throw new TypeError('an edit names a consumer with a group that is no name');
  const isConstant = Object.isFrozen(consumer) && Object.isFrozen(groups);
  const kept = isConstant ? consumer : Object.freeze({ ...consumer, id, groups: Object.freeze(copies) });
  if (isConstant) known.add(consumer);
  return kept;
}

/** Consumers that cannot change any more and were found good: a directory gives the same ones for every request. */
const known = new WeakSet<ConsumerIdentity>();

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
