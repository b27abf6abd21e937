import { hash } from 'node:crypto';
import type { Exchange } from '@portcullis/plugin-runtime';
import { clientNetwork } from '../shared/client-network.ts';
import { bucketSource, type BucketSource, type Config } from './config.ts';

/** A percentage has two decimals: so many buckets are told apart. */
export const BUCKETS = 10_000;

/** The bucket of a request: 0 to 9999. */
export type BucketOf = (exchange: Exchange) => number;

/**
 * Compiles how buckets are made: the first 32 bits of SHA-256 over salt, seed, kind and key, each with its length, modulo 10,000. So the
 * same key is in the same bucket in every gateway, on every day, and under every percentage. A request without what the config names (no
 * consumer, no such header) counts by its client address.
 * @param random uniform in [0, 1)
 */
export function compileBucket(config: Config, random: () => number): BucketOf {
  const source = bucketSource(config);
  if (source === 'random') return () => Math.floor(random() * BUCKETS);
  const keyOf = KEYS[source];
  const header = config.bucket_header_name ?? config.header_name ?? '';
  const prefix = sized(config.bucket_salt) + sized(config.seed === undefined ? '' : String(config.seed));
  return (exchange) => {
    const key = keyOf(exchange, header);
    const isFound = key !== undefined && key !== '';
    return bucketOfText(prefix + (isFound ? sized(source) + key : sized('ip') + addressOf(exchange)));
  };
}

/** See {@link compileBucket}. 2^32 is no multiple of 10,000: some buckets are likelier than others, by 1 in 400,000. */
export function bucketOfText(text: string): number {
  return hash('sha256', text, 'buffer').readUInt32BE(0) % BUCKETS;
}

/** How many buckets are canary. More percent take more of them in, and none out. */
export function canaryBuckets(percentage: number): number {
  return Math.round((percentage * BUCKETS) / 100);
}

const KEYS: Readonly<
  Record<Exclude<BucketSource, 'random'>, (exchange: Exchange, header: string) => string | undefined>
> = {
  consumer: ({ consumer }) => consumer?.id,
  credential: ({ consumer }) => consumer?.credentialId,
  ip: addressOf,
  header: ({ request }, header) => request.headers.get(header),
  path: ({ request }) => request.path,
  request_id: ({ facts }) => facts.requestId,
};

function addressOf({ request }: Exchange): string {
  return clientNetwork(request.clientIp);
}

/** No text can be taken for the end of one part and the beginning of the next. */
function sized(text: string): string {
  return `${text.length}:${text}`;
}
