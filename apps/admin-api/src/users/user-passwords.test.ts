import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { password, startUsersWorld, type UsersWorld } from './users.test-support.ts';

describeOnEachDatabase('passwords of users', (context) => {
  let world: UsersWorld;
  let admin: string;
  let hashed: string[] = [];
  beforeAll(async () => {
    world = await startUsersWorld(context.database(), (real) => ({
      ...real,
      async hash(given, tenantId) {
        hashed.push(given);
        // Within an open transaction this throws: a hash there would keep every other writer waiting.
        await context.database().transaction(async () => undefined);
        return real.hash(given, tenantId);
      },
    }));
    admin = (await world.login('admin')).access_token;
  });
  beforeEach(() => {
    hashed = [];
  });
  afterAll(() => world.stop());

  const users = '/api/v1/admin/users';
  const add = (id: string, fields: object = {}) =>
    world.call('POST', users, admin, { tenant_id: 'acme', id, username: id, password, role: 'admin', ...fields });
  const change = (id: string, fields: object) => world.call('PATCH', `${users}/${id}?tenant_id=acme`, admin, fields);

  it('are hashed before the transaction of the write opens, once', async () => {
    expect((await add('early')).status).toBe(201);
    expect((await change('early', { password: 'another long password' })).status).toBe(200);
    expect(hashed).toEqual([password, 'another long password']);
    await world.login('early', 'another long password');
  });

  it.each([
    ['weak', 'password1', 'weak_password'],
    ['too short', 'x7!', 'min_length'],
    ['no text', 77, 'type'],
  ])('that are %s are refused without a hash', async (_name, unfit, code) => {
    const answers = [await add('unfit', { password: unfit }), await change('early', { password: unfit })];
    for (const { status, body } of answers) {
      expect([status, body.errors]).toMatchObject([422, [{ pointer: '/password', code }]]);
    }
    expect(hashed).toEqual([]);
  });

  it('stay as they are when something else changes', async () => {
    expect((await change('early', { description: 'still here' })).status).toBe(200);
    expect(hashed).toEqual([]);
    await world.login('early', 'another long password');
  });
});
