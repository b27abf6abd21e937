import { fileURLToPath } from 'node:url';
import {
  eventually,
  hasRedis,
  startProcess,
  startRedis,
  startUpstream,
  temporaryFolder,
  type RunningProcess,
} from '@portcullis/testkit';
import { Agent, request } from 'undici';
import { describe, expect, it } from 'vitest';
import { FakeControlPlane, testToken } from '../testing/fake-control-plane.test-support.ts';

const args = ['--conditions=@portcullis/source', fileURLToPath(new URL('../main.ts', import.meta.url))];

/** Starting processes from source may take long on a busy machine. */
const timeoutMs = 240_000;
const limit = 200;
const asked = 3 * limit;
const limitOfOutage = 600;
const inFlight = 16;

describe.skipIf(!hasRedis)('gateway processes on one Redis (needs redis-server)', () => {
  it(
    'let pass what the limit says, all together, and never one more: two gateways, one with two workers',
    async () => {
      await using redis = await startRedis();
      await using upstream = await startUpstream((_req, res) => void res.end('ok'));
      await using controlPlane = new FakeControlPlane();
      await controlPlane.listen();
      const route = (name: string, strategy: string, units = limit) => ({
        ...{ id: name, name, service_id: 's', paths: [`/${name}`] },
        plugins: [
          {
            name: 'rate_limiter',
            // A window of so many seconds ends at a multiple of them since 1970: here once in 365 days.
            config: {
              limits: [year(units), { limit: 10 * units, window_seconds: 86_400 }],
              ...{ strategy, policy: 'redis' },
            },
            execution: { max_concurrency: 256, recovery_timeout_ms: 100 },
          },
        ],
      });
      controlPlane.publish({
        services: [{ id: 's', name: 's', url: upstream.url }],
        routes: [
          route('fixed', 'fixed'),
          route('sliding', 'sliding'),
          route('frozen-fixed', 'fixed', limitOfOutage),
          route('frozen-sliding', 'sliding', limitOfOutage),
        ],
      });
      await using folder = await temporaryFolder();
      const env = { PORTCULLIS_REDIS_URL: redis.url, PORTCULLIS_OVERLOAD_DELAY_MS: '0' };
      await using one = await startNode(controlPlane, { ...env, PORTCULLIS_CACHE_DIR: folder.join('one') });
      await using two = await startNode(controlPlane, {
        ...{ ...env, PORTCULLIS_CACHE_DIR: folder.join('two') },
        PORTCULLIS_WORKERS: '2',
      });
      const origins = [one, two].map((node) => portsOf(node));
      const agent = new Agent({ connections: 8 });
      for (const strategy of ['fixed', 'sliding']) {
        const statuses = await Promise.all(
          Array.from({ length: asked }, async (_, index) => {
            const origin = origins[index % 2];
            const answer = await request(`http://127.0.0.1:${origin?.proxy_port}/${strategy}`, { dispatcher: agent });
            await answer.body.dump();
            return answer.statusCode;
          }),
        );
        expect(countsOf(statuses)).toEqual({ 200: limit, 429: asked - limit });
      }
      expect(upstream.requests).toHaveLength(2 * limit);
      for (const path of ['/frozen-fixed', '/frozen-sliding']) {
        const statuses = await statusesWhile(agent, origins, path, async (seen) => {
          await eventually(() => seen.length > limit, { timeoutMs });
          redis.freeze();
          await eventually(() => seen.includes(503), { timeoutMs });
          redis.thaw();
          await eventually(() => seen.includes(429), { timeoutMs });
        });
        const { 200: passed = 0 } = countsOf(statuses);
        expect(passed).toBeLessThanOrEqual(limitOfOutage);
        // What was under way when Redis froze is counted, and was refused.
        expect(passed).toBeGreaterThanOrEqual(limitOfOutage - 4 * inFlight);
      }
      await agent.close();
      for (const origin of origins) {
        await eventually(async () => (await metricsOf(origin?.status_port)).includes('gateway_redis_connected 1\n'), {
          timeoutMs,
        });
      }
    },
    timeoutMs,
  );
});

const year = (units: number): object => ({ limit: units, window_seconds: 31_536_000 });

interface Ports {
  readonly proxy_port: number;
  readonly status_port: number;
}

function portsOf(child: RunningProcess): Ports | undefined {
  const line = child
    .stdout()
    .split('\n')
    .find((text) => text.includes('"listening"'));
  return line === undefined ? undefined : (JSON.parse(line) as Ports);
}

/** Starts a node, and waits until all its workers serve the configuration and have Redis. */
async function startNode(
  controlPlane: FakeControlPlane,
  env: Readonly<Record<string, string>>,
): Promise<RunningProcess> {
  const workers = Number(env['PORTCULLIS_WORKERS'] ?? 1);
  return startProcess({
    args,
    env: {
      PORTCULLIS_CONTROL_PLANE_URL: controlPlane.url,
      PORTCULLIS_DATA_PLANE_TOKEN: testToken,
      PORTCULLIS_PROXY_PORT: '0',
      PORTCULLIS_PROXY_TLS_PORT: '0',
      PORTCULLIS_STATUS_PORT: '0',
      ...env,
    },
    readyWhen: async (running) => {
      const ports = portsOf(running);
      if (ports === undefined) return false;
      const ready = await fetch(`http://127.0.0.1:${ports.status_port}/ready`);
      return ready.ok && running.stdout().split('connected to Redis').length > workers;
    },
    readyTimeoutMs: timeoutMs,
  });
}

async function metricsOf(port: number | undefined): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

/** Asks the gateways by turns, so many requests at a time, while something is done. */
async function statusesWhile(
  dispatcher: Agent,
  origins: readonly (Ports | undefined)[],
  path: string,
  act: (seen: readonly number[]) => Promise<void>,
): Promise<readonly number[]> {
  const seen: number[] = [];
  const over = new AbortController();
  const ask = async (worker: number): Promise<void> => {
    while (!over.signal.aborted) {
      const port = origins[worker % origins.length]?.proxy_port;
      const answer = await request(`http://127.0.0.1:${port}${path}`, { dispatcher });
      await answer.body.dump();
      seen.push(answer.statusCode);
    }
  };
  const workers = Array.from({ length: inFlight }, (_, worker) => ask(worker));
  try {
    await act(seen);
  } finally {
    over.abort();
    await Promise.all(workers);
  }
  return seen;
}

function countsOf(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
