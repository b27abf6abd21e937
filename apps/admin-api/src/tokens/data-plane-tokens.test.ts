import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { password, startUsersWorld, type UsersWorld } from '../users/users.test-support.ts';

describeOnEachDatabase('data planes, whose tokens open secrets,', (context) => {
  let world: UsersWorld;
  const tokens: Record<string, string> = {};
  const admin = '/api/v1/admin';
  const node = (name: string) => ({ tenant_id: 'acme', gateway_id: 'edge', name });

  beforeAll(async () => {
    world = await startUsersWorld(context.database());
    const chief = (await world.login('admin')).access_token;
    await world.call('POST', `${admin}/gateways`, chief, { tenant_id: 'acme', id: 'edge', name: 'edge' });
    for (const role of ['admin', 'writer', 'reader']) {
      await world.call('POST', `${admin}/users`, chief, { tenant_id: 'acme', username: `a ${role}`, password, role });
      tokens[role] = (await world.login(`a ${role}`)).access_token;
    }
    const token = { tenant_id: 'acme', name: 'token', scopes: ['admin:read', 'admin:write'] };
    tokens['API token'] = (await world.call('POST', `${admin}/api-tokens`, chief, token)).body.token;
  });
  afterAll(() => world.stop());

  it('are made, changed and deleted by administrators only', async () => {
    const made = await world.call('POST', `${admin}/data-planes`, tokens['admin'], node('first'));
    expect(made).toMatchObject({ status: 201, body: { token: expect.stringMatching(/^gwdp_/) } });
    const path = `${admin}/data-planes/${made.body.id}`;
    for (const caller of ['writer', 'reader', 'API token']) {
      const statuses = [
        (await world.call('POST', `${admin}/data-planes`, tokens[caller], node('second'))).status,
        (await world.call('PATCH', path, tokens[caller], { labels: { a: 'b' } })).status,
        (await world.call('DELETE', path, tokens[caller])).status,
      ];
      expect(statuses, caller).toEqual([403, 403, 403]);
      expect((await world.call('GET', path, tokens[caller])).status, caller).toBe(200);
    }
    expect((await world.call('DELETE', path, tokens['admin'])).status).toBe(204);
  });
});
