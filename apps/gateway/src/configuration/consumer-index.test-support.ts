import { hash } from 'node:crypto';
import type { ConsumerDirectory } from '@portcullis/plugin-runtime';
import { ConsumerIndex } from './consumer-index.ts';
import type { ConsumerRecord, CredentialRecord } from './records.ts';
import type { TimeSlices } from './time-slices.ts';

type Slices = Pick<TimeSlices, 'isOver' | 'next'>;
const oneSlice: Slices = { isOver: false, next: async () => undefined };

/** An index that takes records of both families. */
export interface IndexBench {
  put(...records: readonly (ConsumerRecord | CredentialRecord)[]): void;
  drop(family: 'consumers' | 'consumer_credentials', id: string): void;
  build(slices?: Slices): Promise<ConsumerDirectory>;
}

/** An index of its own. */
export function indexBench(): IndexBench {
  const index = new ConsumerIndex();
  return {
    put(...records) {
      for (const record of records) {
        if ('consumer_id' in record) index.putCredential(record.id, record);
        else index.put(record.id, record);
      }
    },
    drop(family, id) {
      if (family === 'consumers') index.put(id, undefined);
      else index.putCredential(id, undefined);
    },
    // The index asks the clock and pauses, and nothing more.
    build: (slices = oneSlice) => index.build(slices as TimeSlices),
  };
}

/** A consumer that is called by its ID. */
export function consumer(id: string, parts: Partial<ConsumerRecord> = {}): ConsumerRecord {
  return { id, username: id, groups: [], enabled: true, ...parts };
}

/** An API key as it is delivered. */
export function apiKey(id: string, consumerId: string, key: string, parts: object = {}): CredentialRecord {
  return { id, consumer_id: consumerId, type: 'api_key', enabled: true, key_hash: hash('sha256', key), ...parts };
}

/** A basic credential whose hash no password fits. */
export function basic(id: string, consumerId: string, username: string, parts: object = {}): CredentialRecord {
  const password_hash = `$argon2id$v=19$of ${id}`;
  return { id, consumer_id: consumerId, type: 'basic', enabled: true, username, password_hash, ...parts };
}

/** A credential that signs requests. */
export function hmac(id: string, consumerId: string, keyId: string, parts: object = {}): CredentialRecord {
  const material = { secret: `of ${id}`, algorithms: ['hmac-sha256'] };
  return { id, consumer_id: consumerId, type: 'hmac', enabled: true, key_id: keyId, ...material, ...parts };
}

/** A credential of tokens. */
export function jwt(id: string, consumerId: string, key: string, parts: object = {}): CredentialRecord {
  const material = { algorithm: 'HS256', secret: `of ${id}` };
  return { id, consumer_id: consumerId, type: 'jwt', enabled: true, key, ...material, ...parts };
}
