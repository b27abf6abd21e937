import { eventually, freePort, startAiProvider, startUpstream, type AiProvider } from '@portcullis/testkit';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../testing/test-gateway.test-support.ts';

const POSTGRES_URL = process.env['PORTCULLIS_TEST_POSTGRES_URL'];

/** A database of its own, and its address. */
async function emptyDatabase(): Promise<
  AsyncDisposable & { readonly url: string; rows(): Promise<readonly object[]> }
> {
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
    [Symbol.asyncDispose]: async () => {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}

function startCaching(provider: AiProvider, cacheUrl: string, cache: object): Promise<TestGateway> {
  const config = {
    providers: [{ name: 'first', type: 'openai_compatible', base_url: `${provider.url}/v1`, api_key: 'k' }],
    default_provider: 'first',
    semantic_cache: cache,
  };
  return startTestGateway(
    { routes: [{ id: 'r', name: 'r', paths: ['/ai'], plugins: [{ name: 'ai_proxy', config }] }] },
    { PORTCULLIS_AI_CACHE_URL: cacheUrl, PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' },
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

describe.skipIf(POSTGRES_URL === undefined)('gateways on one database (PORTCULLIS_TEST_POSTGRES_URL)', () => {
  it('give what another one was answered, to the same question and to one that means the same', async () => {
    await using provider = await startAiProvider();
    await using database = await emptyDatabase();
    const cache = { mode: 'hybrid', vector_backend: 'auto', similarity_threshold: 0.9 };
    await using one = await startCaching(provider, database.url, cache);
    await using other = await startCaching(provider, database.url, cache);
    expect(await ask(one, 'What is the capital of Australia?')).toBe('200 miss');
    await eventually(async () => (await database.rows().catch(() => [])).length === 1);
    expect(await ask(other, 'What is the capital of Australia?')).toBe('200 hit exact');
    expect(await ask(other, 'What is the capital of Australia, please?')).toBe('200 hit semantic');
    expect(await ask(other, 'What is the capital of Austria?')).toBe('200 miss');
    expect(provider.requests).toHaveLength(2);
    const [row] = await database.rows();
    expect(row).toMatchObject({ space: expect.stringMatching(/./), prompt: '"What is the capital of Australia?"' });
  });

  it('without pgvector, and without leave to compare one by one: the request fails, and says so', async () => {
    await using provider = await startAiProvider();
    await using database = await emptyDatabase();
    const cache = { mode: 'semantic', vector_backend: 'native', allow_scan_fallback: false };
    await using gateway = await startCaching(provider, database.url, cache);
    expect(await ask(gateway, 'What is the capital of Australia?')).toMatch(/^503/);
    expect(provider.requests).toHaveLength(0);
  });
});

describe('a gateway whose database is gone', () => {
  it('answers all the same', async () => {
    await using provider = await startAiProvider();
    const url = `postgres://gateway@127.0.0.1:${await freePort()}/cache`;
    await using gateway = await startCaching(provider, url, { mode: 'hybrid', vector_backend: 'auto' });
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
