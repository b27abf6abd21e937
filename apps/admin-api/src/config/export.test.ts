import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, CallOptions, TestService } from '../testing/test-service.test-support.ts';
import { canary, privateKeys, recordsIn, wholeTenant } from './whole-tenant.test-support.ts';

const standardArrays = [
  'gateways',
  'services',
  'routes',
  'upstreams',
  'targets',
  'consumers',
  'consumer_credentials',
  'certificates',
  'snis',
  'vaults',
];

describeOnEachDatabase('export of a configuration', (context) => {
  let service: TestService;
  const bundle = wholeTenant('acme');
  const config = (path: string, options: CallOptions = {}): Promise<Answer> =>
    service.call('GET', `/api/v1/admin/config/${path}`, undefined, options);
  const send = (path: string, body: unknown): Promise<Answer> =>
    service.call('POST', `/api/v1/admin/config/${path}`, body);
  const exported = async (query = ''): Promise<Answer['body']> => {
    const answer = await config(`export?tenant_id=acme${query}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const tenant of ['acme', 'empty', 'other']) await service.addTenant(tenant);
    const applied = await send('sync?dry_run=false', bundle);
    expect(applied.body, JSON.stringify(applied.body)).toMatchObject({
      status: 'success',
      counts: { created: recordsIn(bundle) },
    });
    // Nothing but its ID leads to a service from here.
    const services = await service.call('GET', '/api/v1/admin/gateways/edge/services?tenant_id=acme&name=direct');
    const plugin = {
      name: 'rate_limiter',
      scope: 'service',
      service_id: services.body.items[0].id,
      config: { minute: 9 },
    };
    expect((await service.call('POST', '/api/v1/admin/plugins?tenant_id=acme', plugin)).status).toBe(201);
  });
  afterAll(() => service.stop());

  it('of an empty tenant has the ten standard arrays and no others, in JSON and YAML', async () => {
    const { body, headers } = await config('export?tenant_id=empty');
    expect(headers.get('content-type')).toBe('application/json');
    expect(body).toEqual({ tenant_id: 'empty', ...Object.fromEntries(standardArrays.map((key) => [key, []])) });
    expect(Object.keys(body)).toEqual(['tenant_id', ...standardArrays]);
    const yaml = await config('export?tenant_id=empty&format=yaml');
    expect(yaml.headers.get('content-type')).toBe('application/yaml');
    expect(parse(yaml.body)).toEqual(body);
  });

  it('is said in the form that is asked for, and both forms say the same', async () => {
    const json = await exported();
    for (const query of ['', '&ids=false']) {
      const byHeader = await config(`export?tenant_id=acme${query}`, { headers: { accept: 'application/yaml' } });
      expect(byHeader.headers.get('content-type')).toBe('application/yaml');
      expect(parse(byHeader.body)).toEqual(await exported(query));
    }
    const overruled = await config('export?tenant_id=acme&format=json', { headers: { accept: 'application/yaml' } });
    expect(overruled.body).toEqual(json);
    const short = await service.call('GET', '/admin/config/export?tenant_id=acme');
    expect(short.body).toEqual(json);
    expect((await config('export?tenant_id=acme&format=xml')).status).toBe(422);
    expect((await config('export?tenant_id=acme&ids=maybe')).status).toBe(422);
  });

  it('changes nothing when it is applied where it comes from, with IDs and without, in JSON and YAML', async () => {
    const before = (await send('diff', { tenant_id: 'acme' })).body;
    for (const query of ['', '&ids=false', '&format=yaml', '&ids=false&format=yaml']) {
      const { body } = await config(`export?tenant_id=acme${query}`);
      const type = typeof body === 'string' ? 'application/yaml' : 'application/json';
      const headers = { 'content-type': type };
      const diff = await service.call('POST', '/api/v1/admin/config/diff', body, { headers });
      expect(diff.body, query + JSON.stringify([diff.body.errors, diff.body.changes])).toMatchObject({
        in_sync: true,
        changes: [],
        unmanaged: [],
        errors: [],
        summary: { unchanged: recordsIn(bundle) + 1 },
      });
      for (const operation of ['import?overwrite=true&snapshot=true', 'sync?dry_run=false']) {
        const done = await service.call('POST', `/api/v1/admin/config/${operation}`, body, { headers });
        expect(done.body, JSON.stringify(done.body)).toMatchObject({
          status: 'success',
          counts: { created: 0, updated: 0, unchanged: recordsIn(bundle) + 1, failed: 0 },
          snapshot: null,
          revision: before.live_revision,
        });
      }
    }
  });

  it('without IDs names what it can, and keeps the IDs that nothing else stands for', async () => {
    const named = await exported('&ids=false');
    const all: Answer['body'] = await exported();
    const kept = Object.entries<Answer['body'][]>(named).flatMap(([key, list]) =>
      Array.isArray(list)
        ? list.filter(({ id }) => id !== undefined).map((record) => [key, record.name ?? record.custom_id])
        : [],
    );
    expect(kept).toEqual([['services', 'direct']]);
    expect(named.routes[0]).toMatchObject({ gateway_name: 'edge', service_name: 'pooled' });
    expect(named.routes[0]).not.toHaveProperty('service_id');
    expect(named.consumer_groups).toMatchObject([{ name: 'staff', consumers: ['ann', 'bob'] }]);
    expect(named.realms[0].gateway_ids).toEqual(['edge', 'inner']);
    expect(all.routes[0]).toMatchObject({ service_id: expect.any(String), gateway_id: expect.any(String) });
    for (const record of Object.values<Answer['body']>(all).flat()) {
      if (typeof record === 'object') {
        expect(record).not.toHaveProperty('created_at');
        expect(record).not.toHaveProperty('revision');
        expect(Object.values(record)).not.toContain(null);
      }
    }
  });

  it('without IDs can be applied to another tenant once its secrets are filled in', async () => {
    const named = { ...(await exported('&ids=false')), tenant_id: 'other' };
    const refused = await send('import', named);
    expect(refused.body).toMatchObject({ status: 'failed', counts: { created: 0 }, snapshot: null });
    const { errors } = refused.body.validation;
    expect(new Set(errors.map(({ code }: { code: string }) => code))).toEqual(new Set(['secret_required']));
    const pointers = errors.map(({ pointer }: { pointer: string }) => pointer).toSorted();
    const masked = pointersOfMasks(named).toSorted();
    expect(pointers).toEqual(masked);
    const filled = filledIn(named, bundle);
    const applied = await send('import', filled);
    expect(applied.body, JSON.stringify(applied.body.validation?.errors)).toMatchObject({
      status: 'success',
      counts: { created: recordsIn(bundle) + 1, failed: 0 },
    });
    const copy = await config('export?tenant_id=other&ids=false');
    expect(withoutDigests(copy.body)).toEqual(withoutDigests({ ...named, tenant_id: 'other' }));
  });

  it('holds no secret, and neither does anything else that says something of a bundle', async () => {
    const texts = [
      JSON.stringify(await exported()),
      (await config('export?tenant_id=acme&format=yaml&ids=false')).body,
      JSON.stringify((await send('diff', bundle)).body),
      JSON.stringify((await send('import?overwrite=true', bundle)).body),
      JSON.stringify((await send('import?overwrite=true&atomic=false', { ...bundle, tenant_id: 'other' })).body),
      JSON.stringify((await send('sync', { ...bundle, tenant_id: 'empty' })).body),
      JSON.stringify((await config('snapshots?tenant_id=acme')).body),
    ];
    for (const text of texts) {
      expect(text).not.toContain(canary);
      for (const key of privateKeys) expect(text).not.toContain(key.split('\n')[2]);
    }
    expect(texts[0]).toContain('[redacted]');
    const rows = await context.database().read.selectFrom('resources').select('body').execute();
    expect(JSON.stringify(rows)).not.toContain(canary);
  });

  it('is for whoever may read the tenant that it names', async () => {
    const reader = await service.addUser('acme', 'rita', 'reader');
    const stranger = await service.addUser('other', 'otto', 'admin');
    expect((await config('export?tenant_id=acme', { token: reader })).status).toBe(200);
    for (const token of [reader, service.token]) {
      expect((await config('export', { token })).body).toMatchObject({ status: 400, code: 'tenant_required' });
    }
    for (const tenant of ['acme', 'no-such-tenant']) {
      const answer = await config(`export?tenant_id=${tenant}`, { token: stranger });
      expect(answer.body).toMatchObject({ status: 403, code: 'cross_tenant', detail: 'Cannot access another tenant' });
    }
    expect((await config('export?tenant_id=acme', { token: '' })).status).toBe(401);
    expect((await service.call('POST', '/api/v1/admin/config/export?tenant_id=acme')).status).toBe(405);
    const head = await service.call('HEAD', '/api/v1/admin/config/export?tenant_id=acme');
    expect([head.status, head.body]).toEqual([200, undefined]);
  });
});

/** JSON Pointers of all masks in a document. */
function pointersOfMasks(value: unknown, pointer = ''): string[] {
  if (typeof value === 'string') return value.startsWith('[redacted') ? [pointer] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => pointersOfMasks(inner, `${pointer}/${key}`));
}

/** The document with the secrets that the records of the same names have in another one. */
function filledIn(named: Answer['body'], source: object): object {
  const entries = Object.entries<Answer['body']>(named).map(([key, list]) => {
    if (!Array.isArray(list)) return [key, list];
    const originals = (source as Answer['body'])[key] ?? [];
    const filled = list.map((record) => {
      const original = originals.find((one: Answer['body']) => isSame(one, record));
      return original ? merged(record, original) : record;
    });
    return [key, filled];
  });
  return Object.fromEntries(entries);
}

function isSame(one: Answer['body'], other: Answer['body']): boolean {
  const identity = ['name', 'username', 'custom_id', 'type', 'gateway_name', 'consumer_name', 'cert', 'scope'];
  const given = identity.filter((field) => one[field] !== undefined);
  return given.every((field) => String(one[field]).trim() === String(other[field]).trim());
}

function merged(masked: unknown, original: unknown): unknown {
  if (typeof masked === 'string' && masked.startsWith('[redacted')) return original;
  if (typeof masked !== 'object' || masked === null) return masked;
  const pairs = Object.entries(masked).map(([key, inner]) => [key, merged(inner, (original as Answer['body'])?.[key])]);
  return Array.isArray(masked) ? pairs.map(([, inner]) => inner) : Object.fromEntries(pairs);
}

function withoutDigests(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document).replaceAll(/\[redacted:[0-9a-f]{8}\]/g, '[redacted]'));
}
