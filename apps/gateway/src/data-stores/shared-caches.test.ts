import {
  eventually,
  freePort,
  hasRedis,
  startAiProvider,
  startRedis,
  startUpstream,
  type AiProvider,
} from '@portcullis/testkit';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../testing/test-gateway.test-support.ts';

const POSTGRES_URL = process.env['PORTCULLIS_TEST_POSTGRES_URL'];

interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  rows(): Promise<readonly object[]>;
  hasVectors(): Promise<boolean>;
}

/** A database of its own, and its address. */
async function emptyDatabase(): Promise<TestDatabase> {
  const name = `test_ai_caches_${process.pid}`;
  const admin = new pg.Client({ connectionString: POSTGRES_URL ?? '' });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(POSTGRES_URL ?? '');
  url.pathname = `/${name}`;
  return {
    url: url.href,
    rows: async () => {
      const reader = new pg.Client({ connectionString: url.href });
      await reader.connect();
      const { rows } = await reader.query<object>('SELECT * FROM portcullis_ai_cache_v1');
      await reader.end();
      return rows;
    },
    hasVectors: async () => {
      const { rowCount } = await admin.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'");
      return rowCount === 1;
    },
    [Symbol.asyncDispose]: async () => {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}

function startCaching(
  provider: AiProvider,
  cache: object,
  env: Readonly<Record<string, string>>,
): Promise<TestGateway> {
  const config = {
    providers: [{ name: 'first', type: 'openai_compatible', base_url: `${provider.url}/v1`, api_key: 'k' }],
    default_provider: 'first',
    semantic_cache: cache,
  };
  return startTestGateway(
    { routes: [{ id: 'r', name: 'r', paths: ['/ai'], plugins: [{ name: 'ai_proxy', config }] }] },
    { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', ...env },
  );
}

/** How the cache was used. */
async function ask(gateway: TestGateway, content: string): Promise<string> {
  const answer = await fetch(`${gateway.url}/ai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
  });
  await answer.arrayBuffer();
  const { headers } = answer;
  const type = headers.get('x-gateway-ai-cache-type');
  return [answer.status, headers.get('x-gateway-ai-cache'), ...(type === null ? [] : [type])].join(' ');
}

/**
 * Asks until the cache is used so, without a call of the provider: a busy machine may be too late for a cache, which costs a request nothing but the hit.
 * Each try ends with one more space: other texts, and the same words.
 */
async function isUsedSo(provider: AiProvider, gateway: TestGateway, content: string, use: string): Promise<void> {
  let tries = 0;
  await eventually(async () => {
    const before = provider.requests.length;
    const isExact = use.endsWith('exact');
    const seen = await ask(gateway, isExact ? content : content + ' '.repeat((tries += 1)));
    return seen === use && provider.requests.length === before;
  });
}

describe.skipIf(POSTGRES_URL === undefined)('gateways on one database (PORTCULLIS_TEST_POSTGRES_URL)', () => {
  it('give what another one was answered, to the same question and to one that means the same', async () => {
    await using provider = await startAiProvider();
    await using database = await emptyDatabase();
    const cache = { mode: 'hybrid', vector_backend: 'auto', similarity_threshold: 0.9 };
    await using one = await startCaching(provider, cache, { PORTCULLIS_AI_CACHE_URL: database.url });
    await using other = await startCaching(provider, cache, { PORTCULLIS_AI_CACHE_URL: database.url });
    const question = 'What is the capital of Australia?';
    expect(await ask(one, question)).toBe('200 miss');
    await eventually(async () => (await database.rows().catch(() => [])).length === 1);
    await isUsedSo(provider, other, question, '200 hit exact');
    await isUsedSo(provider, other, 'What is the capital of Australia, please?', '200 hit semantic');
    expect(await ask(other, 'What is the capital of Austria?')).toBe('200 miss');
    expect(await database.rows()).toContainEqual(expect.objectContaining({ prompt: JSON.stringify(question) }));
  });

  it('without pgvector, and without leave to compare one by one: the request fails, and says so', async ({ skip }) => {
    await using provider = await startAiProvider();
    await using database = await emptyDatabase();
    if (await database.hasVectors()) skip('the server has pgvector');
    const cache = { mode: 'semantic', vector_backend: 'native', allow_scan_fallback: false };
    await using gateway = await startCaching(provider, cache, { PORTCULLIS_AI_CACHE_URL: database.url });
    expect(await ask(gateway, 'What is the capital of Australia?')).toMatch(/^503/);
    expect(provider.requests).toHaveLength(0);
  });
});

describe.skipIf(!hasRedis)('gateways on one Redis (needs redis-server)', () => {
  it('give what another one was answered, and go on alone while Redis is gone', async () => {
    await using provider = await startAiProvider();
    const redis = await startRedis();
    const cache = { mode: 'hybrid', vector_backend: 'scan', similarity_threshold: 0.9 };
    const env = { PORTCULLIS_REDIS_URL: redis.url };
    await using one = await startCaching(provider, cache, env);
    await using other = await startCaching(provider, cache, env);
    // Both have connected when each has found what the other one put.
    await isUsedSo(provider, one, 'Who wrote Faust?', '200 hit exact');
    await isUsedSo(provider, other, 'Who wrote Faust?', '200 hit exact');
    await isUsedSo(provider, other, 'Who wrote Faust, please?', '200 hit semantic');
    expect(await ask(other, 'Who wrote Hamlet?')).toBe('200 miss');
    await redis[Symbol.asyncDispose]();
    expect(await ask(other, 'Who wrote Faust?')).toBe('200 miss');
  });
});

describe('a gateway whose database is gone', () => {
  it('answers all the same', async () => {
    await using provider = await startAiProvider();
    const url = `postgres://gateway@127.0.0.1:${await freePort()}/cache`;
    await using gateway = await startCaching(
      provider,
      { mode: 'hybrid', vector_backend: 'auto' },
      { PORTCULLIS_AI_CACHE_URL: url },
    );
    for (let tries = 0; tries < 3; tries += 1) expect(await ask(gateway, 'Hello?')).toBe('200 miss');
    expect(provider.requests).toHaveLength(3);
    const metrics = await (await fetch(`${gateway.statusUrl}/metrics`)).text();
    expect(metrics).toMatch(/^gateway_ai_cache_up 0$/m);
    expect(metrics).toMatch(/^gateway_ai_cache_failed_calls_total [1-9]/m);
  });

  it('leads no plugin to the address of its database', async () => {
    await using database = await startUpstream();
    await using another = await startUpstream();
    const route = (id: string, { url }: { readonly url: string }) => ({
      ...{ id, name: id, paths: [`/${id}`] },
      plugins: [{ name: 'forward_proxy', config: { forward_url: url } }],
    });
    await using gateway = await startTestGateway(
      { routes: [route('database', database), route('another', another)] },
      {
        PORTCULLIS_AI_CACHE_URL: `postgres://gateway@127.0.0.1:${database.port}/cache`,
        PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
      },
    );
    expect((await fetch(`${gateway.url}/another`)).status).toBe(200);
    expect((await fetch(`${gateway.url}/database`)).status).toBe(502);
    expect(database.connections()).toBe(0);
  });
});
