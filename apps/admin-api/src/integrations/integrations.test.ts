import { failing, fakeAlerting, type FakeSystem, redirecting, startFakeSystem } from '@portcullis/integrations/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import type { Log } from '../logging.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { syncsKeptMax } from './integration-states.ts';
import { syncsPerMinute } from './sync-rates.ts';

const canary = 'canary-of-an-integration-0123456789';
const otherCanary = 'canary-of-a-renewed-key-0123456789';

describeOnEachDatabase('integrations', (context) => {
  let service: TestService;
  let system: FakeSystem;
  let writer = '';
  const logged: unknown[] = [];
  /** What the service's clock is ahead. */
  let passedMs = 0;
  const write = (...entry: readonly unknown[]): void => void logged.push(entry);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const call = (method: string, path: string, body?: unknown, token = writer): Promise<Answer> =>
    service.call(method, `/api/v1/admin/integrations${path}`, body, { token });
  const alerting = (name: string) => ({
    name,
    driver: 'incident_alerting',
    config: { api_url: system.url },
    secrets: { api_key: canary },
  });
  const make = async (body: object): Promise<Answer['body']> => {
    const answer = await call('POST', '', body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const problemsOf = (answer: Answer) => [
    answer.status,
    answer.body.errors?.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
  ];

  beforeAll(async () => {
    system = await startFakeSystem(fakeAlerting({ apiKey: canary, id: 'account-1' }));
    service = await startTestService(context.url(), {
      log,
      monotonicMs: () => performance.now() + passedMs,
      settings: { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' },
    });
    await service.addTenant('acme');
    await service.addTenant('globex');
    writer = await service.addUser('acme', 'writer', 'writer');
  });
  afterAll(async () => {
    await service.stop();
    await system.close();
  });
  beforeEach(() => {
    system.fault = undefined;
    system.requests.length = 0;
  });

  it('are made, shown, changed and deleted, and no read shows a secret', async () => {
    const made = await make({ ...alerting('pager'), labels: { team: 'ops' } });
    expect(made).toMatchObject({
      tenant_id: 'acme',
      driver: 'incident_alerting',
      config: { region: 'us', api_url: system.url },
      enabled: true,
      secrets_set: ['api_key'],
      last_sync: null,
    });
    expect(made).not.toHaveProperty('secrets');
    expect((await call('GET', '/pager')).body).toEqual(made);
    expect((await call('PATCH', '/pager', made)).body).toEqual(made);
    const changed = await call('PATCH', '/pager', { description: 'who is called', labels: null });
    expect(changed.body).toMatchObject({ description: 'who is called', labels: {}, secrets_set: ['api_key'] });
    expect((await call('GET', '?driver=incident_alerting')).body.items).toHaveLength(1);
    expect((await call('GET', '?driver=api_registry')).body.items).toEqual([]);
    expect((await call('DELETE', '/pager')).status).toBe(204);
  });

  it('are refused where the driver does not take what is given, with the place of each mistake', async () => {
    const refused = async (body: object) => problemsOf(await call('POST', '', { name: 'refused', ...body }));
    expect(await refused({ driver: 'cloud_api_gateway', config: { region: 'us-east-1.evil.test/#' } })).toEqual([
      422,
      ['/config/region format', '/secrets/access_key_id required', '/secrets/secret_access_key required'],
    ]);
    const secrets = { api_key: canary };
    expect(await refused({ driver: 'incident_alerting', secrets, config: { region: 'de', token: 'x' } })).toEqual([
      422,
      expect.arrayContaining([expect.stringMatching('^/config/region '), '/config/token unknown_field']),
    ]);
    const analytics = { driver: 'log_analytics', config: { base_url: 'https://logs.test:8089' } };
    expect(await refused({ ...analytics, secrets: { username: 'somebody' } })).toEqual([422, ['/secrets format']]);
    expect(await refused({ driver: 'incident_alerting', secrets: { api_key: 'vault://prod/pager' } })).toEqual([
      422,
      ['/secrets/api_key reference'],
    ]);
    expect(await refused({ ...alerting('drivers') })).toEqual([422, ['/name reserved']]);
    expect(await refused({ ...alerting('x'), id: 'drivers' })).toEqual([422, ['/id reserved']]);
    expect(await refused({ ...alerting('x'), secrets: { api_key: { value: canary } } })).toEqual([
      422,
      [expect.stringMatching('^/secrets/api_key ')],
    ]);
    expect((await refused({ driver: 'mail' }))[0]).toBe(422);
  });

  it('keep their secrets when something else changes, and are asked for them again when they would go elsewhere', async () => {
    await make(alerting('bound'));
    const patch = async (body: object) => problemsOf(await call('PATCH', '/bound', body));
    for (const config of [{ api_url: 'https://evil.test' }, { api_url: null }, { region: 'eu' }]) {
      expect(await patch({ config })).toEqual([422, ['/secrets/api_key secret_required']]);
    }
    // The mask that nobody was shown, and the bare one.
    expect(await patch({ config: { region: 'eu' }, secrets: { api_key: '[redacted]' } })).toEqual([
      422,
      ['/secrets/api_key secret_required'],
    ]);
    expect(
      await patch({ driver: 'api_registry', config: { api_url: null, region: null, base_url: system.url } }),
    ).toEqual([422, ['/secrets/api_key secret_required']]);
    expect((await call('POST', '/bound/sync')).body).toMatchObject({ status: 'success' });
    expect(await patch({ config: { region: 'eu' }, secrets: { api_key: canary } })).toEqual([200, undefined]);
    expect(await patch({ secrets: { api_key: otherCanary } })).toEqual([200, undefined]);
    expect((await call('POST', '/bound/sync')).body).toMatchObject({
      status: 'failed',
      error: { code: 'unauthorized' },
      metadata: { http_status: 401 },
    });
    expect(system.requests.map(({ headers }) => headers.authorization)).toEqual([
      `GenieKey ${canary}`,
      `GenieKey ${otherCanary}`,
    ]);
    await call('DELETE', '/bound');
  });

  it('say what a sync found, and keep the newest results', async () => {
    const made = await make(alerting('kept'));
    const synced = await call('POST', '/kept/sync', { tenant_id: 'acme' });
    expect(synced.body).toEqual({
      status: 'success',
      driver: 'incident_alerting',
      metadata: expect.objectContaining({ http_status: 200, account_name: 'acme', plan_name: 'Enterprise' }),
      duration_ms: expect.any(Number),
      synced_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    system.fault = failing(429, { 'retry-after': '7', 'x-ratelimit-state': 'THROTTLED' });
    const failed = await call('POST', `/${made.id}/sync`);
    expect(failed.status).toBe(200);
    expect(failed.body).toMatchObject({
      status: 'failed',
      error: { code: 'rate_limited' },
      metadata: { http_status: 429, retry_after_seconds: 7, rate_limit_state: 'THROTTLED' },
    });
    const shown = (await call('GET', '/kept')).body;
    expect(shown.last_sync).toEqual(failed.body);
    expect(shown.revision).toBe(made.revision);
    const history = await call('GET', '/kept/syncs');
    expect(history.body).toMatchObject({ total: 2, skip: 0 });
    expect(history.body.items).toMatchObject([failed.body, synced.body]);
    expect(history.body.items[0]).toMatchObject({ actor: 'writer', record_revision: 1, integration_id: made.id });
    expect((await call('GET', '/kept/syncs?skip=1&limit=1')).body.items).toMatchObject([synced.body]);
    // What was found may be long, and a list holds many.
    const { metadata: _metadata, ...summary } = failed.body;
    expect((await call('GET', '')).body.items[0].last_sync).toEqual(summary);
    system.fault = undefined;
    for (let count = 0; count < syncsKeptMax; count += 1) {
      passedMs += 60_000 / syncsPerMinute;
      expect((await call('POST', '/kept/sync')).status).toBe(200);
    }
    expect((await call('GET', '/kept/syncs')).body.total).toBe(syncsKeptMax);
    await call('DELETE', '/kept');
    expect(await context.database().read.selectFrom('integration_syncs').selectAll().execute()).toEqual([]);
  }, 60_000);

  it('follow no redirect, and call neither private addresses nor the service itself', async () => {
    await make(alerting('led'));
    const elsewhere = await startFakeSystem(fakeAlerting({ apiKey: canary }));
    system.fault = redirecting(elsewhere.url);
    expect((await call('POST', '/led/sync')).body).toMatchObject({ status: 'failed', error: { code: 'redirected' } });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
    const secrets = { api_key: canary };
    const told = new Set<string>();
    logged.length = 0;
    const nobody = 'http://127.0.0.1:1';
    for (const api_url of ['https://10.0.0.1', 'https://[::ffff:a9fe:a9fe]', 'http://192.0.2.1', service.url, nobody]) {
      await call('PATCH', '/led', { config: { api_url }, secrets });
      const { body } = await call('POST', '/led/sync');
      expect(body).toMatchObject({ status: 'failed', error: { code: 'unreachable' } });
      told.add(JSON.stringify([body.error, body.metadata]));
    }
    // Which addresses there are is the operator's to know.
    expect(told.size).toBe(1);
    const failures = (logged as [{ code?: string }, string][]).filter(([, text]) => text.includes('a sync of'));
    expect(failures.map(([facts]) => facts.code)).toEqual([...Array<string>(4).fill('refused'), 'unreachable']);
    expect(failures[0]).toMatchObject([{ tenant_id: 'acme', driver: 'incident_alerting', request: 'account' }, {}]);
    const metrics = (await service.call('GET', '/metrics')).body as string;
    expect(metrics).toMatch(/_syncs_total\{driver="incident_alerting",outcome="refused"\} 4\n/);
    expect(metrics).toMatch(/_syncs_total\{driver="api_registry",outcome="success"\} 0\n/);
    await call('DELETE', '/led');
  });

  it('are synced some times in a minute, each by itself', async () => {
    await make(alerting('often'));
    const statuses: number[] = [];
    for (let count = 0; count <= syncsPerMinute; count += 1) statuses.push((await call('POST', '/often/sync')).status);
    expect(statuses).toEqual([...Array<number>(syncsPerMinute).fill(200), 429]);
    expect(system.requests).toHaveLength(syncsPerMinute);
    await make(alerting('other'));
    expect((await call('POST', '/other/sync')).status).toBe(200);
    for (const name of ['often', 'other']) await call('DELETE', `/${name}`);
  });

  it('are not synced while they are disabled, nor by readers, nor by other tenants', async () => {
    const made = await make({ ...alerting('off'), enabled: false });
    expect((await call('POST', '/off/sync')).body).toMatchObject({ status: 409, code: 'invalid_state' });
    await call('PATCH', '/off', { enabled: true });
    const reader = await service.addUser('acme', 'reader', 'reader');
    expect((await call('POST', '/off/sync', undefined, reader)).status).toBe(403);
    const stranger = await service.addUser('globex', 'stranger', 'admin');
    expect((await call('POST', `/${made.id}/sync`, undefined, stranger)).status).toBe(404);
    expect((await call('GET', `/${made.id}/syncs`, undefined, stranger)).status).toBe(404);
    expect(system.requests).toEqual([]);
    await call('DELETE', '/off');
  });

  it('say which drivers there are, with schemas and forms', async () => {
    const { items } = (await call('GET', '/drivers')).body;
    expect(items.map(({ name, form }: { name: string; form: { setup: string } }) => [name, form.setup])).toEqual([
      ['cloud_api_gateway', 'none'],
      ['api_registry', 'self_service'],
      ['it_service_management', 'by_request'],
      ['log_analytics', 'by_request'],
      ['incident_alerting', 'by_request'],
    ]);
    const [cloud] = items;
    expect(cloud.config_schema).toMatchObject({ type: 'object', required: ['region'], additionalProperties: false });
    expect(cloud.secrets_schema.properties.session_token).toMatchObject({ 'x-secret': true });
    expect(cloud.address_fields).toEqual(['region', 'endpoint_url']);
  });

  it('belong to a workspace of their tenant', async () => {
    const workspace = await service.call('POST', '/api/v1/admin/workspaces', { name: 'w' }, { token: writer });
    await make({ ...alerting('grouped'), workspace_id: workspace.body.id });
    expect((await call('GET', `?workspace_id=${workspace.body.id}`)).body.total).toBe(1);
    expect((await call('PATCH', '/grouped', { workspace_id: 'elsewhere' })).status).toBe(422);
    await call('DELETE', '/grouped');
  });

  it('leave a record of every sync in the audit log, and no secret anywhere', async () => {
    const made = await make(alerting('audited'));
    await call('POST', '/audited/sync');
    await call('PATCH', '/audited', { secrets: { api_key: otherCanary } });
    const audits = await service.call('GET', `/api/v1/admin/audits/?tenant_id=acme&entity_id=${made.id}`);
    expect(audits.body.items).toMatchObject([
      {
        action: 'update',
        before: { secrets: { api_key: { secret_digest: expect.any(String) } } },
        after: { secrets: { api_key: { secret_digest: expect.any(String) } } },
      },
      {
        action: 'sync',
        entity_type: 'integration',
        actor_username: 'writer',
        after: { last_sync: { status: 'success' } },
      },
      { action: 'create' },
    ]);
    const [{ before, after }] = audits.body.items;
    expect(before.secrets).not.toEqual(after.secrets);
    const { read } = context.database();
    const everything = JSON.stringify([
      logged,
      audits.body,
      (await call('GET', '/audited')).body,
      (await service.call('GET', '/api/v1/admin/config/export?tenant_id=acme')).body,
      await read.selectFrom('resources').selectAll().execute(),
      await read.selectFrom('integration_states').selectAll().execute(),
      await read.selectFrom('integration_syncs').selectAll().execute(),
      await read.selectFrom('audit_records').selectAll().execute(),
    ]);
    expect(everything).not.toContain(canary);
    expect(everything).not.toContain(otherCanary);
    await call('DELETE', '/audited');
  });
});
