import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';

const admin = '/api/v1/admin';
const aDigest = { secret_digest: expect.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/) };

describeOnEachDatabase('secrets in the audit log', (context) => {
  let service: TestService;
  const make = async (tenantId: string, path: string, body: object): Promise<Answer['body']> => {
    const answer = await service.call('POST', `${admin}${path}?tenant_id=${tenantId}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const change = async (path: string, body: object): Promise<void> => {
    const answer = await service.call('PATCH', `${admin}${path}?tenant_id=acme`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const recordsOf = async (id: string): Promise<Answer['body'][]> =>
    (await service.call('GET', `${admin}/audits/?entity_id=${id}&sort_direction=asc`)).body.items;

  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const tenantId of ['acme', 'globex']) await service.addTenant(tenantId);
  });
  afterAll(() => service.stop());

  it('stand as digests that show whether a secret changed, and to a value that was there before', async () => {
    const { id: consumerId } = await make('acme', '/consumers', { username: 'signs' });
    const { id } = await make('acme', '/consumer-credentials', {
      consumer_id: consumerId,
      type: 'hmac',
      key_id: 'k1',
      secret: 'first-secret-of-sixteen',
    });
    const at = `/consumer-credentials/${id}`;
    await change(at, { secret: 'second-secret-of-sixteen' });
    await change(at, { labels: { a: 'b' } });
    await change(at, { secret: 'first-secret-of-sixteen' });
    const [created, replaced, tagged, restored] = await recordsOf(id);
    expect(created.after.secret).toEqual(aDigest);
    expect(replaced.before.secret).toEqual(created.after.secret);
    expect(replaced.after.secret).not.toEqual(created.after.secret);
    expect([tagged.before.secret, tagged.after.secret]).toEqual([replaced.after.secret, replaced.after.secret]);
    expect(restored.after.secret).toEqual(created.after.secret);
    expect(JSON.stringify([created, replaced, tagged, restored])).not.toContain('secret-of-sixteen');
  });

  it('have digests of their tenant: those of another one say nothing', async () => {
    const digests: unknown[] = [];
    for (const tenantId of ['acme', 'globex']) {
      const { id: consumerId } = await make(tenantId, '/consumers', { username: 'same' });
      const body = { consumer_id: consumerId, type: 'hmac', key_id: 'same', secret: 'the-same-secret-of-both' };
      const { id } = await make(tenantId, '/consumer-credentials', body);
      digests.push((await recordsOf(id))[0].after.secret);
    }
    expect(digests).toEqual([aDigest, aDigest]);
    expect(digests[0]).not.toEqual(digests[1]);
  });

  it('show a new password of a user, whose hash is salted', async () => {
    await service.addUser('acme', 'changes', 'reader');
    const { items } = (await service.call('GET', `${admin}/users?tenant_id=acme&username=changes`)).body;
    const { id } = items.find((user: Answer['body']) => user.username === 'changes');
    await change(`/users/${id}`, { password: 'another long password' });
    const [created, changed] = await recordsOf(id);
    expect([created.after.password, changed.before.password]).toEqual([aDigest, created.after.password]);
    expect(changed.after.password).not.toEqual(changed.before.password);
  });

  it('stand in the places of masks inside a configuration', async () => {
    await make('acme', '/gateways', { id: 'edge', name: 'edge' });
    const plugins = (key: string) => [{ name: 'api_key_auth', config: { valid_keys: ['stays the same', key] } }];
    const route = { name: 'guarded', path: '/guarded', plugins: plugins('the key of before') };
    const { id } = await make('acme', '/gateways/edge/routes', route);
    await change(`/gateways/edge/routes/${id}`, { plugins: plugins('the key of after') });
    const [, { before, after }] = await recordsOf(id);
    const keysOf = (view: Answer['body']): unknown[] => view.plugins[0].config.valid_keys;
    expect(keysOf(before)).toEqual([aDigest, aDigest]);
    expect(keysOf(after)[0]).toEqual(keysOf(before)[0]);
    expect(keysOf(after)[1]).not.toEqual(keysOf(before)[1]);
  });
});
