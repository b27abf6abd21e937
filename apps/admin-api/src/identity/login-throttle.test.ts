import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IdentityWorld, openIdentityWorld } from './identity.test-support.ts';
import { loginLimits } from './login-throttle.ts';

let world: IdentityWorld;
const right = 'right horse 77';
const places = ['acme', 'globex', 'closed'];

beforeAll(async () => {
  world = await openIdentityWorld();
  await world.addTenant('acme');
  await world.addTenant('globex');
  await world.addTenant('closed', 'inactive');
  await world.addUser('acme', 'alice', right);
  await world.addUser('acme', 'twin', right);
  await world.addUser('globex', 'twin', right, 'reader');
});

afterAll(() => world[Symbol.asyncDispose]());

let nextAddress = 0;

/** Each call comes from an address of its own unless one is named. */
function post(path: string, body: unknown, address?: string): Promise<Response> {
  nextAddress += 1;
  const from = address ?? `10.1.${Math.floor(nextAddress / 250)}.${nextAddress % 250}`;
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
  return fetch(world.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

// Each attempt that is let through hashes a password, which takes long on a busy machine.
describe('throttling of logins', { timeout: 60_000 }, () => {
  const wrong = { username: 'alice', password: 'wrong horse 77' };
  const attempts = async (count: number, body: object, address: string): Promise<Response[]> => {
    const responses: Response[] = [];
    for (let attempt = 0; attempt < count; attempt += 1) responses.push(await post('/auth/login', body, address));
    return responses;
  };

  it('slows an account down per address, names the wait, and lets others and later attempts through', async () => {
    const responses = await attempts(12, wrong, '10.9.0.1');
    expect(responses.map((response) => response.status)).toEqual([
      ...Array<number>(8).fill(401),
      ...Array<number>(4).fill(429),
    ]);
    expect(Number(responses.at(-1)?.headers.get('retry-after'))).toBe(loginLimits.accountFromAddress.refillMs / 1000);
    expect((await post('/auth/login', { username: 'alice', password: right }, '10.9.0.1')).status).toBe(429);
    expect((await post('/auth/login', { username: 'alice', password: right }, '10.9.0.2')).status).toBe(200);
    expect(
      (await post('/auth/login', { username: 'twin', password: right, tenant_id: 'acme' }, '10.9.0.1')).status,
    ).toBe(200);
    world.clock.advance(loginLimits.accountFromAddress.refillMs);
    expect((await post('/auth/login', { username: 'alice', password: right }, '10.9.0.1')).status).toBe(200);
  });

  it.each([
    ['a super administrator under the names of tenants that do not exist', '', (index: number) => `t${index}`],
    ['a super administrator under those of tenants that do', '', (index: number) => places[index % 3]],
    ['a user of a tenant', 'globex', (index: number) => places[index % 3]],
    ['nobody', undefined, (index: number) => places[index % 3]],
  ])('slows down a name that is tried in many tenants, and answers the same for %s', async (title, home, tenantOf) => {
    const username = `name of ${title}`;
    if (home !== undefined) await world.addUser(home, username, right, home === '' ? 'super_admin' : 'admin');
    const statuses: number[] = [];
    for (let index = 0; index < loginLimits.name.capacity + 20; index += 1) {
      const body = { username, password: 'wrong horse 77', tenant_id: tenantOf(index) };
      statuses.push((await post('/auth/login', body)).status);
    }
    expect(statuses.lastIndexOf(401)).toBe(loginLimits.name.capacity - 1);
    expect(statuses.indexOf(429)).toBe(loginLimits.name.capacity);
    expect((await post('/auth/login', { username, password: right })).status).toBe(429);
  });

  it.each(['alice once', 'nobody once'])('tells not by its limits whether there is a %s', async (username) => {
    if (username === 'alice once') await world.addUser('acme', username, right);
    const statuses: number[] = [];
    for (const tenant of [...Array<string>(9).fill('acme'), ...Array<undefined>(9).fill(undefined)]) {
      const body = { username, password: 'wrong horse 77', tenant_id: tenant };
      statuses.push((await post('/auth/login', body, `10.9.3.${username.length}`)).status);
    }
    const [lets, stops] = [Array<number>(8).fill(401), 429];
    expect(statuses).toEqual([...lets, stops, ...lets, stops]);
  });

  it('leaves the users of one name in other tenants alone while one tenant is under attack', async () => {
    for (const tenant of ['acme', 'globex']) await world.addUser(tenant, 'clerk', right);
    for (let host = 0; host < 100; host += 1) {
      const body = { username: 'clerk', password: 'wrong horse 77', tenant_id: 'acme' };
      await post('/auth/login', body, `10.9.4.${host}`);
    }
    const login = (tenant: string) => post('/auth/login', { username: 'clerk', password: right, tenant_id: tenant });
    expect((await login('acme')).status).toBe(429);
    expect((await login('globex')).status).toBe(200);
  });

  it('is not lifted by setting the clock', async () => {
    await attempts(9, { username: 'setter', password: 'wrong horse 77' }, '10.9.0.6');
    world.clock.setWall(world.clock.nowMs() + 3_600_000);
    const [after] = await attempts(1, { username: 'setter', password: 'wrong horse 77' }, '10.9.0.6');
    expect(after?.status).toBe(429);
  });

  it('slows an address down over all accounts', async () => {
    const statuses: number[] = [];
    for (let account = 0; account < 25; account += 1) {
      statuses.push(
        (await post('/auth/login', { username: `u${account}`, password: 'wrong horse 77' }, '10.9.0.3')).status,
      );
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(25 - loginLimits.address.capacity);
  });

  it('does not count logins that succeed', async () => {
    const responses = await attempts(15, { username: 'alice', password: right }, '10.9.0.4');
    expect(responses.every((response) => response.status === 200)).toBe(true);
  });

  it('lets the owner in from a known address while others guess from many', async () => {
    await world.addUser('acme', 'victim', right);
    expect((await post('/auth/login', { username: 'victim', password: right }, '10.9.0.5')).status).toBe(200);
    const statuses: number[] = [];
    for (let host = 0; host < 40; host += 1) {
      statuses.push(
        (await post('/auth/login', { username: 'victim', password: 'wrong horse 77' }, `10.9.1.${host}`)).status,
      );
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(loginLimits.account.capacity);
    expect((await post('/auth/login', { username: 'victim', password: right }, '10.9.0.5')).status).toBe(200);
  });

  it('counts all addresses of an IPv6 household as one', async () => {
    const statuses: number[] = [];
    for (let host = 0; host < 10; host += 1) {
      statuses.push(
        (await post('/auth/login', { username: 'household', password: 'wrong horse 77' }, `2001:db8:0:7::${host + 1}`))
          .status,
      );
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });
});
