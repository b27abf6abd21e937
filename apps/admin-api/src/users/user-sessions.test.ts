import { eventually } from '@portcullis/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { password, startUsersWorld, type Tokens, type UsersWorld } from './users.test-support.ts';

/** Ends work within this on every replica. Source: wire contract, Paths and small rules. */
const noticeMs = 5_000;

describeOnEachDatabase('the logins of a user', (context) => {
  let world: UsersWorld;
  let admin: string;
  /** Happens between the check of a password and the opening of the session. */
  let meanwhile = async (): Promise<void> => undefined;
  beforeAll(async () => {
    world = await startUsersWorld(context.database(), (real) => ({
      ...real,
      async verify(given, stored) {
        const check = await real.verify(given, stored);
        await meanwhile();
        return check;
      },
    }));
    admin = (await world.login('admin')).access_token;
  });
  afterAll(() => world.stop());

  const users = '/api/v1/admin/users';
  const add = async (id: string): Promise<void> => {
    const body = { tenant_id: 'acme', id, username: id, password, role: 'admin' };
    expect((await world.call('POST', users, admin, body)).status).toBe(201);
  };
  const isIn = async ({ access_token: token }: Tokens): Promise<boolean> =>
    (await world.call('GET', '/tenants/current', token)).status === 200;
  const refreshStatus = async ({ refresh_token }: Tokens): Promise<number> =>
    (await world.call('POST', '/auth/refresh', undefined, { refresh_token })).status;

  it('end with the user, also when one with the same ID comes after', async () => {
    await add('phoenix');
    const tokens = await world.login('phoenix');
    expect(await isIn(tokens)).toBe(true);
    expect((await world.call('DELETE', `${users}/phoenix?tenant_id=acme`, admin)).status).toBe(204);
    await add('phoenix');
    expect([await isIn(tokens), await refreshStatus(tokens)]).toEqual([false, 401]);
    expect(await isIn(await world.login('phoenix'))).toBe(true);
  });

  it('do not pass to a later user with the same ID, even when their rows were left behind', async () => {
    await add('revenant');
    const tokens = await world.login('revenant');
    const sessions = () => context.database().read.selectFrom('sessions').selectAll().where('user_id', '=', 'revenant');
    const left = await sessions().execute();
    expect((await world.call('DELETE', `${users}/revenant?tenant_id=acme`, admin)).status).toBe(204);
    expect(await sessions().execute()).toEqual([]);
    await add('revenant');
    const before = left.map((row) => ({ ...row, created_at: row.created_at - 1 }));
    await context.database().transaction((transaction) => transaction.insertInto('sessions').values(before).execute());
    expect([await isIn(tokens), await refreshStatus(tokens)]).toEqual([false, 401]);
  });

  it('end with a new password, all of them and at once, and with no other change', async () => {
    await add('mover');
    const [first, second] = [await world.login('mover'), await world.login('mover')];
    const own = (body: object) => world.call('PATCH', `${users}/mover`, first.access_token, body);
    expect((await own({ description: 'moved' })).status).toBe(200);
    expect([await isIn(first), await isIn(second)]).toEqual([true, true]);
    expect((await own({ password: 'another long password' })).status).toBe(200);
    expect([await isIn(first), await isIn(second)]).toEqual([false, false]);
    expect([await refreshStatus(first), await refreshStatus(second)]).toEqual([401, 401]);
    expect(await isIn(await world.login('mover', 'another long password'))).toBe(true);
  });

  it('end when the user is disabled, and do not come back when enabled', async () => {
    await add('sleeper');
    const tokens = await world.login('sleeper');
    const path = `${users}/sleeper?tenant_id=acme`;
    expect((await world.call('PATCH', path, admin, { enabled: false })).status).toBe(200);
    await eventually(async () => expect(await isIn(tokens)).toBe(false), { timeoutMs: noticeMs });
    await expect(world.login('sleeper')).rejects.toThrow('login as sleeper: 401');
    expect((await world.call('PATCH', path, admin, { enabled: true })).status).toBe(200);
    expect(await refreshStatus(tokens)).toBe(401);
    await eventually(async () => expect(await isIn(await world.login('sleeper'))).toBe(true), { timeoutMs: noticeMs });
    expect(await isIn(tokens)).toBe(false);
  });

  it('follow a change of role within 5 s', async () => {
    await add('climber');
    const { access_token: token } = await world.login('climber');
    const status = async (): Promise<number> =>
      (await world.call('PATCH', `${users}/nobody`, token, { enabled: true })).status;
    expect(await status()).toBe(404);
    for (const [role, expected] of [
      ['reader', 403],
      ['admin', 404],
    ] as const) {
      await world.call('PATCH', `${users}/climber?tenant_id=acme`, admin, { role });
      await eventually(async () => expect(await status()).toBe(expected), { timeoutMs: noticeMs });
    }
  });

  it('are refreshed once, when several ask with one token at the same time, and then end for all', async () => {
    await add('racing');
    const tokens = await world.login('racing');
    const { refresh_token } = tokens;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => world.call('POST', '/auth/refresh', undefined, { refresh_token })),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
    expect(await refreshStatus(won[0]?.body)).toBe(401);
    await eventually(async () => expect([await isIn(tokens), await isIn(won[0]?.body)]).toEqual([false, false]), {
      timeoutMs: noticeMs,
    });
  });

  it('do not begin with a password that is changed while it is checked', async () => {
    await add('racer');
    meanwhile = async () => {
      await world.call('PATCH', `${users}/racer?tenant_id=acme`, admin, { password: 'another long password' });
    };
    await expect(world.login('racer')).rejects.toThrow('login as racer: 401');
    meanwhile = async () => undefined;
    expect(await isIn(await world.login('racer', 'another long password'))).toBe(true);
  });
});
