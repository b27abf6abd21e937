import { FakeClock, temporaryFolder } from '@portcullis/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../logging.ts';
import { readConfig } from '../config.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { MIGRATION_TABLE, NEWEST_MIGRATION } from '../database/migrations/migrate.ts';
import { checkAnswer } from '../testing/answer-contract.test-support.ts';
import { silentLog, startTestService } from '../testing/test-service.test-support.ts';
import { type RunningService, startService } from '../start-service.ts';
import { createServiceMetrics } from './service-metrics.ts';

const clock = new FakeClock();
const key = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningService;

async function startWith(settings: Record<string, string>): Promise<RunningService> {
  const database = `sqlite:${folder.join(`${Object.keys(settings).length}.sqlite`)}`;
  const result = readConfig({
    PORTCULLIS_SECRET_KEYS: key,
    PORTCULLIS_ADMIN_PORT: '0',
    PORTCULLIS_DATABASE_URL: database,
    ...settings,
  });
  if (!result.ok) throw new Error(result.errors.join());
  return startService(result.config, {
    log: createLog('silent'),
    release: '1.2.3',
    nowMs: clock.nowMs,
    monotonicMs: () => performance.now(),
    onAnswer: checkAnswer,
  });
}

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startWith({});
});

afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const get = (path: string): Promise<Response> => fetch(service.url + path);

describe('health and versions', () => {
  it('say what runs', async () => {
    expect(await (await get('/health')).json()).toEqual({ status: 'ok', release: '1.2.3' });
    expect(await (await get('/api/versions')).json()).toMatchObject({ current: 'v1', release: '1.2.3' });
  });

  it('readiness names each part', async () => {
    const response = await get('/ready');
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 'ready', checks: { database: 'ok', signing_keys: 'ok', secret_keys: 'ok', running: 'ok' } },
    ]);
  });
});

describeOnEachDatabase('readiness', (context) => {
  it.each([
    ['the newest', Number.MAX_SAFE_INTEGER, 'pc1.k9.00000000.AAAA', 'k9'],
    ['an old one', 1, 'pc1.k9.00000000.AAAA', 'k9'],
    ['one under another key of the same name', 1, 'pc1.k1.00000000.AAAA', 'k1'],
  ])('fails while a data key is sealed with a key that is not there: %s', async (_which, createdAt, sealed, keyId) => {
    const running = await startTestService(context.url());
    await running.addTenant(`other-${createdAt % 1000}-${keyId}`);
    const foreign = { tenant_id: 'sealed-elsewhere', created_at: createdAt, key_id: keyId, sealed_key: sealed };
    await context
      .database()
      .transaction((transaction) => transaction.insertInto('tenant_keys').values(foreign).execute());
    const ready = await running.call('GET', '/ready');
    await context
      .database()
      .transaction((transaction) =>
        transaction.deleteFrom('tenant_keys').where('tenant_id', '=', foreign.tenant_id).execute(),
      );
    expect(ready).toMatchObject({ status: 503, body: { status: 'not_ready', checks: { secret_keys: 'failed' } } });
    expect((await running.call('GET', '/ready')).status).toBe(200);
    await running.stop();
  });

  it('fails while a migration of this build is missing', async () => {
    const warnings: object[] = [];
    const log = { ...silentLog, warn: (facts: object) => warnings.push(facts) };
    const running = await startTestService(context.url(), { log });
    const rename = (from: string, to: string) =>
      context
        .database()
        .transaction((transaction) =>
          sql`update ${sql.table(MIGRATION_TABLE)} set name = ${to} where name = ${from}`.execute(transaction),
        );
    await rename(NEWEST_MIGRATION, 'away');
    for (let asked = 0; asked < 2; asked += 1) {
      expect((await running.call('GET', '/ready')).body.checks).toMatchObject({ database: 'failed' });
    }
    expect(warnings).toEqual([{ check: 'database', reason: 'it says no' }]);
    await rename('away', NEWEST_MIGRATION);
    expect((await running.call('GET', '/ready')).status).toBe(200);
    await running.stop();
  });
});

describe('the API description', () => {
  it('describes what the shell itself answers, and who may call', async () => {
    const { paths } = (await (await get('/openapi.json')).json()) as { paths: Record<string, Record<string, unknown>> };
    expect(paths['/auth/login']?.['post']).toMatchObject({
      security: [],
      'x-access': 'public',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Login' } } },
      },
      responses: {
        200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/SessionTokens' } } } },
        422: { $ref: '#/components/responses/Unprocessable' },
        429: { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
      },
    });
  });
});

describe('the documentation page', () => {
  it('loads only what this service serves, and no script stands in it', async () => {
    const response = await get('/docs');
    const page = await response.text();
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(page).not.toMatch(/https?:|\/\/[a-z]|<script>|\son[a-z]+=/);
    const files = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1] ?? '');
    expect(files).toHaveLength(3);
    for (const file of files) {
      const asset = await get(file);
      expect([asset.status, asset.headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
      expect((await asset.text()).length).toBeGreaterThan(100);
    }
  });

  it('switches the outside validator off', async () => {
    expect(await (await get('/docs/start.js')).text()).toContain('validatorUrl: null');
  });

  it.each(['package.json', '..%2Fpackage.json', 'constructor', 'swagger-ui-bundle.js.map'])(
    'does not serve %s',
    async (file) => {
      expect((await get(`/docs/${file}`)).status).toBe(404);
    },
  );
});

describe('metrics', () => {
  it('count 503s by their cause, from zero', async () => {
    const metrics = createServiceMetrics();
    metrics.countUnavailable('database');
    const text = await metrics.registry.metrics();
    expect(text.split('\n').filter((line) => line.startsWith('portcullis_http_unavailable_total'))).toEqual([
      'portcullis_http_unavailable_total{cause="database"} 1',
      'portcullis_http_unavailable_total{cause="password_hashing"} 0',
      'portcullis_http_unavailable_total{cause="heavy_work"} 0',
    ]);
  });

  it('count requests by operation and class of status, whatever paths are asked for', async () => {
    for (let index = 0; index < 50; index += 1) await get(`/no/such/path/${index}`);
    const text = await (await get('/metrics')).text();
    expect(text).toContain('portcullis_http_requests_total{operation="getHealth",status_class="2xx"} 1');
    expect(text).toContain('portcullis_http_requests_total{operation="unknown",status_class="4xx"} 50');
    expect(text).toContain('portcullis_http_request_duration_seconds_bucket{le="0.005",operation="getHealth"}');
    expect(text).toContain('process_resident_memory_bytes');
    expect(text.split('\n').filter((line) => line.startsWith('portcullis_http_requests_total{')).length).toBeLessThan(
      20,
    );
  });

  it('are OpenMetrics for a scraper that asks for that', async () => {
    const accept = 'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3';
    const answer = await fetch(`${service.url}/metrics`, { headers: { accept } });
    expect(answer.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    const text = await answer.text();
    expect(text).toMatch(/^# TYPE portcullis_http_requests counter$/m);
    expect(text).toMatch(/^portcullis_http_requests_total\{.*\} \d+$/m);
    expect(text.endsWith('\n# EOF\n')).toBe(true);
  });

  it('can be restricted to addresses', async () => {
    const restricted = await startWith({
      PORTCULLIS_METRICS_ALLOW: '192.0.2.0/24',
      PORTCULLIS_TRUSTED_PROXIES: '127.0.0.1',
    });
    try {
      expect((await fetch(`${restricted.url}/metrics`)).status).toBe(403);
      expect((await fetch(`${restricted.url}/metrics`, { headers: { 'x-forwarded-for': '192.0.2.7' } })).status).toBe(
        200,
      );
    } finally {
      await restricted.stop();
    }
  });
});
