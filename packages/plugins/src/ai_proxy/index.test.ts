import { noSharedStore } from '@portcullis/plugin-runtime';
import { chatStream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { startProxy } from './ai-proxy.test-support.ts';

const alice = { id: 'alice', groups: ['silver', 'gold'] };
const route = { model: 'public', targets: [{ provider: 'fake', model: 'm-9' }] };

describe('what is asked for', () => {
  it.each([
    ['/v1/chat/completions', undefined, '/v1/chat/completions'],
    ['/any/where/chat/completions/', undefined, '/v1/chat/completions'],
    ['/ask', 'llm/v1/chat', '/v1/chat/completions'],
    ['/v1/chat/completions', 'preserve', '/v1/chat/completions'],
    ['/v1/messages', undefined, '/v1/chat/completions'],
  ])('%s with route_type %s calls %s of the provider', async (path, route_type, called) => {
    await using proxy = await startProxy(route_type === undefined ? {} : { route_type });
    const answer = await proxy.send({ path });
    expect([answer.status, answer.source]).toEqual([200, 'upstream']);
    expect(proxy.provider.requests.map(({ url }) => url)).toEqual([called]);
    expect(proxy.provider.requests[0]?.headers.authorization).toBe('Bearer sk-of-fake');
  });

  it.each([
    ['POST', '/v1/nothing'],
    ['GET', '/v1/chat/completions'],
    ['DELETE', '/v1/models'],
  ])('%s %s is nothing: 404 in the form of errors', async (method, path) => {
    await using proxy = await startProxy();
    const answer = await proxy.send({ method, path });
    expect([answer.status, answer.source]).toEqual([404, 'plugin']);
    expect(answer.body).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  it('lists the models that the consumer may ask for', async () => {
    const model_routes = [route, { ...route, model: 'secret', aliases: ['public-too'] }, { ...route, model: 'wild-*' }];
    const consumer_policies = { alice: { denied_models: ['secret'] } };
    await using proxy = await startProxy({ model_routes, consumer_policies });
    const { body } = await proxy.send({ method: 'GET', path: '/v1/models', consumer: alice });
    const data = body['data'] as { id: string; object: string; owned_by: string; created: number }[];
    expect(data.map(({ id, object, owned_by: owner }) => [id, object, owner])).toEqual([['public', 'model', 'fake']]);
  });
});

describe('records of the tenant', () => {
  const record = (kind: 'model_route' | 'policy', name: string, config: object) => ({
    ...{ id: `id-of-${name}`, kind, name, config: { ...config } },
  });

  it('count beside the config, which goes first at equal rank', async () => {
    const targets = [{ provider: 'fake', model: 'of-the-record' }];
    const aiRecords = [record('model_route', 'public', { targets }), record('model_route', 'recorded', { targets })];
    await using proxy = await startProxy({ model_routes: [route] });
    const models: unknown[] = [];
    for (const model of ['public', 'recorded', 'unknown']) {
      const answer = await proxy.send({ aiRecords, body: { model, messages: [{ role: 'user', content: 'x' }] } });
      models.push(answer.header('x-gateway-ai-model'));
    }
    expect(models).toEqual(['m-9', 'of-the-record', 'unknown']);
  });

  it('limit whom they are for, over all instances of the tenant', async () => {
    const aiRecords = [record('policy', 'alice', { rate_limit: 1, rate_window_seconds: 3600 })];
    await using one = await startProxy({}, { tenantId: 'tenant-of-two' });
    await using other = await startProxy({ model_routes: [route] }, { tenantId: 'tenant-of-two' });
    const statuses = [
      (await one.send({ aiRecords, consumer: alice })).status,
      (await other.send({ aiRecords, consumer: alice })).status,
      (await other.send({ aiRecords, consumer: { id: 'bob', groups: [] } })).status,
    ];
    // Counters live in memory as long as the process's clock does, and both proxies have the process's.
    expect(statuses).toEqual([200, 429, 200]);
  });

  it('that name unknown providers are left out, with a warning', async () => {
    await using proxy = await startProxy();
    const targets = [{ provider: 'nobody', model: 'x' }];
    const answer = await proxy.send({
      aiRecords: [record('model_route', 'lost', { targets })],
      body: { model: 'lost', messages: [{ role: 'user', content: 'x' }] },
    });
    expect([answer.status, answer.body]).toMatchObject([
      502,
      { error: { code: 'ai_targets_exhausted' }, attempts: [] },
    ]);
    expect(proxy.log.join('\n')).toContain('name no provider of this plugin');
  });
});

describe('who asks', () => {
  const consumer_group_policies = { gold: { allowed_models: ['m-2'] } };
  const claims = ['X-Consumer-ID', 'alice', 'X-Consumer-Groups', 'gold'];

  it('is whom the chain found, with its groups in their order', async () => {
    await using proxy = await startProxy({ consumer_group_policies });
    const answer = await proxy.send({ consumer: alice });
    expect([answer.status, answer.body]).toMatchObject([403, { error: { code: 'model_not_allowed' } }]);
    expect(answer.ai).toMatchObject({ outcome: 'refused', policy: 'gold', error_class: 'model_not_allowed' });
  });

  it.each([
    [true, true, 403],
    [true, false, 200],
    [false, true, 200],
  ])(
    'headers count where the config says so (%s) and the peer is trusted (%s): %i',
    async (trusts, isTrusted, status) => {
      await using proxy = await startProxy({ consumer_group_policies, trust_consumer_headers: trusts });
      expect((await proxy.send({ claims, isFromTrustedPeer: isTrusted })).status).toBe(status);
    },
  );
});

describe('observations', () => {
  it('tell each request once, and of its texts only what the config asks for', async () => {
    await using quiet = await startProxy();
    expect((await quiet.send()).ai).not.toHaveProperty('prompt');
    await using proxy = await startProxy({
      prompt_response_logging: { enabled: true, max_chars: 8 },
      pii_redaction: { pii_types: ['email'], mask: '#' },
    });
    proxy.provider.plan(chatStream({ text: 'Good morning' }));
    const messages = [{ role: 'user', content: 'I am a@b.example' }];
    const { ai } = await proxy.send({ body: { model: 'm-1', stream: true, messages } });
    expect(ai).toMatchObject({
      stream: true,
      cache: 'bypass',
      prompt: 'I am #',
      response: 'Good mor',
      outcome: 'success',
    });
    expect(JSON.stringify(ai)).not.toContain('sk-of-fake');
    expect(proxy.provider.requests[0]?.text).toContain('I am #');
  });
});

describe('keys', () => {
  it('come from references, and what cannot be read is the attempt that failed', async () => {
    const providers = [{ name: 'fake', type: 'openai', api_key_env: 'KEY' }];
    const reads: string[] = [];
    const secrets = { read: (reference: string) => (reads.push(reference), Promise.reject(new Error('no such key'))) };
    await using proxy = await startProxy({ providers }, { secrets });
    const answer = await proxy.send();
    expect([answer.status, reads]).toEqual([502, ['env://KEY']]);
    expect(JSON.parse(answer.header('x-gateway-ai-attempts') ?? '')).toMatchObject([
      { outcome: 'transport_error', error_class: 'credential_unavailable' },
    ]);
  });
});

describe('a gateway with a shared store', () => {
  it('refuses requests with limits while the store does not answer, and no others', async () => {
    const sharedStore = { run: noSharedStore.run };
    const consumer_policies = { alice: { rate_limit: 5 } };
    await using proxy = await startProxy({ consumer_policies }, { sharedStore });
    const refused = await proxy.send({ consumer: alice });
    expect([refused.status, refused.body]).toMatchObject([503, { error: { code: 'limits_unavailable' } }]);
    expect((await proxy.send()).status).toBe(200);
  });
});

describe('guardrails', () => {
  it('block prompts with the configured status, before anything is counted or sent', async () => {
    const guardrails = { blocked_terms: ['unobtainium'], status_code: 451, message: 'not here' };
    await using proxy = await startProxy({ guardrails });
    const answer = await proxy.send({ body: { model: 'm-1', messages: [{ role: 'user', content: 'Unobtainium!' }] } });
    expect([answer.status, answer.body]).toMatchObject([
      451,
      { error: { code: 'content_blocked', message: 'not here' } },
    ]);
    expect(proxy.provider.requests).toEqual([]);
  });
});
