import { password } from '../testing/test-service.test-support.ts';
import type { FilledTenant, TenantIds } from './isolation-world.test-support.ts';
import { principal, type TestPrincipal } from './principals.test-support.ts';
import type { WatchedService } from './watched-service.test-support.ts';

/** Whom principals are made for. */
export interface PrincipalPlace {
  readonly own: FilledTenant;
  readonly other: FilledTenant;
  readonly ids: TenantIds;
}

const hourMs = 3_600_000;

/** Makes everyone who calls: users of every role, tokens of every scope, tokens that are no longer good. */
export async function makePrincipals(world: WatchedService, place: PrincipalPlace): Promise<readonly TestPrincipal[]> {
  const { service } = world;
  const { ids } = place;
  const token = (scopes: readonly string[], tenantId = ids.own) => makeToken(world, tenantId, { scopes });
  return [
    principal('anonymous', undefined, { as: 'nobody' }),
    principal('garbage', 'not-a-token', { as: 'nobody' }),
    ...(await formerPrincipals(world, place)),
    principal('reader', await service.addUser(ids.own, 'reader', 'reader'), { as: 'reader' }),
    principal('writer', await service.addUser(ids.own, 'writer', 'writer'), { as: 'writer' }),
    principal('admin', await service.addUser(ids.own, 'admin-own', 'admin'), { as: 'admin' }),
    principal('read token', (await token(['admin:read'])).token, { as: 'readToken' }),
    principal('write token', (await token(['admin:write'])).token, { as: 'writeToken' }),
    principal('both token', (await token(['admin:read', 'admin:write'])).token, { as: 'bothToken' }),
    principal('node', place.own.node, { as: 'node' }),
    principal('super administrator', service.token, { as: 'superAdmin', of: 'none' }),
    principal('super administrator in tenant', service.token, { as: 'superAdmin', of: 'none', namesTenant: true }),
    ...(await impersonator(world, ids)),
    principal('admin of parent', await service.addUser(ids.parent, 'admin-parent', 'admin'), {
      as: 'admin',
      of: 'parent',
    }),
    principal('admin of child', await service.addUser(ids.child, 'admin-child', 'admin'), { as: 'admin', of: 'child' }),
    principal('admin of other', await service.addUser(ids.other, 'admin-other', 'admin'), { as: 'admin', of: 'other' }),
    principal('both token of other', (await token(['admin:read', 'admin:write'], ids.other)).token, {
      as: 'bothToken',
      of: 'other',
    }),
  ];
}

interface MadeToken {
  readonly id: string;
  readonly token: string;
}

let tokenCount = 0;

async function makeToken(world: WatchedService, tenantId: string, fields: object): Promise<MadeToken> {
  const body = { tenant_id: tenantId, name: `token-${(tokenCount += 1)}`, ...fields };
  return made(world, '/api/v1/admin/api-tokens', body);
}

async function made<Shape = MadeToken>(
  world: WatchedService,
  path: string,
  body: object,
  status = 201,
): Promise<Shape> {
  const reply = await world.client.send({ method: 'POST', path, token: world.service.token, body });
  if (reply.status !== status) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  return reply.json;
}

/** Whoever was let in once, and is not any more. Source: spec, Errors: missing, expired, revoked. */
async function formerPrincipals(world: WatchedService, { ids }: PrincipalPlace): Promise<TestPrincipal[]> {
  const { service, client } = world;
  const nobody = (name: string, token: string) => principal(name, token, { as: 'nobody' });
  const remove = async (path: string): Promise<void> => {
    const reply = await client.send({ method: 'DELETE', path: `/api/v1/admin${path}`, token: service.token });
    if (reply.status !== 204) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  };
  const good = await makeToken(world, ids.own, { scopes: ['admin:read', 'admin:write'] });
  const revoked = await makeToken(world, ids.own, { scopes: ['admin:read', 'admin:write'] });
  await client.send({ method: 'GET', path: '/api/v1/admin/gateways', token: revoked.token });
  await remove(`/api-tokens/${revoked.id}?tenant_id=${ids.own}`);
  const deletedUser = await service.addUser(ids.own, 'deleted', 'admin');
  await remove(`/users/deleted?tenant_id=${ids.own}`);
  await service.addUser(ids.own, 'session-user', 'admin');
  const session = await login(world, 'session-user');
  const ended = await login(world, 'session-user');
  const out = await client.send({ method: 'POST', path: '/auth/logout', body: { refresh_token: ended.refresh_token } });
  if (out.status !== 204) throw new Error(`logout: ${out.status}`);
  world.setClockOffset(-hourMs);
  const expires = new Date(Date.now() - hourMs / 2).toISOString();
  const expiredToken = await makeToken(world, ids.own, { scopes: ['admin:read', 'admin:write'], expires_at: expires });
  const expired = await login(world, 'session-user');
  world.setClockOffset(0);
  return [
    nobody('forged token', `${good.token.slice(0, -1)}${good.token.endsWith('0') ? '1' : '0'}`),
    nobody('expired token', expiredToken.token),
    nobody('revoked token', revoked.token),
    nobody('expired session', expired.access_token),
    nobody('ended session', ended.access_token),
    nobody('refresh token', session.refresh_token),
    nobody('session without signature', `${session.access_token.split('.').slice(0, 2).join('.')}.`),
    nobody('deleted user', deletedUser),
    ...(await deactivated(world)),
  ];
}

async function login(
  world: WatchedService,
  username: string,
): Promise<{ access_token: string; refresh_token: string }> {
  return made(world, '/auth/login', { username, password }, 200);
}

/** User and token of a tenant that was switched off. Source: decisions, 5. */
async function deactivated(world: WatchedService): Promise<TestPrincipal[]> {
  const isOffered = world.description.operations.some(({ path }) => path.endsWith('/{tenant_id}/deactivate'));
  if (!isOffered) return [];
  const id = 'tenant-inactive';
  await world.service.addTenant(id);
  const user = await world.service.addUser(id, 'inactive-admin', 'admin');
  const { token } = await makeToken(world, id, { scopes: ['admin:read', 'admin:write'] });
  await made(world, `/api/v1/admin/tenants/${id}/deactivate`, {}, 200);
  return [
    principal('user of a deactivated tenant', user, { as: 'nobody' }),
    principal('token of a deactivated tenant', token, { as: 'nobody' }),
  ];
}

/** A super administrator inside the tenant. Source: wire contract, Paths and small rules. */
async function impersonator(world: WatchedService, ids: TenantIds): Promise<TestPrincipal[]> {
  const isOffered = world.description.operations.some(({ path }) => path.endsWith('/{tenant_id}/impersonate'));
  if (!isOffered) return [];
  const path = `/api/v1/admin/tenants/${ids.own}/impersonate`;
  const reply = await world.client.send({ method: 'POST', path, token: world.service.token });
  return [principal('impersonating super administrator', String(reply.json.access_token), { as: 'admin' })];
}
