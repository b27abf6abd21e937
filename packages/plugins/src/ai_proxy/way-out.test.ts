import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startProxy } from './ai-proxy.test-support.ts';

describe('a provider behind the way out of a gateway', () => {
  it('is not called without TLS, or inside private networks, where the operator does not list its address', async () => {
    await using proxy = await startProxy({}, { allowsLoopback: false });
    const answer = await proxy.send();
    expect(answer.status).toBe(502);
    expect(answer.ai).toMatchObject({ attempts: [{ outcome: 'transport_error', error_class: 'address_refused' }] });
    expect(proxy.provider.requests).toEqual([]);
  });

  it.each([200, 400])('that packs its answer though nobody asked for it gave none (status %i)', async (status) => {
    await using proxy = await startProxy();
    proxy.provider.plan({
      kind: 'bytes',
      status,
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync('{"error":{"type":"x"}}'),
    });
    const answer = await proxy.send();
    expect(answer.status).toBe(502);
    expect(answer.ai).toMatchObject({
      attempts: [{ outcome: 'provider_malformed_response', error_class: 'answer_is_packed', status }],
    });
  });
});

describe('headers of a client', () => {
  it('go on where the vendor reads them, and no others', async () => {
    await using proxy = await startProxy();
    await proxy.send({ headers: ['OpenAI-Beta', 'assistants=v2', 'anthropic-beta', 'x', 'x-own', 'x'] });
    const { headers = {} } = proxy.provider.requests[0] ?? {};
    expect(headers['openai-beta']).toBe('assistants=v2');
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['anthropic-beta']));
    expect(headers).not.toHaveProperty('x-own');
  });
});
