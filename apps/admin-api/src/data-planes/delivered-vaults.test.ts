import { deliveredVault } from '@portcullis/resources';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type Answer, type TestService } from '../testing/test-service.test-support.ts';
import { applied, readConfiguration, recordsOf, type ReadConfiguration } from './read-configuration.test-support.ts';

const canary = 'canary-token-of-a-vault-0123456789';

describeOnEachDatabase('the vaults in a gateway’s configuration', (context) => {
  let service: TestService;
  const tokens = new Map<string, string>();
  const admin = (tenant: string, method: string, path: string, body?: object): Promise<Answer> =>
    service.call(method, `/api/v1/admin${path}?tenant_id=${tenant}`, body);
  const make = async (tenant: string, path: string, body: object): Promise<Answer['body']> => {
    const answer = await admin(tenant, 'POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const fetchFor = async (gateway: string, have?: ReadConfiguration): Promise<ReadConfiguration> => {
    const since = have ? `?since=${have.head.revision}` : '';
    const answer = await service.call('GET', `/api/v1/data-plane/config${since}`, undefined, {
      token: tokens.get(gateway) ?? '',
      ...(have && { headers: { 'if-none-match': `"${have.head.hash}"` } }),
    });
    expect(answer.status).toBe(200);
    return readConfiguration(answer.body);
  };
  const hashicorp = {
    driver: 'hashicorp',
    config: { address: 'https://vault.test:8200/', token: canary, namespace: 'team' },
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const [tenant, gateways] of [
      ['acme', ['a1', 'a2']],
      ['globex', ['g1']],
    ] as const) {
      await service.addTenant(tenant);
      for (const id of gateways) {
        await make(tenant, '/gateways', { id, name: id });
        tokens.set(id, (await make(tenant, '/data-planes', { gateway_id: id, name: `node of ${id}` })).token);
      }
    }
  });
  afterAll(() => service.stop());

  it('are absent without any, in the form that gateways of before know', async () => {
    const { head } = await fetchFor('a1');
    expect(head.format).toBe(2);
  });

  it('go to every gateway of the tenant with their tokens opened, and to no other tenant', async () => {
    await make('acme', '/vaults', { prefix: 'prod', description: 'for operators', ...hashicorp });
    await make('acme', '/vaults', { prefix: 'env', driver: 'env', config: { prefix: 'ACME_' } });
    await make('globex', '/vaults', { prefix: 'prod', driver: 'file', config: {} });
    for (const gateway of ['a1', 'a2']) {
      const read = await fetchFor(gateway);
      expect(read.head.format).toBe(3);
      const vaults = recordsOf(read, 'vaults').map((record) => v.parse(deliveredVault, record));
      expect(vaults.toSorted((one, other) => one.prefix.localeCompare(other.prefix))).toMatchObject([
        { prefix: 'env', driver: 'env', config: { prefix: 'ACME_' } },
        {
          prefix: 'prod',
          config: { token: canary, namespace: 'team', mount: 'secret', kv_version: 2, ttl_seconds: 60 },
        },
      ]);
      expect(JSON.stringify([...read.lines.values()])).not.toMatch(/for operators|redacted/);
    }
    const other = await fetchFor('g1');
    expect(recordsOf(other, 'vaults')).toMatchObject([{ prefix: 'prod', driver: 'file' }]);
    expect(JSON.stringify([...other.lines.values()])).not.toContain(canary);
  });

  it('come as deltas when they change and when they go', async () => {
    const first = await fetchFor('a1');
    const [vault] = recordsOf(first, 'vaults').filter(({ prefix }) => prefix === 'prod');
    await admin('acme', 'PATCH', '/vaults/prod', { config: { token: `${canary}-rotated` } });
    const change = await fetchFor('a1', first);
    expect([change.head.since?.revision, change.head.format]).toEqual([first.head.revision, 3]);
    expect([...change.lines.keys()]).toEqual([`vaults/${vault?.id}`]);
    expect(recordsOf(change, 'vaults')).toMatchObject([{ config: { token: `${canary}-rotated` } }]);
    const second = applied(first, change);
    await admin('acme', 'DELETE', '/vaults/prod');
    const removal = await fetchFor('a1', second);
    expect([removal.lines.size, removal.removed, removal.head.format]).toEqual([0, [`vaults/${vault?.id}`], 3]);
    const third = applied(second, removal);
    expect(recordsOf(third, 'vaults')).toMatchObject([{ prefix: 'env' }]);
    await admin('acme', 'DELETE', '/vaults/env');
    expect((await fetchFor('a2')).head.format).toBe(2);
  });
});
