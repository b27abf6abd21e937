import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IdentityWorld, openIdentityWorld } from './identity.test-support.ts';

let world: IdentityWorld;
const password = 'right horse 77';

beforeAll(async () => {
  world = await openIdentityWorld();
  await world.addTenant('acme');
  await world.addTenant('globex');
  await world.addUser('acme', 'alice', password);
  await world.addUser('', 'root', password, 'super_admin');
});

afterAll(() => world[Symbol.asyncDispose]());

async function login(username: string): Promise<string> {
  const body = JSON.stringify({ username, password });
  const response = await fetch(`${world.url}/auth/login`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

function who(token: string, level: string, query = ''): Promise<Response> {
  return fetch(`${world.url}/who/${level}${query}`, { headers: { authorization: `Bearer ${token}` } });
}

describe('tenant scope', () => {
  const cases: readonly (readonly [string, () => Promise<string>, string, number, string | undefined])[] = [
    ['a user names none', () => login('alice'), '', 200, 'acme'],
    ['a user names the own', () => login('alice'), '?tenant_id=acme', 200, 'acme'],
    ['a user names a foreign one', () => login('alice'), '?tenant_id=globex', 403, 'Cannot access another tenant'],
    [
      'a user names one that does not exist',
      () => login('alice'),
      '?tenant_id=nowhere',
      403,
      'Cannot access another tenant',
    ],
    ['a super administrator names none', () => login('root'), '', 400, 'tenant_id is required'],
    ['a super administrator names one', () => login('root'), '?tenant_id=globex', 200, 'globex'],
    [
      'a super administrator names one that does not exist',
      () => login('root'),
      '?tenant_id=nowhere',
      403,
      'Cannot access another tenant',
    ],
    [
      'a token names a foreign one',
      async () => (await world.addToken('gwadm', 'acme', { scopes: ['admin:read'] })).token,
      '?tenant_id=globex',
      403,
      'Cannot access another tenant',
    ],
    [
      'a token without a tenant names one',
      async () => (await world.addToken('gwadm', '', { scopes: ['admin:read'] })).token,
      '?tenant_id=globex',
      200,
      'globex',
    ],
  ];

  it.each(cases)('%s', async (_name, caller, query, status, expected) => {
    const response = await who(await caller(), 'read', query);
    const body = (await response.json()) as { detail?: string; tenant?: string };
    expect([response.status, body.detail ?? body.tenant]).toEqual([status, expected]);
  });

  it('a query and a body that differ are 400', async () => {
    const principal = { kind: 'api_token', id: 't', name: 't', scopes: [], tenantId: undefined } as const;
    const question = { principal, inQuery: 'acme', inBody: 'globex', isWrite: true };
    await expect(world.identity.tenantScope.resolve(question)).rejects.toMatchObject({
      code: 'tenant_mismatch',
      status: 400,
    });
  });

  it('a deleted tenant may be read by a super administrator, not written', async () => {
    await world.database.transaction((transaction) =>
      transaction
        .insertInto('retired_keys')
        .values({ family: 'tenants', key_name: 'slug', value: 'buried', retired_at: 0 })
        .execute(),
    );
    const principal = {
      kind: 'user',
      id: 'r',
      username: 'root',
      role: 'super_admin',
      tenantId: undefined,
      sessionId: 's',
    } as const;
    expect(await world.identity.tenantScope.resolve({ principal, inQuery: 'buried', isWrite: false })).toBe('buried');
    await expect(
      world.identity.tenantScope.resolve({ principal, inQuery: 'buried', isWrite: true }),
    ).rejects.toMatchObject({ code: 'cross_tenant' });
    expect(await world.identity.tenantScope.resolveOptional({ principal, isWrite: true })).toBe('');
  });
});
