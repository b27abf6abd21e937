import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import type { SuiteContext } from '../database/each-database.test-support.ts';
import { password, startTestService } from '../testing/test-service.test-support.ts';
import type { TestService } from '../testing/test-service.test-support.ts';

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

describeOnEachDatabase('bundles over HTTP', (context: SuiteContext) => {
  let service: TestService;
  let token = '';

  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const bundle = (operation: string, records: object) =>
    call('POST', `/api/v1/admin/config/${operation}`, { tenant_id: 'acme', ...records });
  const apply = (records: object) => bundle('sync?dry_run=false', records);
  const revision = async (): Promise<number> => (await bundle('diff', {})).body.live_revision;

  beforeAll(async () => {
    service = await startTestService(context.url());
    token = (await call('POST', '/auth/login', { username: 'admin', password })).body.access_token;
    expect((await call('POST', '/api/v1/admin/tenants', { name: 'Acme', slug: 'acme' })).status).toBe(201);
    const gateways = ['g1', 'g2'].map((id) => ({ id, name: id }));
    expect((await apply({ gateways })).body).toMatchObject({ status: 'success', counts: { created: 2 } });
  });
  afterAll(() => service.stop());

  it('a record stays in its gateway: a sync that gives its ID to another one is refused whole', async () => {
    const service1 = { id: 'sx', name: 'sx', url: 'http://one.test' };
    expect((await apply({ services: [{ ...service1, gateway_id: 'g1' }] })).body.status).toBe('success');
    const at = await revision();
    const moved = { ...service1, gateway_id: 'g2', url: 'http://two.test' };
    const answer = await apply({ consumers: [{ username: 'never' }], services: [moved] });
    expect(answer.body).toMatchObject({
      status: 'failed',
      validation: { errors: [{ pointer: '/services/0/gateway_id', code: 'immutable' }] },
      results: [],
      revision: at,
    });
    expect(await revision()).toBe(at);
    expect((await call('GET', '/api/v1/admin/gateways/g1/services/sx?tenant_id=acme')).body.url).toContain('one.test');
  });

  it('a new credential needs its key: one that a sync makes up would be shown to nobody', async () => {
    const at = await revision();
    const credential = { consumer_name: 'kim', type: 'api_key', name: 'main' };
    const records = { consumers: [{ username: 'kim' }], consumer_credentials: [credential] };
    for (const operation of ['diff', 'sync', 'sync?dry_run=false']) {
      const { body } = await bundle(operation, records);
      const errors = body.errors ?? body.validation.errors;
      expect(errors, operation).toMatchObject([{ pointer: '/consumer_credentials/0/key', code: 'secret_required' }]);
    }
    expect(await revision()).toBe(at);
    const given = { ...records, consumer_credentials: [{ ...credential, key: 'a-key-of-some-length' }] };
    expect((await apply(given)).body).toMatchObject({ status: 'success', counts: { created: 2 } });
    expect((await apply(records)).body).toMatchObject({ status: 'success', counts: { unchanged: 2 } });
  });

  it('a large bundle is planned in a thread, written in batches, and unchanged the second time', async () => {
    const routes = Array.from({ length: 1200 }, (_, index) => ({
      name: `r${index}`,
      gateway_name: 'g1',
      service_name: 'front',
      path: `/r/${index}`,
    }));
    const plugins = [{ name: 'api_key_auth', config: { valid_keys: ['a-secret-of-some-length'] } }];
    const services = [{ name: 'front', gateway_name: 'g1', url: 'http://front.test' }];
    const before = await revision();
    const first = await apply({ services, routes, plugins });
    expect(first.body, JSON.stringify(first.body).slice(0, 500)).toMatchObject({
      status: 'success',
      counts: { created: 1202 },
      revision: before + 1,
    });
    expect((await apply({ services, routes, plugins })).body).toMatchObject({
      counts: { created: 0, updated: 0, unchanged: 1202 },
      revision: before + 1,
    });
    const clash = await apply({
      routes: [...routes, { name: 'new', gateway_name: 'g1', path: '/', service_id: 'sx' }],
    });
    expect(clash.body).toMatchObject({ status: 'success', counts: { created: 1 } });
  }, 60_000);

  it('many updates are written in batches, in any mixture with new records, and may swap names', async () => {
    const consumers = Array.from({ length: 700 }, (_, index) => ({ id: `m${index}`, username: `m${index}` }));
    await apply({ consumers });
    const before = await revision();
    // Each takes its neighbour's name; the last one's goes to a new record that stands before it.
    const renamed = consumers.map(({ id }, index) => ({ id, username: `m${index + 1}`, custom_id: `c${index}` }));
    const wanted = [{ id: 'fresh', username: 'm0' }, ...renamed];
    const { body } = await apply({ consumers: wanted });
    expect(body, JSON.stringify(body).slice(0, 500)).toMatchObject({
      status: 'success',
      counts: { created: 1, updated: 700 },
      revision: before + 1,
    });
    expect(body.results.map(({ id }: { id: string }) => id)).toEqual(wanted.map(({ id }) => id));
    const shown = await call('GET', '/api/v1/admin/consumers/m5?tenant_id=acme');
    expect(shown.body).toMatchObject({ id: 'm5', username: 'm6', revision: 2 });
    expect((await apply({ consumers: wanted })).body.counts).toMatchObject({ unchanged: 701 });
    const audits = await call('GET', '/api/v1/admin/audits/?tenant_id=acme&entity_id=m699&actions=update');
    expect(audits.body.items).toMatchObject([{ before: { username: 'm699' }, after: { username: 'm700' } }]);
  }, 60_000);

  it('a reference to a record that bundles do not hold is looked up when it is planned', async () => {
    const made = await call('POST', '/api/v1/admin/workspaces?tenant_id=acme', { name: 'there' });
    const at = await revision();
    const gateways = [
      { name: 'in-it', workspace_id: made.body.id },
      { name: 'astray', workspace_id: 'nowhere' },
    ];
    for (const operation of ['diff', 'sync', 'sync?dry_run=false']) {
      const { status, body } = await bundle(operation, { gateways });
      expect(status, operation).toBe(200);
      expect(body.errors ?? body.validation.errors, operation).toMatchObject([
        { pointer: '/gateways/1/workspace_id', code: 'reference_not_found', name: 'astray' },
      ]);
    }
    expect(await revision()).toBe(at);
    expect((await bundle('sync?dry_run=false', { gateways: gateways.slice(0, 1) })).body.status).toBe('success');
  });

  it('a bundle with mistakes is not in sync', async () => {
    const wrong = await bundle('diff', { type: 'x', bogus: 1 });
    expect(wrong.body.errors.length).toBeGreaterThan(0);
    expect(wrong.body).toMatchObject({ in_sync: false, changes: [] });
    expect((await bundle('sync', { bogus: 1 })).body).toMatchObject({ status: 'failed', diff: { in_sync: false } });
    expect((await bundle('diff', {})).body).toMatchObject({ in_sync: true, errors: [] });
  });

  it('a bundle of nothing but mistakes gets a thousand of them, from each operation', async () => {
    const consumers = Array.from({ length: 3000 }, () => ({ username: 1 }));
    for (const operation of ['validate', 'diff', 'sync']) {
      const { status, body } = await bundle(operation, { consumers });
      const errors = body.errors ?? body.validation.errors;
      expect(status).toBe(200);
      expect(errors).toHaveLength(1001);
      expect(errors.at(-1)).toMatchObject({ code: 'more_problems', message: '2000 more problems are not listed' });
    }
  });

  it('two syncs at once both end well, the second planned for what the first left', async () => {
    const consumers = Array.from({ length: 400 }, (_, index) => ({ username: `both-${index}` }));
    const answers = await Promise.all([apply({ consumers }), apply({ consumers })]);
    expect(answers.map(({ body }) => body.status)).toEqual(['success', 'success']);
    expect(new Set(answers.map(({ body }) => body.counts.created))).toEqual(new Set([0, 400]));
  });
});
