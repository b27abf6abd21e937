import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';
import { testdata } from './testdata.test-support.ts';

const admin = '/api/v1/admin';
const edge = `${admin}/gateways/edge`;
/** As many records as one deletion takes along. */
const dependentsMax = 2_500;

describeOnEachDatabase('certificates with very many SNIs', (context) => {
  let service: TestService;
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.call(method, `${path}${path.includes('?') ? '&' : '?'}tenant_id=acme`, body);
  const certificateWith = async (id: string, count: number): Promise<void> => {
    const body = { id, name: id, cert: testdata('rsa-leaf.pem'), key: testdata('rsa-leaf.key') };
    expect((await call('POST', `${edge}/certificates`, body)).status).toBe(201);
    const snis = Array.from({ length: count }, (_, n) => ({
      name: `${id}${n}.test`,
      certificate_id: id,
      gateway_id: 'edge',
    }));
    const { body: synced } = await call('POST', `${admin}/config/sync?dry_run=false`, { tenant_id: 'acme', snis });
    expect(synced.counts).toMatchObject({ created: count, failed: 0 });
  };
  const auditsOf = async (action: string): Promise<number> =>
    (await call('GET', `${admin}/audits/?entity=sni&actions=${action}&limit=1`)).body.total;

  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const tenantId of ['acme', 'globex']) await service.addTenant(tenantId);
    expect((await call('POST', `${admin}/gateways`, { id: 'edge', name: 'edge' })).status).toBe(201);
    await service.call('POST', `${admin}/consumers`, { tenant_id: 'globex', id: 'kim', username: 'kim' });
  });
  afterAll(() => service.stop());

  it('go with all of them, each audited, and keep no other tenant’s write waiting for long', async () => {
    await certificateWith('full', dependentsMax);
    const deletedBefore = await auditsOf('delete');
    const deleting = call('DELETE', `${edge}/certificates/full`);
    const startedMs = performance.now();
    const path = `${admin}/consumers/kim?tenant_id=globex`;
    expect((await service.call('PATCH', path, { custom_id: 'k' })).status).toBe(200);
    const waitedMs = performance.now() - startedMs;
    expect((await deleting).status).toBe(204);
    expect((await auditsOf('delete')) - deletedBefore).toBe(dependentsMax);
    expect((await call('GET', `${edge}/snis`)).body.total).toBe(0);
    // A machine that does much else takes longer; record by record it took several times as long.
    expect(waitedMs).toBeLessThan(4000);
  }, 120_000);

  it('more of them than one deletion takes along stay, and say so; a write of the certificate leaves them alone', async () => {
    await certificateWith('over', dependentsMax + 1);
    const refused = await call('DELETE', `${edge}/certificates/over`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'referenced_by_others' } });
    expect(refused.body.detail).toContain('at most 2500 records');
    expect((await call('PATCH', `${edge}/certificates/over`, { snis: [] })).status).toBe(409);
    expect((await call('PATCH', `${edge}/certificates/over`, { labels: { a: 'b' } })).status).toBe(200);
    const { body } = await call('GET', `${edge}/snis?limit=1`);
    expect(body.total).toBe(dependentsMax + 1);
    await call('DELETE', `${edge}/snis/${body.items[0].id}`);
    expect((await call('PATCH', `${edge}/certificates/over`, { snis: [] })).status).toBe(200);
    expect((await call('GET', `${edge}/snis`)).body.total).toBe(0);
  }, 120_000);
});
