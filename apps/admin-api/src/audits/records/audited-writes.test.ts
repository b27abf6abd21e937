import { catalogue, readSchema } from '@portcullis/resources';
import type { Family } from '@portcullis/resources';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../../database/each-database.test-support.ts';
import { sampleOf, secretOf } from '../../isolation/families-samples.test-support.ts';
import { startTestService } from '../../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../../testing/test-service.test-support.ts';

const admin = '/api/v1/admin';
const mark = 'audited';

/** What stands for a secret that reads do not show. */
const aDigest = { secret_digest: expect.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/) };

/** Families whose records callers create, in the order in which references find their targets. */
const writable = catalogue.filter(({ methods, name }) => methods.includes('POST') || name === 'plugin-packages');

describeOnEachDatabase('administrative writes in the audit log', (context) => {
  let service: TestService;
  const made = new Map<string, string>();
  /** What answers showed once and reads never show: keys and tokens that the service made up. */
  const revealed: string[] = [];
  const inTenant = ({ scope }: Family): string => (scope === 'system' ? '' : '?tenant_id=acme');
  const pathOf = (family: Family): string => {
    const [own] = family.collectionPaths ?? [];
    if (own !== undefined) {
      const placed = own
        .replace('{gateway_id}', made.get('gateways') ?? '')
        .replace('{service_id}', made.get('services') ?? '');
      return `/api/v1${placed}`;
    }
    return family.scope === 'gateway'
      ? `${admin}/gateways/${made.get('gateways') ?? ''}/${family.name}`
      : `${admin}/${family.name}`;
  };
  const recordPath = (family: Family): string => `${pathOf(family)}/${made.get(family.name) ?? ''}${inTenant(family)}`;
  const recordsOf = async (family: Family): Promise<Answer['body'][]> => {
    const query = `entity=${family.singular}&entity_id=${made.get(family.name) ?? ''}&sort_direction=asc`;
    return (await service.call('GET', `${admin}/audits/?${query}`)).body.items;
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    for (const family of writable) {
      const idOf = (name: string): string => made.get(name) ?? '';
      const answer = await service.call(
        'POST',
        `${pathOf(family)}${inTenant(family)}`,
        sampleOf(family.name, { mark, idOf }),
      );
      expect(answer.status, `${family.name} ${JSON.stringify(answer.body)}`).toBe(201);
      made.set(family.name, answer.body.id);
      const shown = new Set(Object.keys((await service.call('GET', recordPath(family))).body));
      for (const [field, value] of Object.entries(answer.body)) {
        if (!shown.has(field) && typeof value === 'string') revealed.push(value);
      }
    }
  });
  afterAll(() => service.stop());

  it.each(writable)('of $name: a create is there once, as reads show the record', async (family) => {
    const records = (await recordsOf(family)).filter((record) => record.action === 'create');
    expect(records).toHaveLength(1);
    const [{ tenant_id: tenantId, actor_username: actor, before, after }] = records;
    const expectedTenant = family.name === 'tenants' ? made.get('tenants') : family.scope === 'system' ? null : 'acme';
    expect([tenantId, actor, before, after.id]).toEqual([expectedTenant, 'admin', null, made.get(family.name)]);
    const declared = (readSchema(family) as unknown as { pipe: { entries: object }[] }).pipe[0]?.entries ?? {};
    const beyond = Object.entries<object>(after).filter(([name]) => !(name in declared));
    const digests = beyond.flatMap(([, value]) => ('secret_digest' in value ? [value] : Object.values(value)));
    expect(digests).toEqual(digests.map(() => aDigest));
  });

  it('hold no secret: none that was sent, none that the service made up, no hash', async () => {
    const rows = await context.database().read.selectFrom('audit_records').selectAll().execute();
    const text = JSON.stringify(rows);
    expect(text).toContain(`about ${mark}`);
    expect(revealed.length).toBeGreaterThan(1);
    for (const secret of [
      ...revealed,
      secretOf(mark),
      'PRIVATE KEY',
      '$argon2',
      '"key_hash',
      '"password_hash',
      '"secret_hash',
    ]) {
      expect(text.includes(secret), secret).toBe(false);
      expect(text.includes(JSON.stringify(secret).slice(1, -1)), secret).toBe(false);
    }
  });

  it.each(writable.filter(({ methods, fields }) => methods.includes('PATCH') && 'description' in fields))(
    'of $name: a change is there once, with what was and what is',
    async (family) => {
      const changed = await service.call('PATCH', recordPath(family), { description: 'another' });
      expect(changed.status, JSON.stringify(changed.body)).toBe(200);
      const updates = (await recordsOf(family)).filter((record) => record.after?.description === 'another');
      expect(updates).toMatchObject([{ action: 'update', before: { id: made.get(family.name) } }]);
      const [{ before, after }] = updates;
      expect([before.description === 'another', after.revision]).toEqual([false, before.revision + 1]);
    },
  );

  it('of a bundle: one for each record, in the name of who applied it', async () => {
    const consumers = ['one', 'two', 'three'].map((username) => ({ username }));
    const applied = await service.call('POST', `${admin}/config/sync?dry_run=false`, { tenant_id: 'acme', consumers });
    expect(applied.body.counts).toMatchObject({ created: 3 });
    const { body } = await service.call('GET', `${admin}/audits/?tenant_id=acme&entity=consumer&actions=create`);
    const names = body.items.map((record: Answer['body']) => record.after.username);
    expect(names).toEqual(expect.arrayContaining(['one', 'two', 'three']));
    expect(new Set(body.items.map((record: Answer['body']) => record.request_id)).size).toBe(2);
  });

  it('of deletions: one for each record that went, those that went along too', async () => {
    for (const family of writable.toReversed()) {
      if (family.name === 'tenants') continue;
      const { status } = await service.call('DELETE', recordPath(family));
      expect([204, 404], family.name).toContain(status);
    }
    for (const family of writable) {
      if (family.name === 'tenants') continue;
      const deletions = (await recordsOf(family)).filter((record) => record.action === 'delete');
      expect(deletions, family.name).toMatchObject([{ after: null, before: { id: made.get(family.name) } }]);
    }
  });
});
