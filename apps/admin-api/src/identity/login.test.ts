import { argon2Sync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IdentityWorld, openIdentityWorld } from './identity.test-support.ts';

let world: IdentityWorld;
const right = 'right horse 77';

beforeAll(async () => {
  world = await openIdentityWorld();
  await world.addTenant('acme');
  await world.addTenant('globex');
  await world.addTenant('closed', 'inactive');
  await world.addUser('acme', 'alice', right);
  await world.addUser('acme', 'twin', right);
  await world.addUser('globex', 'twin', right, 'reader');
  await world.addUser('closed', 'carol', right);
  await world.addUser('', 'root', right, 'super_admin');
  await world.addUser('acme', 'root', 'another right 1', 'reader');
});

afterAll(() => world[Symbol.asyncDispose]());

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

let nextAddress = 0;

/** Each call comes from an address of its own. */
function post(path: string, body: unknown): Promise<Response> {
  nextAddress += 1;
  const from = `10.1.${Math.floor(nextAddress / 250)}.${nextAddress % 250}`;
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
  return fetch(world.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function login(username: string, tenantId?: string): Promise<Tokens> {
  const response = await post('/auth/login', { username, password: right, ...(tenantId && { tenant_id: tenantId }) });
  expect(response.status).toBe(200);
  return (await response.json()) as Tokens;
}

async function statusWith(token: string, level = 'administer'): Promise<number> {
  return (await fetch(`${world.url}/who/${level}`, { headers: { authorization: `Bearer ${token}` } })).status;
}

describe('login', () => {
  it.each(['/auth/login', '/api/v1/auth/login', '/admin/auth/login', '/api/v1/admin/auth/login'])(
    'answers under %s',
    async (path) => {
      const response = await post(path, { username: 'alice', password: right });
      expect(await response.json()).toEqual({
        access_token: expect.any(String) as unknown,
        refresh_token: expect.stringMatching(/^gwrt_/) as unknown,
        token_type: 'Bearer',
        expires_in: 900,
      });
    },
  );

  it.each([
    ['a wrong password', { username: 'alice', password: 'wrong horse 77' }],
    ['an unknown user', { username: 'nobody', password: right }],
    ['an inactive tenant', { username: 'carol', password: right }],
    ['a user of another tenant', { username: 'alice', password: right, tenant_id: 'globex' }],
    ['a tenant that does not exist', { username: 'alice', password: right, tenant_id: 'nowhere' }],
    ['a super administrator in such a tenant', { username: 'root', password: right, tenant_id: 'nowhere' }],
    ['a name that two tenants have', { username: 'twin', password: right }],
    ['a password with something after it', { username: 'alice', password: `${right} ` }],
    ['a name in another case', { username: 'Alice', password: right }],
  ])('gives %s the same 401', async (_name, body) => {
    const response = await post('/auth/login', body);
    const { request_id: _, ...problem } = (await response.json()) as Record<string, unknown>;
    expect([response.status, problem]).toEqual([
      401,
      {
        type: 'https://portcullis.dev/problems/unauthenticated',
        title: 'Unauthenticated',
        status: 401,
        detail: 'The credentials are not valid; a name that several tenants use needs tenant_id',
        code: 'unauthenticated',
      },
    ]);
  });

  it.each([
    ['an unknown user', { username: 'nobody at all' }],
    ['a super administrator in a tenant that does not exist', { username: 'root', tenant_id: 'nowhere' }],
  ])('takes as much time for %s as for a wrong password', async (_name, other) => {
    const timeOf = async (account: object): Promise<number> => {
      const startedMs = performance.now();
      await post('/auth/login', { ...account, password: 'wrong horse 77' });
      return performance.now() - startedMs;
    };
    // In turns and by the fastest of each, so that what else the machine does counts for neither.
    const [others, known]: [number[], number[]] = [[], []];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      others.push(await timeOf(other));
      known.push(await timeOf({ username: 'alice' }));
    }
    const ratio = Math.min(...others) / Math.min(...known);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  it('needs tenant_id only where the name is ambiguous, and takes null for none', async () => {
    await login('twin', 'acme');
    await login('twin', 'globex');
    expect((await post('/auth/login', { username: 'alice', password: right, tenant_id: null })).status).toBe(200);
  });

  it('takes a user outside all tenants before one of a tenant', async () => {
    expect(await statusWith((await login('root')).access_token)).toBe(200);
  });

  it('lets a super administrator name the tenant to work on, unless a user of that tenant has the name', async () => {
    expect(await statusWith((await login('root', 'globex')).access_token)).toBe(200);
    expect((await post('/auth/login', { username: 'root', password: right, tenant_id: 'acme' })).status).toBe(401);
  });

  it('hashes the password again when the stored hash was made at another cost, and changes nothing else', async () => {
    const cheap = { message: Buffer.from(right), nonce: Buffer.alloc(16, 1), parallelism: 1, tagLength: 32 };
    const tag = argon2Sync('argon2id', { ...cheap, memory: 8192, passes: 1 });
    const [salt, digest] = [cheap.nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
    const id = await world.addUserWithHash('acme', 'veteran', `$argon2id$v=19$m=8192,t=1,p=1$${salt}$${digest}`);
    await login('veteran');
    const record = await world.store.get(world.database.read, 'acme', 'users', id);
    expect(record?.body['password_hash']).toMatch(/\$m=19456,t=2,p=1\$/);
    expect(record).toMatchObject({ revision: 1, body: { username: 'veteran', role: 'reader' } });
    await login('veteran');
  });

  it('records each login, without credentials', async () => {
    await login('alice');
    const rows = await world.database.read
      .selectFrom('audit_records')
      .selectAll()
      .where('action', '=', 'login')
      .execute();
    expect(rows.at(-1)).toMatchObject({ tenant_id: 'acme', actor_username: 'alice', entity_type: 'session' });
    expect(JSON.stringify(rows)).not.toMatch(/right horse|argon2|gwrt_/);
  });
});

describe('sessions', () => {
  it('a refresh token is good once; using it again ends the session for everyone', async () => {
    const first = await login('alice');
    const refreshed = await post('/auth/refresh', { refresh_token: first.refresh_token });
    expect(refreshed.status).toBe(200);
    const second = (await refreshed.json()) as Tokens;
    expect(await statusWith(second.access_token)).toBe(200);
    expect((await post('/auth/refresh', { refresh_token: first.refresh_token })).status).toBe(401);
    expect((await post('/auth/refresh', { refresh_token: second.refresh_token })).status).toBe(401);
    expect([await statusWith(first.access_token), await statusWith(second.access_token)]).toEqual([401, 401]);
  });

  it('of several refreshes at once at most one succeeds', async () => {
    const { refresh_token: token } = await login('alice');
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => post('/auth/refresh', { refresh_token: token })),
    );
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
  });

  it('logout ends the session at once and only with its present refresh token', async () => {
    const { access_token: access, refresh_token: refresh } = await login('alice');
    expect(await statusWith(access)).toBe(200);
    expect((await post('/auth/logout', { refresh_token: `${refresh.slice(0, -1)}x` })).status).toBe(401);
    expect((await post('/auth/logout', { refresh_token: refresh })).status).toBe(204);
    expect(await statusWith(access)).toBe(401);
    expect((await post('/auth/refresh', { refresh_token: refresh })).status).toBe(401);
  });

  it('ends after a week without use, and an access token after 15 minutes', async () => {
    const { access_token: access, refresh_token: refresh } = await login('alice');
    world.clock.advance(906_000);
    expect(await statusWith(access)).toBe(401);
    const refreshed = (await (await post('/auth/refresh', { refresh_token: refresh })).json()) as Tokens;
    world.clock.advance(7 * 86_400_000);
    expect((await post('/auth/refresh', { refresh_token: refreshed.refresh_token })).status).toBe(401);
  });

  it('a deactivated tenant shuts its users out within 5 s, and lets them in again when it is activated', async () => {
    const { access_token: access, refresh_token: refresh } = await login('twin', 'globex');
    expect(await statusWith(access, 'read')).toBe(200);
    await world.setTenantStatus('globex', 'inactive');
    world.clock.advance(5_000);
    expect(await statusWith(access, 'read')).toBe(401);
    expect((await post('/auth/refresh', { refresh_token: refresh })).status).toBe(401);
    await world.setTenantStatus('globex', 'active');
    expect(await statusWith(access, 'read')).toBe(200);
    expect((await post('/auth/refresh', { refresh_token: refresh })).status).toBe(200);
  });

  it('a deleted user is out within 5 s', async () => {
    const id = await world.addUser('acme', 'leaver', right);
    const { access_token: access } = await login('leaver');
    expect(await statusWith(access)).toBe(200);
    await world.removeRecord('acme', 'users', id);
    world.clock.advance(5_000);
    expect(await statusWith(access)).toBe(401);
  });

  it('no table holds a refresh token or a password', async () => {
    const { refresh_token: refresh } = await login('alice');
    const rows = [
      await world.database.read.selectFrom('sessions').selectAll().execute(),
      await world.database.read.selectFrom('resources').selectAll().execute(),
    ];
    const text = JSON.stringify(rows);
    // Neither the secret nor the part of it that all tokens of a login have.
    expect(text).not.toContain(refresh.split('_')[2]?.slice(0, 21));
    expect(text).not.toContain(right);
  });
});
