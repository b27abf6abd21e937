import type { SharedStore } from '@portcullis/plugin-runtime';
import { builtInPlugins } from '@portcullis/plugins';
import { hasRedis, startRedis } from '@portcullis/testkit';
import { caseRun } from './case-run.ts';
import type { Contender } from './contender.ts';

/** The gateway's own way to Redis, as far as it is used here. */
interface ProcessStore {
  readonly isConnected: boolean;
  storeOf(tenantId: string): SharedStore;
  close(): void;
}

type StoreClass = new (parts: object) => ProcessStore;

const requests = 500;
const script = { name: 'nothing', lua: "return redis.call('PING')" };

/**
 * A limiter that asks Redis about each request, and a script that does nothing there: one round trip of the same connection. None where no
 * server is installed. Requests go one after the other, and what counts is the time until the answer.
 */
export async function redisContenders(): Promise<{
  readonly contenders: readonly (readonly [string, Contender])[];
  close(): Promise<void>;
}> {
  if (!hasRedis) return { contenders: [], close: () => Promise.resolve() };
  const server = await startRedis();
  const at = new URL('../../../apps/gateway/src/shared-store/redis-store.ts', import.meta.url).href;
  const { RedisStore } = (await import(at)) as { RedisStore: StoreClass };
  const address = { host: '127.0.0.1', port: server.port, database: 0, isTls: false };
  const silent = () => undefined;
  const store = new RedisStore({ address, random: Math.random, log: { info: silent, warn: silent } });
  const sharedStore = store.storeOf('t1');
  while (!store.isConnected) await new Promise((resolve) => setTimeout(resolve, 10));
  const plugin = builtInPlugins.find(({ name }) => name === 'rate_limiter');
  if (plugin === undefined) throw new Error('there is no plugin rate_limiter');
  const config = { limit: 100_000_000, window_seconds: 3600, limit_by: 'ip', policy: 'redis' };
  const run = caseRun({ plugin, config, headers: [], sharedStore });
  return {
    contenders: [
      ['redis_rate_limiter', { run: (client) => passed(run([], client)), requests, isWaiting: true }],
      [
        'redis_round_trip',
        { run: () => sharedStore.run(script, [], [], { timeoutMs: 5000 }), requests, isWaiting: true },
      ],
    ],
    close: async () => {
      store.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function passed(result: unknown): Promise<void> {
  const ended = await result;
  if (ended !== 'continue') throw new Error(`a request ends with ${String(ended)}`);
}
