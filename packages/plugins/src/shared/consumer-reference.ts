import type { ConsumerIdentity, Exchange } from '@portcullis/plugin-runtime';

/**
 * The consumer that an entry of a config names by ID, username or custom ID. Where the tenant has none of that name, the name
 * stands for it, without groups.
 * @returns `disabled` for a consumer that has to be refused, whatever the client presents
 */
export function consumerOf(exchange: Pick<Exchange, 'consumers'>, reference: string): ConsumerIdentity | 'disabled' {
  return exchange.consumers.findConsumer(reference) ?? { id: reference, groups: [] };
}
