import { fileURLToPath } from 'node:url';
import { eventually, hasRedis, startProcess, startRedis, startUpstream, temporaryFolder } from '@portcullis/testkit';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { FakeControlPlane, testToken } from '../testing/fake-control-plane.test-support.ts';

const program = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Starting processes from source may take long on a busy machine. */
const timeoutMs = 240_000;
const limit = 100;

describe.skipIf(!hasRedis)('three gateway processes that tell each other what they count (needs redis-server)', () => {
  it(
    'let pass what the bound says, whoever saw a client before, and lose nothing when one stops',
    async () => {
      await using redis = await startRedis();
      await using upstream = await startUpstream((_req, res) => void res.end('ok'));
      await using controlPlane = new FakeControlPlane();
      await controlPlane.listen();
      const route = (id: string, sync_rate: number, strategy: string) => ({
        ...{ id, name: id, service_id: 's', paths: [`/${id}`] },
        plugins: [
          {
            name: 'rate_limiter',
            // A year's window does not end while this runs, but at New Year.
            config: { year: limit, policy: 'redis', sync_rate, strategy },
            execution: { max_concurrency: 256 },
          },
        ],
      });
      controlPlane.publish({
        services: [{ id: 's', name: 's', url: upstream.url }],
        routes: ['fixed', 'sliding'].flatMap((strategy) => [
          route(`used-${strategy}`, 1, strategy),
          route(`half-${strategy}`, 1, strategy),
          route(`all-${strategy}`, 1, strategy),
          route(`stop-${strategy}`, 3600, strategy),
        ]),
      });
      await using folder = await temporaryFolder();
      const start = (name: string) => startNode(controlPlane, redis.url, folder.join(name));
      await using one = await start('one');
      await using two = await start('two');
      await using three = await start('three');
      const admin = new Redis(redis.port, '127.0.0.1');
      for (const strategy of ['fixed', 'sliding']) {
        const burst = (node: Node, path: string, size: number) => passedOf(node, `/${path}-${strategy}`, size);
        // Used up at one: it was told before the first refusal, and nobody else lets one pass.
        expect(await burst(one, 'used', 150)).toBe(limit);
        expect([await burst(two, 'used', 50), await burst(three, 'used', 50)]).toEqual([0, 0]);
        // Told by the timer.
        expect(await burst(one, 'half', 60)).toBe(60);
        await eventually(async () => (await countOf(admin, `half-${strategy}`)) === 60, { timeoutMs });
        expect(await burst(two, 'half', 150)).toBe(40);
        expect(await burst(three, 'half', 50)).toBe(0);
        // At once: each by itself keeps the limit, and once one has told all keep it.
        const atOnce = await Promise.all([one, two, three].map((node) => burst(node, 'all', 150)));
        const sum = atOnce.reduce((total, passed) => total + passed, 0);
        expect(sum).toBeGreaterThanOrEqual(limit);
        expect(Math.max(...atOnce)).toBeLessThanOrEqual(limit);
        await eventually(async () => (await countOf(admin, `all-${strategy}`)) === sum, { timeoutMs });
        // Not told before the hour is over, but when it stops.
        expect(await burst(one, 'stop', 40)).toBe(40);
      }
      expect(await countOf(admin, 'stop-fixed')).toBe(0);
      await one.process.kill('SIGTERM');
      for (const strategy of ['fixed', 'sliding']) expect(await passedOf(two, `/stop-${strategy}`, 150)).toBe(60);
      admin.disconnect();
    },
    timeoutMs,
  );
});

type Node = Awaited<ReturnType<typeof startNode>>;

/** What Redis has counted for the one client of a route. */
async function countOf(admin: Redis, path: string): Promise<number> {
  const [key] = (await admin.keys(`*${path}*`)).filter((name) => /:(?:fixed|sliding):/.test(name));
  if (key === undefined) return 0;
  const text = key.includes(':fixed:') ? await admin.getBuffer(key) : await admin.lindexBuffer(key, -1);
  return text?.readDoubleBE(8) ?? 0;
}

async function passedOf(node: Node, path: string, size: number): Promise<number> {
  const statuses = await Promise.all(
    Array.from({ length: size }, async () => {
      const answer = await fetch(node.origin + path);
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
  expect(statuses.every((status) => status === 200 || status === 429)).toBe(true);
  return statuses.filter((status) => status === 200).length;
}

async function startNode(controlPlane: FakeControlPlane, redisUrl: string, cacheFolder: string) {
  const portsOf = (text: string): { proxy_port: number; status_port: number } | undefined => {
    const line = text.split('\n').find((one) => one.includes('"listening"'));
    return line === undefined ? undefined : (JSON.parse(line) as { proxy_port: number; status_port: number });
  };
  const process = await startProcess({
    args: ['--conditions=@portcullis/source', program],
    env: {
      PORTCULLIS_CONTROL_PLANE_URL: controlPlane.url,
      PORTCULLIS_DATA_PLANE_TOKEN: testToken,
      PORTCULLIS_PROXY_PORT: '0',
      PORTCULLIS_PROXY_TLS_PORT: '0',
      PORTCULLIS_STATUS_PORT: '0',
      PORTCULLIS_OVERLOAD_DELAY_MS: '0',
      PORTCULLIS_CACHE_DIR: cacheFolder,
      PORTCULLIS_REDIS_URL: redisUrl,
    },
    readyWhen: async ({ stdout }) => {
      const ports = portsOf(stdout());
      if (ports === undefined || !stdout().includes('connected to Redis')) return false;
      return (await fetch(`http://127.0.0.1:${ports.status_port}/ready`)).ok;
    },
    readyTimeoutMs: timeoutMs,
  });
  return {
    process,
    origin: `http://127.0.0.1:${portsOf(process.stdout())?.proxy_port}`,
    [Symbol.asyncDispose]: async () => void (await process.kill('SIGKILL')),
  };
}
