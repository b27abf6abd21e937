/**
 * Limiters that share their counters through one Redis, in one process and by turns: each gets the same clients, so many at a time. Prints for
 * each the calls of a second and the processor time of a call, here and in Redis.
 */
import { ExchangeState, createRuntime, definePlugin, type Plugin, type SharedStore } from '@portcullis/plugin-runtime';
import { builtInPlugins } from '@portcullis/plugins';
import { eventually, startRedis } from '@portcullis/testkit';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import * as v from 'valibot';
import { median } from '../figures/quantile.ts';

const rounds = 11;
const warmUpRounds = 3;
const calls = 6000;
const inFlight = 64;
const clients = 1000;
const limit = 100_000_000;
const timeoutMs = 30_000;

/** The gateway's own way to Redis, as far as it is used here; apps are no packages to import. */
interface ProcessStore {
  readonly isConnected: boolean;
  storeOf(tenantId: string): SharedStore;
  close(): void;
}

type StoreClass = new (parts: object) => ProcessStore;

type Run = (address: string) => unknown;

const server = await startRedis();
const at = new URL('../../../apps/gateway/src/shared-store/redis-store.ts', import.meta.url).href;
const { RedisStore } = (await import(at)) as { RedisStore: StoreClass };
const silent = (): void => undefined;
const address = { host: '127.0.0.1', port: server.port, database: 0, isTls: false };
const store = new RedisStore({ address, random: Math.random, log: { info: silent, warn: silent } });
await eventually(() => store.isConnected, { timeoutMs });
const admin = new Redis(server.port, '127.0.0.1');
const plain = new Redis(server.port, '127.0.0.1');
const pipelined = new Redis(server.port, '127.0.0.1', { enableAutoPipelining: true });

const one = { limit, window_seconds: 3600 };
const contenders: ReadonlyMap<string, Run> = new Map([
  ['rate_limiter', ours('one', { ...one, policy: 'redis' })],
  ['rate_limiter_three_windows', ours('three', { minute: limit, hour: limit, month: limit, policy: 'redis' })],
  ['rate_limiter_sliding', ours('sliding', { ...one, strategy: 'sliding', policy: 'redis' })],
  ['rate_limiter_sync_rate', ours('synced', { ...one, sync_rate: 1, policy: 'redis' })],
  ['rate_limiter_local', ours('local', one)],
  // The same in a plugin that does nothing else: no keys of tenants, no headers.
  ['flexible_in_plugin', inRuntime('flexible', flexiblePlugin(), {})],
  ['flexible', flexible(plain)],
  ['flexible_pipelined', flexible(pipelined)],
]);

function ours(id: string, config: object): Run {
  const plugin = builtInPlugins.find(({ name }) => name === 'rate_limiter');
  if (plugin === undefined) throw new Error('there is no plugin rate_limiter');
  return inRuntime(id, plugin, { ...config, limit_by: 'ip' });
}

/** One instance in the runtime of the gateway. */
function inRuntime(id: string, plugin: Plugin, config: object): Run {
  const execution = { max_concurrency: 256 };
  const instances = [{ id, name: plugin.name, trigger: 'all', config, execution }] as const;
  const gateway = { id: 'g1', name: 'edge' };
  const chain = createRuntime({ plugins: [plugin], instances, sharedStore: store.storeOf('t1') }).chainFor({
    gateway,
  });
  const facts = { requestId: 'r1', tenantId: 't1', gateway };
  const place = { method: 'GET', scheme: 'http', host: 'api.test', path: '/orders', query: '' } as const;
  return async (clientIp) => {
    const result = await chain.runRequest(new ExchangeState({ facts, request: { ...place, headers: [], clientIp } }));
    if (result !== 'continue') throw new Error(`${id}: a request ends with ${result}`);
  };
}

function flexiblePlugin(): Plugin {
  const consume = flexible(pipelined);
  return definePlugin({
    name: 'flexible',
    version: '1.0.0',
    category: 'rate_limit',
    triggers: ['before_request'],
    config: v.strictObject({}),
    setup: () => ({ request: async ({ request }) => void (await consume(request.clientIp)) }),
  });
}

function flexible(storeClient: Redis): Run {
  const limiter = new RateLimiterRedis({
    storeClient,
    points: limit,
    duration: 3600,
    keyPrefix: `f${storeClient === plain ? 1 : 2}`,
  });
  return (client) => limiter.consume(client);
}

/** Microseconds of Redis's processor time since it began. */
async function redisUs(): Promise<number> {
  const info = await admin.info('cpu');
  const seconds = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  return (seconds('used_cpu_sys') + seconds('used_cpu_user')) * 1e6;
}

async function measure(run: Run): Promise<readonly [perSecond: number, ownUs: number, redisUs: number]> {
  let sent = 0;
  const [redisBefore, cpuBefore, clockBefore] = [await redisUs(), process.cpuUsage(), performance.now()];
  const worker = async (): Promise<void> => {
    while (sent < calls) await run(`192.0.${(sent % clients) >> 8}.${(sent++ % clients) & 255}`);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const tookMs = performance.now() - clockBefore;
  const { user, system } = process.cpuUsage(cpuBefore);
  return [(calls / tookMs) * 1000, (user + system) / calls, ((await redisUs()) - redisBefore) / calls];
}

const found = new Map([...contenders.keys()].map((name) => [name, [] as (readonly number[])[]]));
for (let round = -warmUpRounds; round < rounds; round += 1) {
  const order = [...contenders];
  for (const [name, run] of round % 2 === 0 ? order : order.toReversed()) {
    const figures = await measure(run);
    if (round >= 0) found.get(name)?.push(figures);
  }
}
const medians = [...found].map(([name, list]) => {
  const [perSecond, own, redis] = [0, 1, 2].map((index) => median(list.map((figures) => figures[index] ?? 0)));
  return [name, { per_second: perSecond, own_us: own, redis_us: redis }] as const;
});
console.log(JSON.stringify(Object.fromEntries(medians)));
store.close();
for (const client of [admin, plain, pipelined]) client.disconnect();
await server[Symbol.asyncDispose]();
// The limiter with sync_rate belongs to a runtime that nobody disposes.
process.exit(0);
