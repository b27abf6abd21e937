import { bundleFamilies } from '@portcullis/resources';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { collectionPaths } from '../resources/family-paths.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';

/** A tenant's configuration with records in every array that needs no key material, each referring to another by name. */
const bundle = {
  tenant_id: 'acme',
  gateways: [{ name: 'edge' }, { name: 'inner' }],
  vaults: [{ name: 'files', prefix: 'files', driver: 'file', config: {} }],
  cache_store_configs: [
    { name: 'shared', driver: 'redis', url: 'redis://cache.test:6379', password: 'canary-of-cache' },
  ],
  ai_records: [{ kind: 'policy', name: 'everyone', config: { rate_limit: 5 } }],
  realms: [{ name: 'both', gateway_ids: ['inner', 'edge'] }],
  consumers: [{ username: 'ann' }, { username: 'bob', custom_id: '7' }],
  upstreams: [{ gateway_name: 'edge', name: 'pool' }],
  services: [{ gateway_name: 'edge', name: 'pooled', upstream_name: 'pool' }],
  consumer_credentials: [
    { consumer_name: 'ann', type: 'basic', username: 'ann', password: 'canary-of-ann-1234' },
    { consumer_name: 'bob', type: 'api_key', name: 'main', key: 'canary-key-of-bob-0123' },
  ],
  consumer_groups: [{ name: 'staff', consumers: ['bob', 'ann'] }],
  routes: [{ gateway_name: 'edge', name: 'all', path: '/', service_name: 'pooled' }],
  targets: [],
  plugins: [{ name: 'rate_limiter', gateway_name: 'edge', config: { minute: 5 } }],
};

describeOnEachDatabase('a bundle with every kind of record', (context) => {
  let service: TestService;
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.call(method, `/api/v1/admin${path}${path.includes('?') ? '&' : '?'}tenant_id=acme`, body);
  const sync = (document: unknown): Promise<Answer> => call('POST', '/config/sync?dry_run=false', document);
  /** Every record of the bundle's families as the lists of the API show them, without what only the server sets. */
  const live = async (): Promise<Record<string, Answer['body'][]>> => {
    const arrays: Record<string, Answer['body'][]> = {};
    const gateways = (await call('GET', '/gateways')).body.items.map(({ id }: { id: string }) => id);
    for (const family of bundleFamilies) {
      const [template = ''] = collectionPaths(family);
      const path = template.replace('/admin', '');
      const paths = path.includes('{gateway_id}')
        ? gateways.map((id: string) => path.replace('{gateway_id}', id))
        : [path];
      const lists: Answer[] = await Promise.all(paths.map((one: string) => call('GET', one)));
      const own = new Set(['id', ...(family.scope === 'gateway' ? ['gateway_id'] : []), ...Object.keys(family.fields)]);
      const items = lists
        .flatMap((list): object[] => list.body.items)
        .map((record) => Object.fromEntries(Object.entries(record).filter(([name]) => own.has(name))));
      if (items.length > 0) arrays[family.bundle.key] = items;
    }
    return arrays;
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
  });
  afterAll(() => service.stop());

  it('is applied at once, and then there is nothing left to do', async () => {
    const checked = await call('POST', '/config/validate?strict=true', bundle);
    expect(checked.body, JSON.stringify(checked.body)).toMatchObject({ valid: true });
    const applied = await sync(bundle);
    expect(applied.body, JSON.stringify(applied.body)).toMatchObject({ status: 'success', counts: { created: 15 } });
    const again = await sync(bundle);
    expect(again.body, JSON.stringify(again.body.diff?.changes)).toMatchObject({
      status: 'success',
      counts: { created: 0, updated: 0, unchanged: 15 },
      revision: applied.body.revision,
    });
  });

  it('reads back as a bundle that changes nothing', async () => {
    const arrays = await live();
    expect(Object.values(arrays).flat()).toHaveLength(15);
    const diff = await call('POST', '/config/diff', { tenant_id: 'acme', ...arrays });
    expect(diff.body, JSON.stringify([diff.body.errors, diff.body.changes])).toMatchObject({
      in_sync: true,
      errors: [],
      unmanaged: [],
    });
    expect(JSON.stringify([arrays, diff.body])).not.toContain('canary');
  });

  it('hashes a changed password before the write and says that a secret changed, not which', async () => {
    const [basic, ...others] = bundle.consumer_credentials;
    const changed = { ...bundle, consumer_credentials: [{ ...basic, password: 'canary-of-ann-9999' }, ...others] };
    const diff = await call('POST', '/config/diff', changed);
    expect(diff.body.changes).toMatchObject([{ action: 'update', resource_type: 'consumer_credentials' }]);
    const applied = await sync(changed);
    expect(applied.body).toMatchObject({ status: 'success', counts: { updated: 1, unchanged: 14 } });
    expect((await sync(changed)).body.counts).toMatchObject({ updated: 0, unchanged: 15 });
    expect(JSON.stringify([diff.body, applied.body])).not.toContain('canary');
    const stored = await context.database().read.selectFrom('resources').select('body').execute();
    expect(JSON.stringify(stored)).not.toContain('canary');
  });

  it('leaves alone what a bundle does not mention, whichever array it is in', async () => {
    const diff = await call('POST', '/config/diff', { tenant_id: 'acme' });
    expect(diff.body).toMatchObject({ in_sync: true, summary: { unmanaged: 15, create: 0, update: 0 } });
    const before = await live();
    expect((await sync({ tenant_id: 'acme', realms: [] })).body).toMatchObject({ status: 'success' });
    expect(await live()).toEqual(before);
  });
});
