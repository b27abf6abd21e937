import type { SharedStore } from '@portcullis/plugin-runtime';
import { Redis } from 'ioredis';

/** A shared store over a real Redis, with keys of its own. */
export interface TestStore extends SharedStore, AsyncDisposable {
  readonly redis: Redis;
  /** Every key of this store that is there now. */
  keys(): Promise<readonly string[]>;
}

/**
 * Opens one. Disposing of it deletes its keys.
 * @param url what `PORTCULLIS_TEST_REDIS_URL` says
 */
export function testStore(url: string | undefined): TestStore {
  if (url === undefined) throw new Error('there is no Redis: skip the test');
  const redis = new Redis(url, { enableAutoPipelining: true });
  const prefix = `{test:${process.pid}:${(stores += 1)}:${performance.now()}}:`;
  const keys = (): Promise<string[]> => redis.keys(`${prefix}*`);
  return {
    redis,
    run: ({ lua }, names, args) => redis.eval(lua, names.length, ...names.map((name) => prefix + name), ...args),
    keys: async () => (await keys()).map((key) => key.slice(prefix.length)),
    [Symbol.asyncDispose]: async () => {
      const left = await keys();
      if (left.length > 0) await redis.del(...left);
      redis.disconnect();
    },
  };
}

let stores = 0;
