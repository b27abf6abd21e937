import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';

describeOnEachDatabase('lists of references', (context) => {
  let service: TestService;
  const inTenant = (path: string): string => `/api/v1/admin${path}${path.includes('?') ? '&' : '?'}tenant_id=acme`;
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.call(method, inTenant(path), body);
  const make = async (path: string, body: object): Promise<Answer['body']> => {
    const answer = await call('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const gateway = (id: string, name = id) => make('/gateways', { id, name });
  const rows = (table: 'audit_records' | 'changes') =>
    context.database().read.selectFrom(table).selectAll().where('tenant_id', '=', 'acme').execute();

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
  });
  afterAll(() => service.stop());

  it('take IDs and names, and keep IDs in the order given', async () => {
    await gateway('g-1', 'first');
    await gateway('g-2', 'second');
    // Its name is another gateway's ID: the ID wins.
    await gateway('g-3', 'g-1');
    const realm = await make('/realms', { name: 'ordered', gateway_ids: ['second', 'g-1', 'g-3'] });
    expect(realm.gateway_ids).toEqual(['g-2', 'g-1', 'g-3']);
    const turned = await call('PATCH', '/realms/ordered', { gateway_ids: ['g-3', 'second'] });
    expect(turned.body).toMatchObject({ gateway_ids: ['g-3', 'g-2'], revision: 2 });
    const same = await call('PATCH', '/realms/ordered', { gateway_ids: ['g-3', 'g-2'] });
    expect(same.body.revision).toBe(2);
    const referring = async (id: string) => (await call('GET', `/gateways/${id}/references`)).body.items;
    expect(await referring('g-2')).toEqual([{ resource_type: 'realm', id: realm.id, field: 'gateway_ids' }]);
    expect(await referring('g-1')).toEqual([]);
    expect((await call('GET', '/realms?gateway_ids=g-3')).body.items).toMatchObject([{ id: realm.id }]);
    expect((await call('GET', '/realms?gateway_ids=g-1')).body.total).toBe(0);
  });

  it('name every entry that leads nowhere, and refuse two entries for one record', async () => {
    await gateway('g-4', 'fourth');
    await service.addTenant('foreign');
    await service.call('POST', '/api/v1/admin/gateways', { tenant_id: 'foreign', id: 'theirs', name: 'theirs' });
    const unknown = await call('POST', '/realms', { name: 'r', gateway_ids: ['fourth', 'nowhere', 'theirs'] });
    expect(unknown).toMatchObject({ status: 422, body: { code: 'reference_not_found' } });
    expect(unknown.body.errors).toEqual(
      [1, 2].map((index) => ({
        pointer: `/gateway_ids/${index}`,
        code: 'reference_not_found',
        message: 'gateway not found',
      })),
    );
    const twice = await call('POST', '/realms', { name: 'r', gateway_ids: ['fourth', 'g-4'] });
    expect(twice).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/gateway_ids/1', code: 'duplicate' }] },
    });
    for (const odd of ['g-4', [null], [['g-4']], [{}], { 0: 'g-4' }]) {
      expect((await call('POST', '/realms', { name: 'r', gateway_ids: odd })).status, JSON.stringify(odd)).toBe(422);
    }
  });

  it('let go of a target that is deleted, as a change of their own', async () => {
    await gateway('g-5');
    await gateway('g-6');
    const realm = await make('/realms', { name: 'losing', gateway_ids: ['g-5', 'g-6'] });
    const other = await make('/realms', { name: 'losing-too', gateway_ids: ['g-5'] });
    expect((await call('DELETE', '/gateways/g-5')).status).toBe(204);
    expect((await call('GET', '/realms/losing')).body).toMatchObject({ gateway_ids: ['g-6'], revision: 2 });
    expect((await call('GET', '/realms/losing-too')).body).toMatchObject({ gateway_ids: [], revision: 2 });
    const audits = (await rows('audit_records')).filter(
      (row) => 'entity_id' in row && row.entity_id === realm.id && row.action === 'update',
    );
    expect(audits).toHaveLength(1);
    const changed = (await rows('changes')).filter((row) => 'family' in row && row.action === 'update');
    expect(changed.map((row) => ('id' in row ? row.id : ''))).toEqual(expect.arrayContaining([realm.id, other.id]));
    const [last] = (await rows('changes')).slice(-1);
    const together = (await rows('changes')).filter(
      (row) => 'revision' in row && row.revision === (last as { revision: number }).revision,
    );
    expect(together).toHaveLength(3);
    // Still a record like any other.
    expect((await call('PATCH', '/realms/losing', { description: 'x' })).body.revision).toBe(3);
  });

  it('a bundle names entries as well, and an order that means nothing is no change', async () => {
    const bundle = {
      tenant_id: 'acme',
      gateways: [{ name: 'b-1' }, { name: 'b-2' }],
      realms: [{ name: 'from-bundle', gateway_ids: ['b-2', 'b-1', 'first'] }],
    };
    const applied = await call('POST', '/config/sync?dry_run=false&strict=false', bundle);
    expect(applied.body, JSON.stringify(applied.body)).toMatchObject({ status: 'success', counts: { created: 3 } });
    const made = await call('GET', '/realms/from-bundle');
    expect(made.body.gateway_ids).toHaveLength(3);
    expect(made.body.gateway_ids.at(-1)).toBe('g-1');
    const again = await call('POST', '/config/diff', {
      ...bundle,
      realms: [{ name: 'from-bundle', gateway_ids: ['g-1', 'b-1', 'b-2'] }],
    });
    expect(again.body).toMatchObject({ in_sync: true, errors: [] });
    const fewer = await call('POST', '/config/diff', {
      ...bundle,
      realms: [{ name: 'from-bundle', gateway_ids: ['g-1', 'b-1'] }],
    });
    expect(fewer.body.changes).toMatchObject([{ action: 'update', fields: [{ path: '/gateway_ids' }] }]);
    const broken = await call('POST', '/config/diff', {
      ...bundle,
      realms: [{ name: 'from-bundle', gateway_ids: ['b-1', 'nowhere'] }],
    });
    expect(broken.body.errors).toMatchObject([{ pointer: '/realms/0/gateway_ids/1', code: 'reference_not_found' }]);
  });
});
