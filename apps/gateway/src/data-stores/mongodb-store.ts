import type { DataCallOptions, DocumentCollection, DocumentStore } from '@portcullis/plugin-runtime';
import { type Collection, type Db, type Document, MongoClient } from 'mongodb';
import { BoundedCalls } from './bounded-call.ts';
import type { ConnectionWatch } from './connection-watch.ts';
import type { MongoAddress } from './data-store-address.ts';

/** Connections of one process to each server. */
const connectionsMax = 8;

/** How long a connection may take to come about, and a server to be found that may be asked. */
const connectTimeoutMs = 2000;

/** A connection on which nothing comes for so long while an answer is due is given up. */
const silenceMs = 10_000;

interface Kept extends Document {
  readonly _id: string;
}

/** MongoDB for caches. It connects when it is asked first. */
export class MongoStore implements DocumentStore {
  readonly #client: MongoClient;
  readonly #database: Db;
  readonly #calls: BoundedCalls;

  /** @throws the driver's error for an address that it does not read */
  constructor({ url, database }: MongoAddress, watch: ConnectionWatch) {
    this.#client = new MongoClient(url, {
      appName: 'portcullis-gateway',
      maxPoolSize: connectionsMax,
      connectTimeoutMS: connectTimeoutMs,
      serverSelectionTimeoutMS: connectTimeoutMs,
      socketTimeoutMS: silenceMs,
      ignoreUndefined: true,
    });
    // Its own monitors tell of every try to connect; whoever calls hears of it.
    this.#client.on('error', () => undefined);
    this.#database = this.#client.db(database);
    this.#calls = new BoundedCalls((error) => watch.note(error));
  }

  collection(name: string): DocumentCollection {
    const collection = this.#database.collection<Kept>(name);
    const calls = this.#calls;
    return {
      aggregate: (pipeline, options) =>
        calls.run(() => collection.aggregate([...pipeline], within(options)).toArray(), options),
      replace: async (document, options) => {
        const { _id, ...fields } = document;
        await calls.run(() => collection.replaceOne({ _id }, fields, { ...within(options), upsert: true }), options);
      },
      remove: async (filter, options) => {
        await calls.run(() => collection.deleteMany(filter, within(options)), options);
      },
      ensureIndex: async (keys, { expireAfterSeconds, ...options }) => {
        await calls.run(() => makeIndex(collection, keys, expireAfterSeconds, options), options);
      },
    };
  }

  async close(): Promise<void> {
    await this.#client.close(true);
  }
}

/** The server ends what takes longer. */
function within({ timeoutMs }: DataCallOptions): { readonly maxTimeMS: number } {
  return { maxTimeMS: timeoutMs };
}

function makeIndex(
  collection: Collection<Kept>,
  keys: Readonly<Record<string, 1 | -1>>,
  expireAfterSeconds: number | undefined,
  options: DataCallOptions,
): Promise<string> {
  return collection.createIndex(keys, {
    ...within(options),
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
  });
}
