import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IdentityWorld, openIdentityWorld } from './identity.test-support.ts';

let world: IdentityWorld;
let access: string;
const password = 'right horse 77';

beforeAll(async () => {
  world = await openIdentityWorld();
  await world.addTenant('acme');
  await world.addTenant('globex');
  await world.addUser('acme', 'alice', password);
  await world.addUser('', 'root', password, 'super_admin');
  access = await login('alice');
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

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const part = (token: string, index: number): string => token.split('.')[index] ?? '';
const decoded = (token: string, index: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(part(token, index), 'base64url').toString()) as Record<string, unknown>;

describe('access tokens', () => {
  const stranger = generateKeyPairSync('ed25519');
  const signedBy = async (claims: object, header: object, key = stranger.privateKey): Promise<string> =>
    new SignJWT({ ...decoded(access, 1), ...claims })
      .setProtectedHeader({ ...decoded(access, 0), alg: 'EdDSA', ...header })
      .sign(key);
  const genuine = async (claims: Record<string, unknown>, header: object = {}): Promise<string> =>
    signedBy(claims, header, (await world.identity.keys.signer()).key as never);

  it('a genuine one is let in, and one signed again with the same claims too', async () => {
    expect((await who(access, 'administer')).status).toBe(200);
    expect((await who(await genuine({}), 'administer')).status).toBe(200);
  });

  const forged: readonly (readonly [string, () => Promise<string> | string])[] = [
    ['alg none', () => `${encoded({ ...decoded(access, 0), alg: 'none' })}.${part(access, 1)}.`],
    [
      'alg NoNe with the old signature',
      () => `${encoded({ ...decoded(access, 0), alg: 'NoNe' })}.${part(access, 1)}.${part(access, 2)}`,
    ],
    [
      'HS256 over the public key',
      async () => {
        const [jwk] = await world.identity.keys.publicKeys();
        return new SignJWT(decoded(access, 1))
          .setProtectedHeader({ ...decoded(access, 0), alg: 'HS256' })
          .sign(Buffer.from(String(jwk?.x)));
      },
    ],
    ['a strange key under a known kid', () => signedBy({}, {})],
    ['a key in the header', () => signedBy({}, { jwk: stranger.publicKey.export({ format: 'jwk' }) })],
    ['an address of keys in the header', () => signedBy({}, { jku: 'https://evil.test/jwks.json', kid: 'evil' })],
    ['an unknown kid', () => genuine({}, { kid: 'unknown' })],
    ['a path as kid', () => genuine({}, { kid: '../../dev/null' })],
    ['SQL as kid', () => genuine({}, { kid: "' or 1=1 --" })],
    ['no kid', () => genuine({}, { kid: undefined })],
    [
      'an unknown critical header',
      () => `${encoded({ ...decoded(access, 0), crit: ['x'], x: 1 })}.${part(access, 1)}.${part(access, 2)}`,
    ],
    ['another type', () => genuine({}, { typ: 'JWT' })],
    ['another audience', () => genuine({ aud: 'someone-else' })],
    ['another issuer', () => genuine({ iss: 'someone-else' })],
    ['no expiry', () => genuine({ exp: undefined })],
    ['an expiry of long ago', () => genuine({ exp: Math.floor(world.clock.nowMs() / 1000) - 60 })],
    ['a fractional expiry', () => genuine({ exp: world.clock.nowMs() / 1000 + 100.5 })],
    ['not valid yet', () => genuine({ nbf: Math.floor(world.clock.nowMs() / 1000) + 600 })],
    ['no session', () => genuine({ sid: undefined })],
    ['a session of someone else', () => genuine({ sub: 'someone-else' })],
    ['a session that never was', () => genuine({ sid: 'AAAAAAAAAAAA' })],
    [
      'changed claims',
      () => `${part(access, 0)}.${encoded({ ...decoded(access, 1), sub: 'root' })}.${part(access, 2)}`,
    ],
    ['padding', () => `${access}=`],
    ['white space inside', () => access.replace('.', '. ')],
    ['another spelling of the last character', () => respelled(access)],
    ['four parts', () => `${access}.x`],
    ['a very long text', () => `${'a'.repeat(3000)}.a.a`],
    ['nothing but dots', () => '..'],
  ];

  it.each(forged)('%s is 401', async (_name, make) => {
    const response = await who(await make(), 'read');
    expect(response.status).toBe(401);
    expect(((await response.json()) as { code: string }).code).toBe('unauthenticated');
  });
});

describe('admin API tokens', () => {
  const scopes = ['admin:read', 'admin:write'];

  it('are let in by scope and never where only a user is', async () => {
    const { token } = await world.addToken('gwadm', 'acme', { scopes });
    expect(token).toMatch(/^gwadm_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    const statuses = await Promise.all(
      ['read', 'write', 'administer', 'super_admin', 'data_plane'].map(
        async (level) => (await who(token, level)).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 200, 403, 401]);
  });

  it.each([
    [
      'a wrong secret with a right checksum',
      async () => {
        const [first, second] = await Promise.all([
          world.addToken('gwadm', 'acme', { scopes }),
          world.addToken('gwadm', 'acme', { scopes }),
        ]);
        return withChecksum(
          `${first.token.split('_').slice(0, 2).join('_')}_${second.token.split('_')[2]?.slice(0, 43)}`,
        );
      },
    ],
    [
      'one that expired',
      async () => (await world.addToken('gwadm', 'acme', { scopes, expires_at: '2020-01-01T00:00:00.000Z' })).token,
    ],
    [
      'one whose expiry cannot be read',
      async () => (await world.addToken('gwadm', 'acme', { scopes, expires_at: '2020-01-01T00:00:00+00' })).token,
    ],
    ['one of a tenant that is gone', async () => (await world.addToken('gwadm', 'nowhere', { scopes })).token],
    [
      'a refresh token',
      async () => {
        const response = await fetch(`${world.url}/auth/login`, {
          method: 'POST',
          body: JSON.stringify({ username: 'alice', password }),
          headers: { 'content-type': 'application/json' },
        });
        return ((await response.json()) as { refresh_token: string }).refresh_token;
      },
    ],
    ['a data-plane token', async () => (await world.addToken('gwdp', 'acme', { gateway_id: 'g1' })).token],
  ])('%s is 401', async (_name, make) => {
    expect((await who(await make(), 'read')).status).toBe(401);
  });

  it('a mistyped one is refused without a query', async () => {
    const { token } = await world.addToken('gwadm', 'acme', { scopes });
    const mistyped = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
    await using fresh = await openIdentityWorld();
    await fresh.database.close();
    expect(await fresh.identity.authenticator.authenticate(mistyped)).toBeUndefined();
    await expect(fresh.identity.authenticator.authenticate(token)).rejects.toThrow('closing');
  });

  it.each([0, -3_600_000])('a revoked one is out within 5 s, also when the clock is set by %i ms', async (setByMs) => {
    const { token, id } = await world.addToken('gwadm', 'acme', { scopes });
    expect((await who(token, 'write')).status).toBe(200);
    await world.removeRecord('acme', 'api-tokens', id);
    world.clock.setWall(world.clock.nowMs() + setByMs);
    world.clock.advance(5_000);
    expect((await who(token, 'write')).status).toBe(401);
  });

  it('their last use is written in batches, and not for tokens that are gone', async () => {
    const [kept, gone] = [
      await world.addToken('gwadm', 'acme', { scopes }),
      await world.addToken('gwadm', 'acme', { scopes }),
    ];
    await who(kept.token, 'read');
    await who(gone.token, 'read');
    await world.removeRecord('acme', 'api-tokens', gone.id);
    await world.identity.lastUse.flush();
    const rows = await world.database.read
      .selectFrom('resource_states')
      .selectAll()
      .where('id', 'in', [kept.id, gone.id])
      .execute();
    expect(rows.map((row) => [row.id, JSON.parse(row.state)])).toEqual([
      [kept.id, { last_used_at_ms: world.clock.nowMs() }],
    ]);
  });
});

describe('data-plane tokens', () => {
  it('open the data-plane paths of their own gateway and nothing else', async () => {
    const { token, id } = await world.addToken('gwdp', 'acme', { gateway_id: 'g1' });
    const response = await who(token, 'data_plane');
    expect(await response.json()).toMatchObject({
      principal: { kind: 'data_plane', id, tenantId: 'acme', gatewayId: 'g1' },
    });
    expect((await who(token, 'read')).status).toBe(401);
  });
});

/** The same bytes by a base64url text whose unused last bits are set. */
function respelled(token: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return token.slice(0, -1) + digits.charAt(digits.indexOf(token.slice(-1)) ^ 1);
}

/** Finds the checksum of a token's text by the rule that its documentation gives. */
function withChecksum(text: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let checksum = '';
  for (let place = 0; place < 6; place += 1, rest = Math.floor(rest / 62))
    checksum = digits.charAt(rest % 62) + checksum;
  return text + checksum;
}
