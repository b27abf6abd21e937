import { createRuntime } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { advancedRateLimiter } from '../advanced_rate_limiter/index.ts';
import { apiKeyAuth } from '../api_key_auth/index.ts';
import { basicAuth } from '../basic_auth/index.ts';
import { rateLimiter } from '../rate_limiter/index.ts';
import { responseRateLimiter } from '../response_rate_limiter/index.ts';
import { exchangeOf } from '../testing/plugin-bench.ts';
import { aclControl } from './index.ts';

const plugins = [basicAuth, apiKeyAuth, aclControl, rateLimiter, advancedRateLimiter, responseRateLimiter];
const basic = (username: string) => ['authorization', `Basic ${Buffer.from(`${username}:p`).toString('base64')}`];

/** A chain whose log is kept. */
function chainOf(inline: readonly { readonly name: string; readonly priority?: number; readonly config: object }[]) {
  const warnings: string[] = [];
  const reasons: unknown[] = [];
  const log = {
    debug: (_message: string, details?: Readonly<Record<string, unknown>>) => void reasons.push(details?.['reason']),
    warn: (message: string) => void warnings.push(message),
    error: (message: string) => void warnings.push(message),
  };
  const runtime = createRuntime({ plugins: plugins.map(({ plugin }) => plugin), inline, log });
  const chain = runtime.chainFor({ gateway: { id: 'g1', name: 'edge' } });
  const send = async (headers: readonly string[]) => {
    const exchange = exchangeOf({ headers });
    const result = await chain.runRequest(exchange);
    return { exchange, status: result === 'respond' ? exchange.response.status : 200, reason: reasons.at(-1) };
  };
  return { send, warnings };
}

const users = [
  { username: 'joe', password: 'p' },
  { username: 'ann', password: 'p' },
];
const password = { name: 'basic_auth', priority: 20, config: { allowed_users: users } };
const key = { name: 'api_key_auth', priority: 10, config: { valid_keys: ['k1', { key: 'k2', consumer: 'acme' }] } };
const onlyJoe = { name: 'acl_control', config: { allowed_users: ['joe'] } };

describe('acl_control behind entries of configs that name no consumer', () => {
  it('knows the user of basic_auth by its name, and makes it no consumer', async () => {
    const { send, warnings } = chainOf([password, onlyJoe]);
    const joe = await send(basic('joe'));
    expect([joe.status, joe.exchange.consumer]).toEqual([200, undefined]);
    expect(await send(basic('ann'))).toMatchObject({ status: 403, reason: 'user_not_allowed' });
    expect(warnings).toEqual([]);
  });

  it('takes such a user for one of the tenant of the gateway, without groups', async () => {
    expect(
      (await chainOf([password, { ...onlyJoe, config: { allowed_tenants: ['t1'] } }]).send(basic('joe'))).status,
    ).toBe(200);
    const inGroup = chainOf([password, { ...onlyJoe, config: { allowed_groups: ['gold'] } }]);
    expect(await inGroup.send(basic('joe'))).toMatchObject({ status: 403, reason: 'group_not_allowed' });
  });

  it('refuses a client without any name with 403: its credential was right', async () => {
    const { send } = chainOf([key, onlyJoe]);
    expect(await send(['x-api-key', 'k1'])).toMatchObject({ status: 403, reason: 'unnamed_client' });
  });

  it('forgets the user where another plugin finds a consumer', async () => {
    const { send } = chainOf([password, key, onlyJoe]);
    expect(await send([...basic('joe'), 'x-api-key', 'k2'])).toMatchObject({ status: 403, reason: 'user_not_allowed' });
    const turned = chainOf([{ ...password, priority: 5 }, key, onlyJoe]);
    expect(await turned.send([...basic('joe'), 'x-api-key', 'k2'])).toMatchObject({
      status: 403,
      reason: 'user_not_allowed',
    });
  });
});

describe('what asks who the client is before anybody knows', () => {
  it.each([
    ['acl_control', onlyJoe.config],
    ['rate_limiter', { minute: 9, limit_by: 'consumer' }],
    ['rate_limiter', { minute: 9, limit_by: 'ip', scope: 'consumer_group' }],
    ['advanced_rate_limiter', { limit: 9, window_seconds: 9, identifier: 'credential' }],
    ['response_rate_limiter', { limit: 9, window_seconds: 9, limit_by: 'consumer_group' }],
  ])('is told in the log once: %s %j', async (name, config) => {
    const early = chainOf([
      { ...password, priority: 0 },
      { name, priority: 9, config },
    ]);
    await early.send(basic('joe'));
    await early.send(basic('joe'));
    expect(early.warnings).toEqual([expect.stringContaining(`${name} asks who the client is, and no authentication`)]);
    const late = chainOf([password, { name, priority: 9, config }]);
    await late.send(basic('joe'));
    expect(late.warnings).toEqual([]);
  });

  it('is none where a limiter was not told whom to count', async () => {
    const { send, warnings } = chainOf([
      { ...password, priority: 0 },
      { name: 'rate_limiter', priority: 9, config: { minute: 9 } },
    ]);
    await send(basic('joe'));
    expect(warnings).toEqual([]);
  });
});
