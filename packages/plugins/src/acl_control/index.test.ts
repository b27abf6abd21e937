import { createRuntime, type ConsumerDirectory, type ConsumerIdentity } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { apiKeyAuth } from '../api_key_auth/index.ts';
import { sessionCookieAuth } from '../session_cookie_auth/index.ts';
import { mistakesOf } from '../testing/bad-configs.ts';
import { exchangeOf, problemOf } from '../testing/plugin-bench.ts';
import { aclControl } from './index.ts';

const acme: ConsumerIdentity = { id: 'c1', username: 'acme', customId: 'A-1', groups: ['gold', 'eu'] };
const consumers: ConsumerDirectory = {
  ...exchangeOf({}).consumers,
  findApiKey: (key) => (key === 'key-of-acme' ? { consumer: acme } : undefined),
  findConsumer: (name) => ({ acme })[name],
};

/** What clients present, by name. */
const clients = {
  nobody: [],
  acme: ['x-api-key', 'key-of-acme'],
  stranger: ['x-api-key', 'key-of-stranger'],
  kim: ['cookie', 'session=kim'],
  guest: ['cookie', 'session=guest'],
  kimWithKeyOfAcme: ['cookie', 'session=other', 'x-api-key', 'key-of-acme'],
} as const;

const sessions = [
  { id: 'kim', consumer: 'acme', groups: ['staff'], roles: ['editor', 'viewer'], tenant_id: 'globex' },
  { id: 'guest', groups: ['visitors'], roles: ['viewer'] },
  { id: 'other', consumer: 'kim', roles: ['admin'], groups: ['admins'], tenant: 'globex' },
];

/** Sends a request through authentication, as it is configured for the client, and then through the plugin. */
async function ask(config: object, client: keyof typeof clients, after = 10) {
  const reasons: unknown[] = [];
  const headers = clients[client];
  const entries = [
    { name: 'session_cookie_auth', priority: 30, config: { valid_sessions: sessions }, if: 'cookie' },
    {
      name: 'api_key_auth',
      priority: 20,
      config: { valid_keys: [{ key: 'key-of-stranger', consumer: 'stranger' }] },
      if: 'x-api-key',
    },
  ].filter((entry) => (headers as readonly string[]).includes(entry.if));
  const silent = () => undefined;
  const runtime = createRuntime({
    plugins: [sessionCookieAuth.plugin, apiKeyAuth.plugin, aclControl.plugin],
    inline: [...entries.map(({ if: _if, ...entry }) => entry), { name: 'acl_control', priority: after, config }],
    log: { debug: (_message, details) => void reasons.push(details?.['reason']), warn: silent, error: silent },
  });
  const exchange = exchangeOf({ headers, consumers });
  const result = await runtime.chainFor({ gateway: { id: 'g1', name: 'edge' } }).runRequest(exchange);
  return { result, exchange, status: result === 'respond' ? exchange.response.status : 200, reason: reasons.at(-1) };
}

describe('acl_control', () => {
  it.each([
    ['a user by ID', { allowed_users: ['c1'] }, 'acme', 200],
    ['a user by username', { allowed_users: ['x', 'acme'] }, 'acme', 200],
    ['a user by custom ID', { allowed_users: ['A-1'] }, 'acme', 200],
    ['a user in another case', { allowed_users: ['Acme'] }, 'acme', 'user_not_allowed'],
    ['a user that is no consumer of the tenant', { allowed_users: ['stranger'] }, 'stranger', 200],
    ['a user whose name every object has', { allowed_users: ['constructor', '__proto__'] }, 'acme', 'user_not_allowed'],
    ['a group of the consumer', { allowed_groups: ['silver', 'eu'] }, 'acme', 200],
    ['no group of the consumer', { allowed_groups: ['silver'] }, 'acme', 'group_not_allowed'],
    ['no group at all', { allowed_groups: ['gold'] }, 'stranger', 'group_not_allowed'],
    ['a group of the session', { allowed_groups: ['staff'] }, 'kim', 200],
    ["a group of the session's consumer", { allowed_groups: ['gold'] }, 'kim', 200],
    ['a group of a session without consumer', { allowed_groups: ['visitors'] }, 'guest', 200],
    ['a role', { allowed_roles: ['admin', 'editor'] }, 'kim', 200],
    ['no such role', { allowed_roles: ['admin'] }, 'kim', 'role_not_allowed'],
    ['a role of a session without consumer', { allowed_roles: ['viewer'] }, 'guest', 200],
    ['a role, asked of a consumer with a key', { allowed_roles: ['viewer'] }, 'acme', 'role_not_allowed'],
    ['a role in place of a group', { allowed_groups: ['editor'] }, 'kim', 'group_not_allowed'],
    ['a user, asked of a session without consumer', { allowed_users: ['guest'] }, 'guest', 'user_not_allowed'],
    ["the gateway's tenant, of a consumer with a key", { allowed_tenants: ['t1'] }, 'acme', 200],
    ["another tenant than the gateway's", { allowed_tenants: ['globex'] }, 'acme', 'tenant_not_allowed'],
    ['the tenant that a session names', { allowed_tenants: ['globex'] }, 'kim', 200],
    ["the gateway's tenant, of a session of another", { allowed_tenants: ['t1'] }, 'kim', 'tenant_not_allowed'],
    ["the gateway's tenant, of a session of none", { allowed_tenants: ['t1'] }, 'guest', 'tenant_not_allowed'],
    [
      'all of several fields',
      { allowed_users: ['acme'], allowed_groups: ['gold'], allowed_roles: ['editor'] },
      'kim',
      200,
    ],
    ['one of several fields', { allowed_users: ['acme'], allowed_groups: ['silver'] }, 'acme', 'group_not_allowed'],
    ['roles of somebody else', { allowed_roles: ['admin'] }, 'kimWithKeyOfAcme', 'role_not_allowed'],
    ['groups of somebody else', { allowed_groups: ['admins'] }, 'kimWithKeyOfAcme', 'group_not_allowed'],
    ['nobody', { allowed_groups: ['gold'] }, 'nobody', 'no_identity'],
  ] as const)('%s', async (_name, config, client, expected) => {
    const { status, reason } = await ask(config, client);
    const refused = expected === 'no_identity' ? 401 : 403;
    expect([status, reason]).toEqual(expected === 200 ? [200, undefined] : [refused, expected]);
  });

  it('says 401 with a challenge for nobody and 403 for somebody else, and not which field says so', async () => {
    const config = { allowed_users: ['the-one-user'], allowed_roles: ['the-role'] };
    const nobody = (await ask(config, 'nobody')).exchange;
    expect(problemOf(nobody)).toMatchObject({ status: 401, code: 'unauthenticated', request_id: 'r1' });
    expect(nobody.response.headers.get('www-authenticate')).toBe('Consumer realm="api"');
    const other = (await ask(config, 'acme')).exchange;
    expect(problemOf(other)).toMatchObject({ status: 403, code: 'forbidden' });
    expect(JSON.stringify(problemOf(other))).not.toMatch(/the-|user|role/);
  });

  it('refuses when it runs before the client is known', async () => {
    expect((await ask({ allowed_users: ['acme'] }, 'acme', 99)).status).toBe(401);
  });

  it.each([
    ['no field', {}, [': needs at least one of allowed_groups, allowed_roles, allowed_tenants, allowed_users']],
    [
      'empty lists',
      { allowed_groups: [], allowed_users: [] },
      ['/allowed_groups: must not be empty', '/allowed_users: must not be empty'],
    ],
    ['a text in place of a list', { allowed_roles: 'admin' }, ['/allowed_roles: must be a list of names']],
    [
      'what is no name',
      { allowed_tenants: [7, ''] },
      ['/allowed_tenants/0: must be text', '/allowed_tenants/1: must have at least 1 characters'],
    ],
    [
      'a name without end',
      { allowed_users: ['a'.repeat(257)] },
      ['/allowed_users/0: must have at most 256 characters'],
    ],
    [
      'too many names',
      { allowed_users: Array.from({ length: 1001 }, () => 'a') },
      ['/allowed_users: must have at most 1000 entries'],
    ],
    ['another field', { allowed_users: ['a'], denied_users: ['b'] }, ['/denied_users: is no field of this plugin']],
  ])('refuses a config with %s', (_name, config, mistakes) => {
    expect(mistakesOf(aclControl, config)).toEqual(mistakes);
  });
});
