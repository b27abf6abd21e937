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
    for (const scope of ['admin:read', 'admin:write']) {
      const token = { tenant_id: 'acme', name: scope, scopes: [scope] };
      tokens[scope] = (await world.call('POST', `${admin}/api-tokens`, chief, token)).body.token;
    }
  });
  afterAll(() => world.stop());

  // Which is why the ADR on who may do what says that whoever may write may have those secrets.
  it('are made, changed and deleted by whoever may write, and by nobody else', async () => {
    const made = await world.call('POST', `${admin}/data-planes`, tokens['admin'], node('first'));
    expect(made).toMatchObject({ status: 201, body: { token: expect.stringMatching(/^gwdp_/) } });
    const path = `${admin}/data-planes/${made.body.id}`;
    for (const caller of ['reader', 'admin:read']) {
      const statuses = [
        (await world.call('POST', `${admin}/data-planes`, tokens[caller], node('second'))).status,
        (await world.call('PATCH', path, tokens[caller], { labels: { a: 'b' } })).status,
        (await world.call('DELETE', path, tokens[caller])).status,
      ];
      expect(statuses, caller).toEqual([403, 403, 403]);
      const read = await world.call('GET', path, tokens[caller]);
      expect([read.status, read.body.token], caller).toEqual([200, undefined]);
    }
    for (const caller of ['writer', 'admin:write']) {
      const { status, body } = await world.call('POST', `${admin}/data-planes`, tokens[caller], node(caller));
      expect([status, body.token], caller).toEqual([201, expect.stringMatching(/^gwdp_/)]);
      const own = `${admin}/data-planes/${body.id}`;
      const changed = await world.call('PATCH', own, tokens[caller], { labels: { a: 'b' } });
      expect([changed.status, changed.body.token], caller).toEqual([200, undefined]);
      expect((await world.call('DELETE', own, tokens[caller])).status, caller).toBe(204);
    }
  });
});
