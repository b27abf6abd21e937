import type { ConsumerIdentity, Exchange } from '@portcullis/plugin-runtime';

/**
 * The consumer that an entry of a config names by ID, username or custom ID. Where the tenant has none of that name, the name
 * stands for it, without groups.
 */
export function consumerOf(exchange: Pick<Exchange, 'consumers'>, reference: string): ConsumerIdentity {
  return exchange.consumers.findConsumer(reference) ?? { id: reference, groups: [] };
}
