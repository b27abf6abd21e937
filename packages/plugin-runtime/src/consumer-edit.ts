import type { ConsumerIdentity } from './exchange.ts';

/**
 * The consumer that a hook named, as it stays for the request: a copy, unless it is frozen and cannot change.
 * @throws TypeError for what is no consumer
 */
export function keptConsumer(consumer: ConsumerIdentity): ConsumerIdentity {
  const { id, groups } = consumer;
  if (typeof id !== 'string' || !Array.isArray(groups)) {
    throw new TypeError('an edit names a consumer without id or groups');
  }
  return Object.isFrozen(consumer) && Object.isFrozen(groups) ? consumer : { ...consumer, id, groups: [...groups] };
}
