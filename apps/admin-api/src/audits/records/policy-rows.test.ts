import { eventually } from '@portcullis/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../../database/each-database.test-support.ts';
import type { AuditRow } from '../../database/audit-tables.ts';
import { password, startTestService } from '../../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../../testing/test-service.test-support.ts';

const admin = '/api/v1/admin';

describeOnEachDatabase('the audit policy', (context) => {
  let service: TestService;
  let acmeAdmin = '';
  let acmeReader = '';
  const rows = (): Promise<AuditRow[]> =>
    context.database().read.selectFrom('audit_records').selectAll().orderBy('global_sequence').execute();
  /** The records that an act leaves; those of refused acts may come a little later. */
  const leftBy = async (act: () => Promise<unknown>, expected: number): Promise<AuditRow[]> => {
    const known = new Set((await rows()).map(({ id }) => id));
    await act();
    return eventually(async () => {
      const added = (await rows()).filter(({ id }) => !known.has(id));
      expect(added, JSON.stringify(added.map(summary))).toHaveLength(expected);
      expect(added.every((row) => row.global_hash !== null)).toBe(true);
      return added;
    });
  };
  const summary = (row: AuditRow) => [row.action, row.entity_type, row.tenant_id];
  const metadataOf = (row: AuditRow | undefined) => JSON.parse(row?.disclosures ?? '{}').metadata?.value;
  const call = async (status: number, ...given: Parameters<TestService['call']>): Promise<Answer> => {
    const answer = await service.call(...given);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    return answer;
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const tenantId of ['acme', 'globex']) await service.addTenant(tenantId);
    acmeAdmin = await service.addUser('acme', 'ada', 'admin');
    acmeReader = await service.addUser('acme', 'rita', 'reader');
  });
  afterAll(() => service.stop());

  it('records writes of records, one for each', async () => {
    const made = await leftBy(
      () => call(201, 'POST', `${admin}/gateways?tenant_id=acme`, { id: 'edge', name: 'edge' }),
      1,
    );
    expect(made.map(summary)).toEqual([['create', 'gateway', 'acme']]);
    const change = () => call(200, 'PATCH', `${admin}/gateways/edge?tenant_id=acme`, { description: 'x' });
    expect((await leftBy(change, 1)).map(summary)).toEqual([['update', 'gateway', 'acme']]);
    const removal = () => call(204, 'DELETE', `${admin}/gateways/edge?tenant_id=acme`);
    expect((await leftBy(removal, 1)).map(summary)).toEqual([['delete', 'gateway', 'acme']]);
  });

  it('records changes of how long observations are kept, and nothing where nothing changes', async () => {
    const body = { tenant_id: 'acme', request_days: 3, rollup_days: 90 };
    const act = () => call(200, 'PUT', `${admin}/observability/retention`, body);
    expect((await leftBy(act, 1)).map(summary)).toEqual([['update', 'observation_retention', 'acme']]);
    expect(await leftBy(act, 0)).toEqual([]);
  });

  it('records the states of tenants in their own logs', async () => {
    for (const verb of ['deactivate', 'activate']) {
      const act = () => call(200, 'POST', `${admin}/tenants/globex/${verb}`);
      expect((await leftBy(act, 1)).map(summary)).toEqual([[verb, 'tenant', 'globex']]);
    }
  });

  it('records snapshots and rollbacks', async () => {
    let id = '';
    const take = async () => {
      id = (await call(201, 'POST', `${admin}/config/snapshots`, { tenant_id: 'acme' })).body.id;
    };
    expect((await leftBy(take, 1)).map(summary)).toEqual([['create', 'config_snapshot', 'acme']]);
    await call(201, 'POST', `${admin}/consumers?tenant_id=acme`, { username: 'later' });
    const back = () =>
      call(200, 'POST', `${admin}/config/snapshots/${id}/rollback`, { tenant_id: 'acme', mode: 'exact' });
    expect((await leftBy(back, 3)).map(summary)).toEqual(
      expect.arrayContaining([
        ['rollback', 'config_snapshot', 'acme'],
        ['delete', 'consumer', 'acme'],
      ]),
    );
  });

  it('records objectives and acknowledgements, and no evaluations', async () => {
    const path = `${admin}/slos`;
    const objective = { type: 'availability', target_percent: 99 };
    const make = () => call(201, 'POST', path, { tenant_id: 'acme', id: 'answers', name: 'answers', objective });
    expect((await leftBy(make, 1)).map(summary)).toEqual([['create', 'slo', 'acme']]);
    const row = { tenant_id: 'acme', gateway_id: 'g', route_id: '', service_id: '', errors_4xx: 0, latency_sum_us: 0 };
    const counts = { ...row, requests: 1, errors_5xx: 1, request_bytes: 0, response_bytes: 0, statuses: '[]' };
    const minute = Math.floor(Date.now() / 60_000);
    const counter = { ...counts, histogram: '', over_thresholds: '[]', grain: 'gateway_hour' as const };
    const start = minute - (minute % 60) - 60;
    await context.database().transaction((transaction) =>
      transaction
        .insertInto('observation_counters')
        .values({ ...counter, minute: start })
        .execute(),
    );
    await leftBy(() => call(200, 'POST', `${path}/answers/evaluate?tenant_id=acme`), 0);
    const acknowledge = () => call(200, 'POST', `${path}/answers/acknowledge`, { tenant_id: 'acme', note: 'seen' });
    const [record] = await leftBy(acknowledge, 1);
    expect(record && summary(record)).toEqual(['acknowledge', 'slo', 'acme']);
    expect(JSON.parse(record?.disclosures ?? '{}').after?.value?.alert).toMatchObject({ note: 'seen' });
    const removal = () => call(204, 'DELETE', `${path}/answers?tenant_id=acme`);
    expect((await leftBy(removal, 1)).map(summary)).toEqual([['delete', 'slo', 'acme']]);
  });

  it('records syncs of integrations, also those that fail', async () => {
    const integration = { id: 'pager', name: 'pager', driver: 'incident_alerting', secrets: { api_key: 'some-key' } };
    // An address that nobody may call.
    const config = { api_url: 'https://10.0.0.1' };
    const path = `${admin}/integrations`;
    const make = () => call(201, 'POST', path, { tenant_id: 'acme', ...integration, config });
    expect((await leftBy(make, 1)).map(summary)).toEqual([['create', 'integration', 'acme']]);
    const sync = () => call(200, 'POST', `${path}/pager/sync?tenant_id=acme`);
    expect((await leftBy(sync, 1)).map(summary)).toEqual([['sync', 'integration', 'acme']]);
    const removal = () => call(204, 'DELETE', `${path}/pager?tenant_id=acme`);
    expect((await leftBy(removal, 1)).map(summary)).toEqual([['delete', 'integration', 'acme']]);
  });

  it('records the rotation of signing keys in the log of the system', async () => {
    const act = () => call(200, 'POST', `${admin}/signing-keys/rotate`, {});
    expect((await leftBy(act, 1)).map(summary)).toEqual([['rotate', 'signing_key', '']]);
  });

  it('records logins, logouts, and refresh tokens that come a second time', async () => {
    const login = () =>
      call(200, 'POST', '/auth/login', { username: 'ada', password, tenant_id: 'acme' }, { token: '' });
    let session: Answer | undefined;
    const records = await leftBy(async () => void (session = await login()), 1);
    expect(records.map(summary)).toEqual([['login', 'session', 'acme']]);
    const { refresh_token } = session?.body ?? {};
    const refresh = (status: number) => call(status, 'POST', '/auth/refresh', { refresh_token }, { token: '' });
    await leftBy(() => refresh(200), 0);
    expect((await leftBy(() => refresh(401), 1)).map(summary)).toEqual([['revoke', 'session', 'acme']]);
    const other = (await login()).body.refresh_token;
    const logout = () => call(204, 'POST', '/auth/logout', { refresh_token: other }, { token: '' });
    expect((await leftBy(logout, 1)).map(summary)).toEqual([['logout', 'session', 'acme']]);
  });

  it('records refused logins of users who exist, and nothing that was typed', async () => {
    const wrong = 'my secret password in the wrong place';
    const attempt = (username: string) => () =>
      call(401, 'POST', '/auth/login', { username, password: wrong, tenant_id: 'acme' }, { token: '' });
    const [record, ...more] = await leftBy(attempt('rita'), 1);
    expect([record && summary(record), more, metadataOf(record)]).toEqual([
      ['login_refused', 'user', 'acme'],
      [],
      { reason: 'wrong_password' },
    ]);
    await leftBy(attempt(wrong), 0);
    expect(JSON.stringify(await rows())).not.toContain(wrong);
  });

  it('records impersonations and marks what is done with them', async () => {
    let token = '';
    const begin = async () => {
      token = (await call(200, 'POST', `${admin}/tenants/acme/impersonate`)).body.access_token;
    };
    expect((await leftBy(begin, 1)).map(summary)).toEqual([['impersonate', 'tenant', 'acme']]);
    const act = () => call(201, 'POST', `${admin}/consumers`, { username: 'by-impersonation' }, { token });
    expect(metadataOf((await leftBy(act, 1))[0])).toEqual({ impersonation: { id: expect.any(String) } });
  });

  it('records refused writes of known callers in the log of their tenant, with nothing of query and body', async () => {
    const path = `${admin}/consumers`;
    const act = () => call(403, 'POST', `${path}?secret=s3cr3t`, { username: 's3cr3t' }, { token: acmeReader });
    const [record] = await leftBy(act, 1);
    expect([record && summary(record), record?.entity_id]).toEqual([
      ['refused', 'operation', 'acme'],
      'createConsumer',
    ]);
    expect(metadataOf(record)).toEqual({ method: 'POST', path, status: 403, code: 'forbidden' });
    expect(JSON.stringify(record)).not.toContain('s3cr3t');
    await leftBy(() => call(401, 'POST', path, { username: 'x' }, { token: 'nonsense' }), 0);
    await leftBy(() => call(422, 'POST', path, { username: 7 }, { token: acmeAdmin }), 0);
  });

  it('records what reaches for another tenant, reads too, in the own log only', async () => {
    const query = '?tenant_id=globex';
    const reads = await leftBy(
      () => call(403, 'GET', `${admin}/consumers${query}`, undefined, { token: acmeAdmin }),
      1,
    );
    const writes = await leftBy(
      () => call(403, 'POST', `${admin}/consumers${query}`, { username: 'x' }, { token: acmeAdmin }),
      1,
    );
    expect([...reads, ...writes].map((row) => [...summary(row), metadataOf(row).code])).toEqual([
      ['refused', 'operation', 'acme', 'cross_tenant'],
      ['refused', 'operation', 'acme', 'cross_tenant'],
    ]);
  });

  it('records no reads, exports and dry runs', async () => {
    const act = async () => {
      await call(200, 'GET', `${admin}/consumers?tenant_id=acme`);
      await call(200, 'GET', `${admin}/config/export?tenant_id=acme`);
      await call(200, 'POST', `${admin}/config/sync?dry_run=true`, {
        tenant_id: 'acme',
        consumers: [{ username: 'dry' }],
      });
      await call(200, 'GET', `${admin}/audits/`);
    };
    expect(await leftBy(act, 0)).toEqual([]);
  });
});
