import type { ConsumerDirectory } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { PluginBench, problemOf } from '../testing/plugin-bench.ts';
import { apiKeyAuth } from './index.ts';

const acme = { id: 'c1', username: 'acme', groups: ['gold'], credentialId: 'k1' };
const EXPIRES = Date.UTC(2026, 0, 1) + 60_000;

const consumers: ConsumerDirectory = {
  findApiKey: (key) => {
    if (key === 'credential-key') return { consumer: acme };
    return key === 'short-lived' ? { consumer: acme, expiresAtMs: EXPIRES } : undefined;
  },
  findBasic: () => undefined,
  findHmac: () => undefined,
  findJwt: () => undefined,
  findConsumer: (reference) => ({ acme, gone: 'disabled' as const })[reference],
};

describe('api_key_auth', () => {
  it.each([
    ['no key', []],
    ['an empty key', ['X-API-Key', '']],
    ['an unknown key', ['X-API-Key', 'guess']],
    ['two key headers', ['X-API-Key', 'plain-key', 'x-api-key', 'plain-key']],
    ['two key headers that together read like a key', ['X-API-Key', 'one', 'x-api-key', 'two']],
    ['a prefix of a key', ['X-API-Key', 'plain-ke']],
    ['the key in another header', ['apikey', 'plain-key']],
  ])('refuses %s with 401, a challenge and no word about the key', async (_name, headers) => {
    const { result, exchange } = await new PluginBench(apiKeyAuth, { valid_keys: ['plain-key', 'one, two'] }).request({
      headers,
    });
    expect(result).toBe('respond');
    expect(exchange.response.status).toBe(401);
    expect(exchange.response.headers.get('www-authenticate')).toBe('ApiKey realm="api", header="X-API-Key"');
    expect(exchange.response.headers.get('content-type')).toBe('application/problem+json');
    expect(problemOf(exchange)).toMatchObject({ status: 401, code: 'unauthenticated', request_id: 'r1' });
    expect(JSON.stringify(problemOf(exchange))).not.toMatch(/guess|plain-ke/);
  });

  it.each([
    ['a plain key identifies nobody', 'plain-key', undefined],
    ['a named key identifies the consumer of that name', 'named-key', acme],
    [
      'a key whose consumer the tenant does not have identifies by name alone',
      'other-key',
      { id: 'other', groups: [] },
    ],
    ['a credential identifies its consumer', 'credential-key', acme],
  ])('lets a known key pass: %s', async (_name, key, consumer) => {
    const valid_keys = ['plain-key', { key: 'named-key', consumer: 'acme' }, { key: 'other-key', consumer: 'other' }];
    const bench = new PluginBench(apiKeyAuth, { header_name: 'apikey', valid_keys });
    const { result, exchange } = await bench.request({ headers: ['ApiKey', key], consumers });
    expect(result).toBe('continue');
    expect(exchange.consumer).toEqual(consumer);
    expect(exchange.request.headers.get('apikey')).toBe(key);
  });

  it('does not make one key of two headers', async () => {
    const bench = new PluginBench(apiKeyAuth, { valid_keys: ['a, b'] });
    expect((await bench.request({ headers: ['x-api-key', 'a, b'] })).result).toBe('continue');
    expect((await bench.request({ headers: ['x-api-key', 'a', 'X-API-Key', 'b'] })).result).toBe('respond');
  });

  it('refuses a configured key whose consumer is disabled', async () => {
    const bench = new PluginBench(apiKeyAuth, { valid_keys: [{ key: 'key-of-gone', consumer: 'gone' }] });
    const { exchange } = await bench.request({ headers: ['x-api-key', 'key-of-gone'], consumers });
    expect([exchange.response.status, exchange.consumer]).toEqual([401, undefined]);
  });

  it('refuses a credential from the millisecond in which it expires', async () => {
    const bench = new PluginBench(apiKeyAuth, { valid_keys: [] });
    const ask = async () => (await bench.request({ headers: ['x-api-key', 'short-lived'], consumers })).result;
    bench.clock.advance(59_999);
    expect(await ask()).toBe('continue');
    bench.clock.advance(1);
    expect(await ask()).toBe('respond');
  });

  it.each([
    ['no_key', []],
    ['several_keys', ['x-api-key', 'one', 'x-api-key', 'two']],
    ['unknown_key', ['x-api-key', 'guess']],
    ['key_expired', ['x-api-key', 'short-lived']],
  ])('tells the operator who asks for it why a request is refused: %s', async (reason, headers) => {
    const lines: unknown[] = [];
    const log = { debug: (...line: unknown[]) => void lines.push(line), warn: () => undefined, error: () => undefined };
    const bench = new PluginBench(apiKeyAuth, { valid_keys: [] }, { log });
    bench.clock.advance(60_000);
    await bench.request({ headers, consumers });
    const details = expect.objectContaining({ reason, request_id: 'r1', plugin: 'api_key_auth' }) as unknown;
    expect(lines).toEqual([['refused a request', details]]);
  });

  it('asks the directory of each request, so that a revoked credential is refused at once', async () => {
    const bench = new PluginBench(apiKeyAuth, { valid_keys: [] });
    const request = { headers: ['x-api-key', 'credential-key'] };
    expect((await bench.request({ ...request, consumers })).result).toBe('continue');
    expect((await bench.request(request)).result).toBe('respond');
  });

  it('lets the entry that names a consumer count when a key stands there twice', async () => {
    const bench = new PluginBench(apiKeyAuth, { valid_keys: [{ key: 'k-twice', consumer: 'acme' }, 'k-twice'] });
    const { exchange } = await bench.request({ headers: ['x-api-key', 'k-twice'], consumers });
    expect(exchange.consumer).toEqual(acme);
  });
});
