import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { password, startUsersWorld, type Answer, type UsersWorld } from './users.test-support.ts';

describeOnEachDatabase('the last super administrator', (context) => {
  let world: UsersWorld;
  let token: string;
  let own: string;
  beforeAll(async () => {
    world = await startUsersWorld(context.database());
    token = (await world.login('admin')).access_token;
    own = `${users}/${(await world.call('GET', users, token)).body.items[0].id}`;
  });
  afterAll(() => world.stop());

  const users = '/api/v1/admin/users';
  const another = async (id: string): Promise<string> => {
    const body = { id, username: id, password, role: 'super_admin' };
    expect((await world.call('POST', users, token, body)).status).toBe(201);
    return `${users}/${id}`;
  };
  const refused = { status: 409, body: { code: 'invalid_state', detail: 'the last super administrator must stay' } };
  const left = async (): Promise<string[]> => {
    const { items } = (await world.call('GET', `${users}?enabled=true`, token)).body;
    return items.map((user: { username: string }) => user.username);
  };

  it('can be neither disabled nor deleted nor given another role, but changed otherwise', async () => {
    expect(await world.call('PATCH', own, token, { enabled: false })).toMatchObject(refused);
    expect(await world.call('DELETE', own, token)).toMatchObject(refused);
    expect((await world.call('PATCH', own, token, { role: 'reader' })).status).toBe(422);
    expect((await world.call('PATCH', own, token, { description: 'stays' })).status).toBe(200);
    expect(await left()).toEqual(['admin']);
  });

  it('is the enabled one of two', async () => {
    const second = await another('second');
    expect((await world.call('PATCH', second, token, { enabled: false })).status).toBe(200);
    expect(await world.call('DELETE', own, token)).toMatchObject(refused);
    expect((await world.call('DELETE', second, token)).status).toBe(204);
  });

  it('stays when all are disabled and deleted at the same time', async () => {
    const others = await Promise.all(['third', 'fourth', 'fifth'].map(another));
    const answers: Answer[] = await Promise.all(
      [...others, own].map((path, index) =>
        index % 2 === 0 ? world.call('PATCH', path, token, { enabled: false }) : world.call('DELETE', path, token),
      ),
    );
    const done = answers.filter(({ status }) => status === 200 || status === 204);
    const rows = context.database().read.selectFrom('resources').select('id');
    const enabled = await rows.where('family', '=', 'users').where('enabled', '=', 1).execute();
    expect(enabled).toHaveLength(answers.length - done.length);
    // A caller who is gone in the meantime gets 401 instead.
    expect(answers.filter(({ status }) => status === 409 || status === 401)).toHaveLength(enabled.length);
    expect(enabled.length).toBeGreaterThan(0);
  });
});
