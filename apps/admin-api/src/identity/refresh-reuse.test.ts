import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { password, silentLog, startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { mintToken } from './opaque-token.ts';

describeOnEachDatabase('a refresh token', (context) => {
  const warnings: object[] = [];
  let service: TestService;
  let reader: string;
  beforeAll(async () => {
    const log = { ...silentLog, warn: (facts: object) => warnings.push(facts) };
    service = await startTestService(context.url(), { log });
    await service.addTenant('acme');
    reader = await service.addUser('acme', 'reader', 'reader');
  });
  afterAll(() => service.stop());

  interface Login {
    readonly id: string;
    readonly access: string;
    readonly refresh: string;
  }
  const post = (path: string, body: object) => service.call('POST', path, body, { token: '' });
  const refresh = async (token: string, status = 200): Promise<string> => {
    const answer = await post('/auth/refresh', { refresh_token: token });
    expect(answer.status).toBe(status);
    return answer.body.refresh_token;
  };
  const login = async (username: string): Promise<Login> => {
    await service.addUser('acme', username, 'writer');
    const { body } = await post('/auth/login', { username, password });
    const [, id = ''] = body.refresh_token.split('_');
    return { id, access: body.access_token, refresh: body.refresh_token };
  };
  const isIn = async (token: string): Promise<boolean> =>
    (await service.call('GET', '/api/v1/admin/gateways', undefined, { token })).status === 200;
  /** What anyone who may read the tenant's audit log sees of a login, oldest first. */
  const audits = async (sessionId: string): Promise<Record<string, unknown>[]> => {
    const path = `/api/v1/admin/audits/?entity=session&entity_id=${sessionId}&limit=200`;
    const { body } = await service.call('GET', path, undefined, { token: reader });
    return body.items.toReversed();
  };

  it('that was made up around an ID from the audit log ends nothing and leaves no trace', async () => {
    const boss = await login('boss');
    const [seen] = await audits(boss.id);
    expect(seen).toMatchObject({ action: 'login', entity_id: boss.id });
    for (const path of ['/auth/refresh', '/auth/logout']) {
      const { token } = mintToken('gwrt', { id: String(seen?.['entity_id']) });
      expect((await post(path, { refresh_token: token })).status).toBe(401);
    }
    expect(await isIn(boss.access)).toBe(true);
    await refresh(boss.refresh);
    expect(await audits(boss.id)).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  it.each([1, 2, 5])(
    'that was exchanged %i exchanges ago revokes the login, once, and the log says so',
    async (age) => {
      const { id, access, refresh: first } = await login(`owner ${age}`);
      let present = first;
      for (let step = 0; step < age; step += 1) present = await refresh(present);
      expect(await isIn(access)).toBe(true);
      await refresh(first, 401);
      expect(await isIn(access)).toBe(false);
      await refresh(present, 401);
      await refresh(first, 401);
      const records = await audits(id);
      expect(records.map(({ action, actor_username: actor }) => [action, actor])).toEqual([
        ['login', `owner ${age}`],
        ['revoke', 'system'],
      ]);
      expect(records[1]?.['metadata']).toMatchObject({ reason: 'refresh_token_reused', username: `owner ${age}` });
      const told = warnings.filter((facts) => JSON.stringify(facts).includes(id));
      expect(told).toEqual([expect.objectContaining({ session_id: id, tenant_id: 'acme', source_ip: '127.0.0.1' })]);
      expect(JSON.stringify([told, records])).not.toMatch(/gwrt_/);
    },
  );

  it('shares half of its secret with the next one and not the rest', async () => {
    const { refresh: first } = await login('half');
    const second = await refresh(first);
    const [a = '', b = ''] = [first, second].map((token) => token.split('_')[2]);
    expect(b.slice(0, 21)).toBe(a.slice(0, 21));
    expect(b.slice(21, 43)).not.toBe(a.slice(21, 43));
    const mixed = mintToken('gwrt', { id: first.split('_')[1] ?? '', secretStart: a.slice(0, 20) });
    await refresh(mixed.token, 401);
    await refresh(second);
  });

  describe('that is handed in', () => {
    it('ends the login and is recorded once, however often it comes', async () => {
      const { id, access, refresh: token } = await login('leaver');
      for (const status of [204, 204]) {
        expect((await post('/auth/logout', { refresh_token: token })).status).toBe(status);
      }
      expect(await isIn(access)).toBe(false);
      const [, record, ...more] = await audits(id);
      expect(record).toMatchObject({
        action: 'logout',
        entity_type: 'session',
        actor_username: 'leaver',
        tenant_id: 'acme',
        source_ip: '127.0.0.1',
      });
      expect(more).toEqual([]);
    });

    it('names its user also when nobody of the tenant is let in', async () => {
      const { id, refresh: token } = await login('late leaver');
      await service.call('POST', '/api/v1/admin/tenants/acme/deactivate');
      expect((await post('/auth/refresh', { refresh_token: token })).status).toBe(401);
      expect((await post('/auth/logout', { refresh_token: token })).status).toBe(204);
      await service.call('POST', '/api/v1/admin/tenants/acme/activate');
      expect((await audits(id))[1]).toMatchObject({ action: 'logout', actor_username: 'late leaver' });
    });
  });

  it('or a password that is wrong is told in the log by the account, without what was typed', async () => {
    const { body } = await service.call('GET', '/api/v1/admin/users/boss?tenant_id=acme');
    warnings.length = 0;
    await post('/auth/login', { username: 'boss', password: 'not the one' });
    await post('/auth/login', { username: 'my password by mistake', password: 'not the one' });
    expect(warnings).toEqual([
      expect.objectContaining({
        user_id: body.id,
        tenant_id: 'acme',
        reason: 'wrong_password',
        source_ip: '127.0.0.1',
      }),
    ]);
    expect(JSON.stringify(warnings)).not.toMatch(/not the one|by mistake/);
  });

  it.each(['login', 'refresh', 'logout'])('or password that is refused by %s gets a challenge', async (name) => {
    const body = name === 'login' ? { username: 'boss', password: 'not the one' } : { refresh_token: 'gwrt_x' };
    const answer = await post(`/auth/${name}`, body);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="portcullis"']);
  });
});
