import type { AiRecord } from '@portcullis/plugin-runtime';
import { chatAnswer, eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { type ProxyAnswer, startProxy } from './ai-proxy.test-support.ts';

const said = (content: string) => ({ model: 'm-1', messages: [{ role: 'user', content }] });
const state = (answer: ProxyAnswer) => answer.header('x-gateway-ai-cache');
const record = (id: string, name: string, config: AiRecord['config']): AiRecord => ({
  id,
  kind: 'cache',
  name,
  config,
});

describe('the cache of the config', () => {
  it('answers what was asked before, and tells so in header, body and record', async () => {
    await using proxy = await startProxy({ semantic_cache: {} }, { tenantId: 'cache-1' });
    const first = await proxy.send();
    const second = await proxy.send({ headers: ['X-Gateway-AI-Details', 'true'] });
    expect([state(first), first.source, state(second), second.source]).toEqual(['miss', 'upstream', 'hit', 'plugin']);
    expect(second.body).toMatchObject({ gateway_ai: { cache: 'hit', attempts: [] } });
    expect(second.ai).toMatchObject({ cache: 'hit', cache_type: 'exact', usage: null });
    expect(proxy.provider.requests).toHaveLength(1);
  });

  it('is told by the client not to be asked', async () => {
    await using proxy = await startProxy({ semantic_cache: {} }, { tenantId: 'cache-2' });
    await proxy.send();
    const answers = [
      await proxy.send({ headers: ['Cache-Control', 'no-store'] }),
      await proxy.send({ headers: ['Cache-Control', 'max-age=1', 'Cache-Control', 'no-cache'] }),
      await proxy.send(),
    ];
    expect(answers.map(state)).toEqual(['bypass', 'bypass', 'hit']);
  });

  it('compares what texts mean with the built-in vectors', async () => {
    await using proxy = await startProxy({ semantic_cache: { mode: 'hybrid' } }, { tenantId: 'cache-3' });
    await proxy.send({ body: said('What is the capital of France?') });
    const like = await proxy.send({ body: said('Please tell me the capital of France') });
    expect([state(like), like.header('x-gateway-ai-cache-type')]).toEqual(['hit', 'semantic']);
    expect(state(await proxy.send({ body: said('What is the capital of Italy?') }))).toBe('miss');
  });

  it.each([
    ['atlas', 1],
    ['native', 1],
    ['mongo_scan', 1],
    ['auto', 0],
    ['scan', 0],
    ['memory', 0],
  ])('keeps answers elsewhere where there is no database for %s, and says so once', async (backend, warnings) => {
    const semantic_cache = { mode: 'hybrid', vector_backend: backend };
    await using proxy = await startProxy({ semantic_cache }, { tenantId: `cache-at-${backend}` });
    const states = [state(await proxy.send()), state(await proxy.send())];
    expect(states).toEqual(['miss', 'hit']);
    expect(proxy.log.filter((line) => line.includes('is not one of this gateway'))).toHaveLength(warnings);
  });

  it('asks a named provider for vectors, and goes on without when it fails', async () => {
    const semantic_cache = {
      mode: 'semantic',
      embedding_provider: 'fake',
      embedding_model: 'small',
      vector_dimensions: 8,
    };
    await using proxy = await startProxy({ semantic_cache }, { tenantId: 'cache-4' });
    // Whatever it is asked, the fake says what chats get: that is no vector.
    const answer = await proxy.send();
    expect([answer.status, state(answer)]).toEqual([200, 'miss']);
    expect(proxy.provider.requests.map(({ url }) => url)).toEqual(['/v1/embeddings', '/v1/chat/completions']);
    await eventually(() => expect(proxy.log.join('\n')).toContain('no vectors of prompts can be had'));
    await using closed = await startProxy(
      { semantic_cache: { ...semantic_cache, embedding_fail_open: false } },
      { tenantId: 'cache-5' },
    );
    const failed = await closed.send();
    expect([failed.status, failed.body]).toMatchObject([502, { error: { code: 'embedding_failed' } }]);
  });

  it('finds synonyms by the vectors of a provider, and still turns nothing round', async () => {
    const semantic_cache = {
      mode: 'semantic',
      embedding_provider: 'fake',
      embedding_model: 'small',
      vector_dimensions: 8,
    };
    await using proxy = await startProxy({ semantic_cache }, { tenantId: 'cache-9' });
    const vector = (...values: number[]) =>
      ({ kind: 'json', body: { data: [{ embedding: [...values, 0, 0, 0, 0, 0, 0] }] } }) as const;
    proxy.provider.plan(vector(1, 0), chatAnswer(), vector(0.99, 0.1), vector(0.99, 0.1), chatAnswer());
    const states = [
      await proxy.send({ body: said('How can I fix a flat tyre?') }),
      await proxy.send({ body: said('Repairing a puncture') }),
      await proxy.send({ body: said('How can I not fix a flat tyre?') }),
    ].map((answer) => [state(answer), answer.header('x-gateway-ai-cache-type')]);
    expect(states).toEqual([
      ['miss', undefined],
      ['hit', 'semantic'],
      ['miss', undefined],
    ]);
    const paths = proxy.provider.requests.map(({ url }) => url.slice('/v1/'.length));
    expect(paths).toEqual(['embeddings', 'chat/completions', 'embeddings', 'embeddings', 'chat/completions']);
  });

  it('keeps each tenant apart, whatever the config says, unless the operator lets them share', async () => {
    const semantic_cache = { vary_by_tenant: false, vary_by_consumer: false };
    for (const [sharesAnswers, states, name] of [
      [false, ['miss', 'miss'], 'apart'],
      [true, ['miss', 'hit'], 'together'],
    ] as const) {
      const dataStores = { sharesAnswers };
      await using one = await startProxy({ semantic_cache }, { tenantId: `${name}-1`, dataStores });
      // The same provider, as tenants that share have it.
      const providers = [{ name: 'fake', type: 'openai', base_url: `${one.provider.url}/v1`, api_key: 'sk' }];
      await using other = await startProxy({ semantic_cache, providers }, { tenantId: `${name}-2`, dataStores });
      const body = said(`Are we ${name}?`);
      expect([state(await one.send({ body })), state(await other.send({ body }))]).toEqual(states);
      expect(other.log.some((line) => line.includes('do not share'))).toBe(!sharesAnswers);
    }
  });
});

describe('cache records of the tenant', () => {
  it('count where the config says nothing: the one called default, else the first that is on', async () => {
    await using proxy = await startProxy({}, { tenantId: 'cache-6' });
    const cases = [
      [record('1', 'one', { enabled: false })],
      [record('1', 'one', { mode: 'fuzzy' })],
      [record('1', 'one', { enabled: false }), record('2', 'two', {})],
      [record('1', 'one', {}), record('2', 'default', { vary_by_consumer: false })],
    ];
    const states: unknown[] = [];
    for (const aiRecords of cases) {
      for (const consumer of ['ann', 'bob']) {
        states.push(state(await proxy.send({ aiRecords, consumer: { id: consumer, groups: [] } })));
      }
    }
    expect(states).toEqual(['disabled', 'disabled', 'disabled', 'disabled', 'miss', 'miss', 'miss', 'hit']);
    expect(proxy.log.filter((line) => line.includes('an AI record cannot be read'))).toHaveLength(1);
    expect(proxy.log.filter((line) => line.includes('does not count'))).toHaveLength(1);
  });

  it('do not count where the config switches caching off', async () => {
    await using proxy = await startProxy({ semantic_cache: { enabled: false } }, { tenantId: 'cache-7' });
    expect(state(await proxy.send({ aiRecords: [record('1', 'default', {})] }))).toBe('disabled');
  });

  it('go on with what was kept when other records change', async () => {
    await using proxy = await startProxy({}, { tenantId: 'cache-8' });
    const cache = record('1', 'default', {});
    await proxy.send({ aiRecords: [cache] });
    const policy: AiRecord = { id: '2', kind: 'policy', name: 'default', config: { token_budget: 1000 } };
    expect(state(await proxy.send({ aiRecords: [cache, policy] }))).toBe('hit');
  });
});
