import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { findKey, keyLifetimeMs, pruneIdempotencyKeys } from './idempotency-keys.ts';

describeOnEachDatabase('Idempotency-Key', (context) => {
  let service: TestService;
  let admin = '';

  const post = (path: string, body: unknown, key: string, token = service.token): Promise<Answer> =>
    service.call('POST', `/api/v1/admin${path}`, body, { token, headers: { 'idempotency-key': key } });
  const gateways = async (username: string): Promise<number> =>
    (await service.call('GET', `/api/v1/admin/gateways?tenant_id=acme&name=${username}`)).body.total;
  const keyRow = (key: string, tenantId = 'acme') => findKey(context.database().read, { tenantId, key }, Date.now());
  const setAnswer = (key: string, answer: string | null, createdAt: number) =>
    context
      .database()
      .transaction((transaction) =>
        transaction
          .updateTable('idempotency_keys')
          .set({ answer, created_at: createdAt })
          .where('key', '=', key)
          .execute(),
      );

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    await service.addTenant('globex');
    admin = await service.addUser('acme', 'ada', 'admin');
  });
  afterAll(() => service.stop());

  it('gives the first answer again and writes once, whatever the order of the fields', async () => {
    const first = await post('/gateways?tenant_id=acme', { name: 'once', labels: { a: '1', b: '2' } }, 'k-once');
    expect(first.status).toBe(201);
    expect(first.headers.has('idempotency-replayed')).toBe(false);
    const again = await post('/gateways?tenant_id=acme', { labels: { b: '2', a: '1' }, name: 'once' }, 'k-once');
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await gateways('once')).toBe(1);
  });

  it('repeats a secret that is shown once, and stores it sealed', async () => {
    await post('/gateways?tenant_id=acme', { id: 'edge', name: 'edge' }, 'k-edge');
    const make = () => post('/data-planes?tenant_id=acme', { gateway_id: 'edge', name: 'node' }, 'k-secret');
    const first = await make();
    expect(first.body.token).toMatch(/^gwdp_/);
    expect((await make()).body).toEqual(first.body);
    const row = await keyRow('k-secret');
    expect(row?.answer).toMatch(/^pc1\./);
    expect(JSON.stringify(row)).not.toContain(first.body.token);
  });

  it('refuses the key for another body, query, path or caller with 422, and writes nothing', async () => {
    await post('/gateways?tenant_id=acme', { name: 'mine' }, 'k-mine');
    const others = [
      post('/gateways?tenant_id=acme', { name: 'other' }, 'k-mine'),
      post('/workspaces?tenant_id=acme', { name: 'mine' }, 'k-mine'),
      service.call(
        'POST',
        '/admin/gateways?tenant_id=acme',
        { name: 'mine' },
        {
          headers: { 'idempotency-key': 'k-mine' },
        },
      ),
      post('/gateways', { name: 'mine' }, 'k-mine', admin),
    ];
    for (const answer of await Promise.all(others)) {
      expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    }
    expect(await gateways('other')).toBe(0);
  });

  it('is per tenant', async () => {
    const [acme, globex] = await Promise.all([
      post('/gateways?tenant_id=acme', { name: 'both' }, 'k-both'),
      post('/gateways?tenant_id=globex', { name: 'both' }, 'k-both'),
    ]);
    expect([acme.status, globex.status]).toEqual([201, 201]);
    expect(acme.body.id).not.toBe(globex.body.id);
  });

  it('is per tenant of the caller where records of the system are written', async () => {
    const other = await service.addUser('globex', 'gus', 'admin');
    for (const tenant of ['acme', 'globex']) {
      await service.call('PATCH', `/api/v1/admin/tenants/${tenant}`, { can_create_tenant: true, tenant_quota: 9 });
    }
    const made = await post('/tenants', { slug: 'acme-child', name: 'Child' }, 'k-system', admin);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect((await post('/tenants', { slug: 'globex-child', name: 'Child' }, 'k-system', other)).status).toBe(201);
    const operator = { username: 'root-2', password: 'long enough 12', role: 'super_admin' };
    expect((await post('/users', operator, 'k-system')).status).toBe(201);
    expect((await post('/tenants/acme/impersonate', {}, 'k-system')).status).toBe(422);
    const again = await post('/tenants', { slug: 'acme-child', name: 'Child' }, 'k-system', admin);
    expect(again).toMatchObject({ status: 201, body: made.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await post('/tenants', { slug: 'acme-child-2', name: 'Child' }, 'k-system', admin)).status).toBe(422);
  });

  it('a refused request leaves its key free', async () => {
    expect((await post('/gateways?tenant_id=acme', { name: '' }, 'k-free')).status).toBe(422);
    expect(await keyRow('k-free')).toBeUndefined();
    expect((await post('/gateways?tenant_id=acme', { name: 'free' }, 'k-free')).status).toBe(201);
    expect((await post('/gateways?tenant_id=acme', { name: 'free' }, 'k-free-2')).status).toBe(409);
    expect(await keyRow('k-free-2')).toBeUndefined();
  });

  it('of many at once one writes and all get its answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => post('/gateways?tenant_id=acme', { name: 'raced' }, 'k-raced')),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1);
    expect(await gateways('raced')).toBe(1);
  });

  it('says that an answer is lost when its maker died between commit and answer, or it was too long', async () => {
    const again = () => post('/gateways?tenant_id=acme', { name: 'lost' }, 'k-lost');
    expect((await again()).status).toBe(201);
    await setAnswer('k-lost', null, Date.now() - 60_000);
    expect(await again()).toMatchObject({
      status: 409,
      body: { code: 'invalid_state', detail: expect.stringContaining('read the live state') as unknown },
    });
    await setAnswer('k-lost', '', Date.now());
    expect((await again()).status).toBe(409);
    expect(await gateways('lost')).toBe(1);
  });

  it('waits for an answer that is about to come', async () => {
    const again = () => post('/gateways?tenant_id=acme', { name: 'soon' }, 'k-soon');
    const first = await again();
    const answer = (await keyRow('k-soon'))?.answer ?? null;
    await setAnswer('k-soon', null, Date.now());
    const waiting = again();
    await setAnswer('k-soon', answer, Date.now());
    expect((await waiting).body).toEqual(first.body);
  });

  it('holds for a synchronisation too, also for one that had nothing to do', async () => {
    const bundle = { tenant_id: 'acme', gateways: [{ name: 'synced' }] };
    const first = await post('/config/sync?dry_run=false', bundle, 'k-sync');
    expect(first.body).toMatchObject({ status: 'success', counts: { created: 1 } });
    expect(await post('/config/sync?dry_run=false', bundle, 'k-sync')).toMatchObject({ status: 200, body: first.body });
    const idle = await post('/config/sync?dry_run=false', bundle, 'k-sync-2');
    expect(idle.body.counts.created).toBe(0);
    await service.call('DELETE', `/api/v1/admin/gateways/${first.body.results[0].id}?tenant_id=acme`);
    expect((await post('/config/sync?dry_run=false', bundle, 'k-sync-2')).body).toEqual(idle.body);
    expect((await post('/config/sync?dry_run=true', bundle, 'k-sync-3')).status).toBe(200);
    expect(await keyRow('k-sync-3')).toBeUndefined();
  });

  it('repeats the long answer to a large synchronisation', async () => {
    const gateways = Array.from({ length: 1_500 }, (_, index) => ({ name: `many-${index}` }));
    const sync = () => post('/config/sync?dry_run=false', { tenant_id: 'globex', gateways }, 'k-large');
    const first = await sync();
    expect(first.body).toMatchObject({ status: 'success', counts: { created: 1_500 } });
    expect(JSON.stringify(first.body).length).toBeGreaterThan(300_000);
    const again = await sync();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
  }, 60_000);

  it.each([
    ['empty', ''],
    ['with a space', 'a b'],
    ['of 256 characters', 'k'.repeat(256)],
    ['of other characters', 'schl\u00fcssel'],
  ])('that is %s is 400', async (_name, key) => {
    const answer = await post('/gateways?tenant_id=acme', { name: 'bad-key' }, key);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } });
    expect(await gateways('bad-key')).toBe(0);
  });

  it('of 255 characters is taken, and a later look finds only keys of the last 24 hours', async () => {
    const key = '~'.repeat(255);
    expect((await post('/gateways?tenant_id=acme', { name: 'long-key' }, key)).status).toBe(201);
    await setAnswer(key, null, Date.now() - keyLifetimeMs - 1);
    expect(await keyRow(key)).toBeUndefined();
    // The old row is in nobody's way.
    expect((await post('/gateways?tenant_id=acme', { name: 'long-key-2' }, key)).status).toBe(201);
  });

  it('survives a restart, and another replica knows it', async () => {
    const body = { name: 'restarted' };
    const first = await post('/gateways?tenant_id=acme', body, 'k-restart');
    if (context.dialect === 'postgres') {
      const replica = await startTestService(context.url());
      const headers = { 'idempotency-key': 'k-restart' };
      const answer = await replica.call('POST', '/api/v1/admin/gateways?tenant_id=acme', body, { headers });
      await replica.stop();
      expect(answer).toMatchObject({ status: 201, body: first.body });
    }
    await service.stop();
    service = await startTestService(context.url());
    expect((await post('/gateways?tenant_id=acme', body, 'k-restart')).body).toEqual(first.body);
  });

  it('housekeeping deletes what is too old, and the oldest keys of a tenant that has too many', async () => {
    const nowMs = 2_000_000_000_000;
    const rows = Array.from({ length: 30 }, (_, index) => ({
      tenant_id: 'crowded',
      key: `c${index}`,
      fingerprint: 'f',
      answer: null,
      created_at: nowMs + index,
    }));
    const old = { ...rows[0], tenant_id: 'old', key: 'o', fingerprint: 'f', answer: null, created_at: 1 };
    await context.database().transaction((transaction) =>
      transaction
        .insertInto('idempotency_keys')
        .values([...rows, old])
        .execute(),
    );
    await pruneIdempotencyKeys(context.database(), nowMs, 10);
    const left = await context
      .database()
      .read.selectFrom('idempotency_keys')
      .select(['tenant_id', 'key'])
      .orderBy(sql`created_at`)
      .execute();
    expect(left).toEqual(rows.slice(20).map(({ key }) => ({ tenant_id: 'crowded', key })));
  });
});
