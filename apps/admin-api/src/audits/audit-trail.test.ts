import { eventually } from '@portcullis/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { TestService } from '../testing/test-service.test-support.ts';
import { someEntry, waiting, write } from './chain/chain-world.test-support.ts';

describeOnEachDatabase('the audit trail of a service', (context) => {
  let service: TestService;
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  /** How many records the log of a tenant has, or that of all; they are verified. */
  const verified = async (tenantId?: string): Promise<number> => {
    const { body } = await service.call('POST', '/api/v1/admin/audits/verify', { tenant_id: tenantId });
    expect(body).toMatchObject({ valid: true });
    return body.checked;
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
  });
  afterAll(() => service.stop());

  it('chains what an answered write left', async () => {
    await eventually(async () => (await waiting(context.database())) === 0);
    expect(await verified()).toBeGreaterThan(1);
    expect(await verified('acme')).toBeGreaterThan(0);
    expect(await metric('portcullis_audit_chained_total')).toBeGreaterThan(1);
  });

  it('chains what a process left that is gone, although nobody asks', async () => {
    await write(context.database(), someEntry('acme'), someEntry(''));
    await eventually(async () => (await waiting(context.database())) === 0);
    expect(await verified()).toBeGreaterThan(3);
  });

  it('says in its metrics that nothing waits', async () => {
    await eventually(async () => {
      const names = ['unchained_records', 'oldest_unchained_seconds'];
      const values = await Promise.all(names.map((name) => metric(`portcullis_audit_${name}`)));
      return values.every((value) => value === 0);
    });
    expect(await metric('portcullis_audit_late_answers_total')).toBeGreaterThanOrEqual(0);
  });

  it('keeps the chain of a tenant that is deleted, and ends it with the deletion', async () => {
    await service.addTenant('brief');
    expect((await service.call('DELETE', '/api/v1/admin/tenants/brief')).status).toBe(204);
    expect(await verified('brief')).toBe(2);
    const { body } = await service.call('GET', '/api/v1/admin/audits/?tenant_id=brief');
    expect(body.items).toMatchObject([
      { action: 'delete', tenant_sequence: 2 },
      { action: 'create', tenant_sequence: 1 },
    ]);
  });
});
