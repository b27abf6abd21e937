import type { Exchange } from '@portcullis/plugin-runtime';
import { traceIds } from '../shared/records/trace-parent.ts';
import type { Config } from './config.ts';
import { textHash } from './text-hash.ts';

/** Says of a request whether its records are kept. */
export type Sampler = (exchange: Exchange) => boolean;

/**
 * The sampler of a config. All strategies but `random` decide by a hash of a text and the seed: the same text is always decided alike, by
 * every gateway, and whoever is kept at one rate is kept at each higher one.
 * @param random uniform in [0, 1); for `random` without a seed
 */
export function samplerOf(settings: Config, random: () => number): Sampler {
  const { rate, seed, strategy } = settings;
  const seedBits = seed === undefined ? 0 : textHash(String(seed), 0);
  if (strategy === 'random') {
    const draw = seed === undefined ? random : seededRandom(seedBits);
    return () => draw() < rate;
  }
  const keyOf = keyReader(settings);
  const bound = rate * 2 ** 32;
  return (exchange) => textHash(keyOf(exchange), seedBits) < bound;
}

/** Numbers in [0, 1) that look random, and are the same for one seed. */
function seededRandom(seedBits: number): () => number {
  let drawn = 0;
  return () => textHash(String((drawn += 1)), seedBits) / 2 ** 32;
}

/** What a strategy decides by. Where a request has none of it, its ID does: nobody is left out for good, or in. */
function keyReader({ strategy, header_name: name }: Config): (exchange: Exchange) => string {
  const requestId = ({ facts }: Exchange): string => facts.requestId;
  const header = ({ request }: Exchange): string | undefined =>
    name === undefined ? undefined : request.headers.get(name);
  const traceId = ({ request }: Exchange): string | undefined => traceIds(request.headers.get('traceparent'))?.traceId;
  switch (strategy) {
    case 'request_id':
      return requestId;
    case 'trace_id':
      return (exchange) => traceId(exchange) ?? requestId(exchange);
    case 'consumer':
      return (exchange) => exchange.consumer?.id ?? requestId(exchange);
    case 'client_ip':
      return ({ request }) => request.clientIp;
    case 'header':
      return (exchange) => header(exchange) ?? requestId(exchange);
    default:
      return (exchange) => header(exchange) ?? traceId(exchange) ?? requestId(exchange);
  }
}
