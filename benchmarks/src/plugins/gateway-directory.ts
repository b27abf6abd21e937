import { hash } from 'node:crypto';
import type { ConsumerDirectory } from '@portcullis/plugin-runtime';

/** What of the gateway's own directory is used here. */
interface ConsumerIndex {
  put(id: string, record: object): void;
  putCredential(id: string, record: object): void;
  build(slices: object): Promise<ConsumerDirectory>;
}

/** A credential as the control plane delivers it, without what all have. */
export type Credential = { readonly type: string } & Readonly<Record<string, unknown>>;

const at = (name: string): string => new URL(`../../../apps/gateway/src/configuration/${name}`, import.meta.url).href;

/**
 * The directory that the gateway itself keeps, with one consumer for each credential. It is no public entry point and measured where
 * it lies: what it costs is what a gateway pays.
 */
export async function gatewayDirectory(credentials: Iterable<Credential>): Promise<ConsumerDirectory> {
  const { ConsumerIndex: Index } = (await import(at('consumer-index.ts'))) as {
    ConsumerIndex: new () => ConsumerIndex;
  };
  const index = new Index();
  let count = 0;
  for (const credential of credentials) {
    const id = `consumer-${(count += 1)}`;
    index.put(id, { id, username: `user-${count}`, groups: ['gold'], enabled: true });
    const record = { id: `credential-${count}`, consumer_id: id, enabled: true, ...credential };
    index.putCredential(record.id, record);
  }
  return index.build({ isOver: false, next: () => Promise.resolve() });
}

/** An API key as gateways get it. */
export function apiKey(key: string): Credential {
  return { type: 'api_key', key_hash: hash('sha256', key) };
}
