import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { availability, slosPath } from './slo-world.test-support.ts';

const latency = (threshold: unknown, more: object = {}) => ({
  objective: { type: 'latency', target_percent: 99, latency_threshold_ms: threshold, ...more },
});

/** What is wrong, by the fields that are sent beside valid ones; the pointer of each mistake. */
const mistakes: readonly (readonly [fields: object, ...pointers: string[]])[] = [
  [{ name: '' }, '/name'],
  [{ name: 'n'.repeat(121) }, '/name'],
  [{ description: 'd'.repeat(501) }, '/description'],
  [{ gateway_id: 'g'.repeat(129) }, '/gateway_id'],
  [{ objective: undefined }, '/objective'],
  [{ objective: { type: 'throughput', target_percent: 99 } }, '/objective/type'],
  [{ objective: { type: 'availability', target_percent: 0 } }, '/objective/target_percent'],
  [{ objective: { type: 'availability', target_percent: 100 } }, '/objective/target_percent'],
  [{ objective: { type: 'availability', target_percent: '99' } }, '/objective/target_percent'],
  [
    { objective: { type: 'availability', target_percent: 99, latency_threshold_ms: 5 } },
    '/objective/latency_threshold_ms',
  ],
  [{ objective: { type: 'latency', target_percent: 99 } }, '/objective/latency_threshold_ms'],
  [latency(0), '/objective/latency_threshold_ms'],
  [latency(-1), '/objective/latency_threshold_ms'],
  [latency(5, { target_ms: 5 }), '/objective/target_ms'],
  [{ evaluation_window_minutes: 4 }, '/evaluation_window_minutes'],
  [{ evaluation_window_minutes: 43_201 }, '/evaluation_window_minutes'],
  [{ evaluation_window_minutes: 60.5 }, '/evaluation_window_minutes'],
  [{ alert_policy: { warning_burn_rate: 0 } }, '/alert_policy/warning_burn_rate'],
  [{ alert_policy: { warning_burn_rate: 2 } }, '/alert_policy/critical_burn_rate'],
  [{ alert_policy: { warning_burn_rate: 3, critical_burn_rate: 3 } }, '/alert_policy/critical_burn_rate'],
  [{ alert_policy: { enabled: 'yes' } }, '/alert_policy/enabled'],
  [{ alert_policy: { page: true } }, '/alert_policy/page'],
  [{ enabled: 1 }, '/enabled'],
  [{ labels: {} }, '/labels'],
  [{ evaluation: null }, '/evaluation'],
  [{ name: '', evaluation_window_minutes: 1 }, '/name', '/evaluation_window_minutes'],
];

describeOnEachDatabase('the fields of objectives', (context) => {
  let service: TestService;
  let writer = '';
  let reader = '';
  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const tenant of ['acme', 'globex']) await service.addTenant(tenant);
    await service.call('POST', '/api/v1/admin/gateways', { tenant_id: 'globex', id: 'theirs', name: 'theirs' });
    writer = await service.addUser('acme', 'willa', 'writer');
    reader = await service.addUser('acme', 'rita', 'reader');
  });
  afterAll(() => service.stop());

  it.each(mistakes.map(([fields, ...pointers]) => ({ fields, pointers })))('$fields is refused', async (mistake) => {
    const { fields, pointers } = mistake;
    const { status, body } = await service.call('POST', slosPath, { ...availability('acme'), ...fields });
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual(pointers.toSorted());
  });

  it.each([
    { name: 'n'.repeat(120), description: 'd'.repeat(500) },
    { evaluation_window_minutes: 5 },
    { evaluation_window_minutes: 43_200 },
    { objective: { type: 'availability', target_percent: 99.999 } },
    { objective: { type: 'availability', target_percent: 0.001 } },
    latency(0.001),
    latency(0.0005),
    { alert_policy: { warning_burn_rate: 0.1, critical_burn_rate: 0.2 } },
    { alert_policy: {} },
    { description: null, gateway_id: null },
  ])('%j is accepted', async (fields) => {
    const { status, body } = await service.call('POST', slosPath, { ...availability('acme'), ...fields });
    expect(status, JSON.stringify(body)).toBe(201);
  });

  it('a gateway has to be one of the tenant', async () => {
    for (const gateway of ['theirs', 'nobodys']) {
      const { status, body } = await service.call('POST', slosPath, availability('acme', { gateway_id: gateway }));
      expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'reference_not_found', '/gateway_id']);
    }
  });

  it('a change keeps what it does not name, and is judged as a whole', async () => {
    const made = await service.call('POST', slosPath, {
      ...availability('acme', { description: 'stays', alert_policy: { warning_burn_rate: 2, critical_burn_rate: 4 } }),
      ...latency(250),
    });
    const path = `${slosPath}/${made.body.id}?tenant_id=acme`;
    const changed = await service.call('PATCH', path, {
      objective: { target_percent: 95 },
      alert_policy: { enabled: false },
    });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      {
        description: 'stays',
        objective: { type: 'latency', target_percent: 95, latency_threshold_ms: 250 },
        alert_policy: { enabled: false, warning_burn_rate: 2, critical_burn_rate: 4 },
      },
    ]);
    const wrong = [
      [{ alert_policy: { warning_burn_rate: 4 } }, '/alert_policy/critical_burn_rate'],
      [{ objective: { type: 'availability' } }, '/objective/latency_threshold_ms'],
      [{ objective: { latency_threshold_ms: null } }, '/objective/latency_threshold_ms'],
      [{ colour: 'red' }, '/colour'],
      [{ created_at: '2020-01-01T00:00:00.000Z' }, '/created_at'],
    ] as const;
    for (const [body, pointer] of wrong) {
      const refused = await service.call('PATCH', path, body);
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, pointer]);
    }
    expect((await service.call('GET', path)).body).toEqual(changed.body);
    // What a caller read may be sent back, with what has changed by itself since.
    const { evaluation: _evaluation, ...read } = changed.body as Record<string, unknown>;
    await service.call('POST', `${slosPath}/${made.body.id}/evaluate?tenant_id=acme`);
    expect((await service.call('PATCH', path, { ...read, description: 'back' })).status).toBe(200);
  });

  it('tenants are kept apart, and a super administrator names one', async () => {
    const { id } = (await service.call('POST', slosPath, availability('globex'))).body;
    const none: readonly [string, string, object?][] = [
      ['GET', slosPath],
      ['POST', slosPath, { ...availability('acme'), tenant_id: undefined }],
      ['GET', `${slosPath}/${id}`],
      ['PATCH', `${slosPath}/${id}`, {}],
      ['DELETE', `${slosPath}/${id}`],
      ['POST', `${slosPath}/evaluate`],
      ['POST', `${slosPath}/${id}/evaluate`],
      ['POST', `${slosPath}/${id}/acknowledge`, { note: 'x' }],
      ['GET', `${slosPath}/${id}/timeline`],
    ];
    for (const [method, path, body] of none) {
      const { status, body: problem } = await service.call(method, path, body);
      expect([path, status, problem.detail]).toEqual([path, 400, 'tenant_id is required']);
      const foreign = await service.call(method, `${path}?tenant_id=globex`, body, { token: writer });
      expect([path, foreign.status, foreign.body.detail]).toEqual([path, 403, 'Cannot access another tenant']);
      if (path === slosPath || path.endsWith('s/evaluate')) continue;
      expect([path, (await service.call(method, path, body, { token: writer })).status]).toEqual([path, 404]);
    }
    const named = { tenant_id: 'globex', note: 'x' };
    expect((await service.call('POST', `${slosPath}/${id}/acknowledge`, named, { token: writer })).status).toBe(403);
    expect((await service.call('POST', `${slosPath}/${id}/acknowledge?tenant_id=acme`, named)).body.code).toBe(
      'tenant_mismatch',
    );
  });

  it('readers read, and neither write nor evaluate; both prefixes answer', async () => {
    const { id } = (await service.call('POST', '/admin/slos', availability('acme'), { token: writer })).body;
    for (const path of [`/admin/slos/${id}`, `/admin/slos/${id}/timeline`, '/admin/slos', '/api/v1/admin/slos']) {
      expect((await service.call('GET', path, undefined, { token: reader })).status).toBe(200);
    }
    for (const path of ['/evaluate', `/${id}/evaluate`, `/${id}/acknowledge`]) {
      expect((await service.call('POST', `${slosPath}${path}`, undefined, { token: reader })).status).toBe(403);
    }
    expect((await service.call('POST', `/admin/slos/${id}/evaluate`, undefined, { token: writer })).status).toBe(200);
  });
});
