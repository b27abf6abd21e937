import { eventually } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminWith, signIn } from './support/admin.ts';
import type { Admin, AdminAnswer } from './support/admin.ts';
import { freshDatabase } from './support/fresh-database.ts';
import type { FreshDatabase } from './support/fresh-database.ts';
import { startReplicas } from './support/replicas.ts';
import type { Replicas } from './support/replicas.ts';
import { collectionPath, firstSuffix, sampleRecords, tenantQuery } from './support/sample-records.ts';
import type { Sample } from './support/sample-records.ts';

const serverUrl = process.env['PORTCULLIS_TEST_POSTGRES_URL'];
const tenant = 'acme';
const api = '/api/v1/admin';
const rounds = 200;
const races = 10;

/** How long another replica may go on letting in who was shut out. Source: wire contract, Paths and small rules. */
const shutOutWithinMs = 5000;

describe.skipIf(serverUrl === undefined)('two control planes on one PostgreSQL (PORTCULLIS_TEST_POSTGRES_URL)', () => {
  let database: FreshDatabase;
  let replicas: Replicas;
  let both: readonly [Admin, Admin];

  beforeAll(async () => {
    database = await freshDatabase(serverUrl ?? '');
    // They are started at the same time: both find the database empty, and one of them makes the tables.
    replicas = await startReplicas(database.url);
    both = [replicas.first.admin, replicas.second.admin];
    await made(both[0], `${api}/tenants`, { name: 'Acme', slug: tenant });
  });
  afterAll(async () => {
    await replicas?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });

  const made = async (admin: Admin, path: string, body: unknown): Promise<Record<string, string>> => {
    const answer = await admin.call('POST', path, body);
    expect(answer.status, `POST ${path}: ${JSON.stringify(answer.body)}`).toBe(201);
    return answer.body;
  };
  const auditRecords = async (): Promise<number> => {
    const [row] = await database.rows('select count(*)::int as total from audit_records');
    return Number(row?.['total']);
  };
  const statuses = (answers: readonly AdminAnswer[]): number[] =>
    answers.map(({ status }) => status).toSorted((left, right) => left - right);
  const at = (index: number): Admin => both[index % 2] ?? both[0];

  describe('what one has written, the other reads at once', () => {
    const ids: Record<string, string> = {};

    it('records of every family that others refer to', async () => {
      for (const [index, { family, body }] of sampleRecords.entries()) {
        const path = `${collectionPath(family, ids['gateways'])}?${tenantQuery(family, tenant)}`;
        ids[family.name] = (await made(at(index), path, body(ids, firstSuffix)))['id'] ?? '';
        const [collection, query] = path.split('?');
        const read = await at(index + 1).call('GET', `${collection}/${ids[family.name]}?${query}`);
        expect(read.status, `${path}: ${JSON.stringify(read.body)}`).toBe(200);
      }
    });

    it(`${rounds} rounds of create, change, list and delete that alternate between the two, over all families`, async () => {
      const before = await auditRecords();
      let writes = 0;
      for (let round = 0; round < rounds; round += 1) {
        const sample = sampleRecords[round % sampleRecords.length];
        if (sample) writes += await oneRound(sample, round);
      }
      expect((await auditRecords()) - before).toBe(writes);
    });

    /** Gives how many writes it made. */
    const oneRound = async (sample: Sample, round: number): Promise<number> => {
      const { family, body, change } = sample;
      const [writer, reader] = [at(round), at(round + 1)];
      const collection = collectionPath(family, ids['gateways']);
      const query = tenantQuery(family, tenant);
      const about = `${family.name}, round ${round}`;
      const total = async (admin: Admin): Promise<number> =>
        (await admin.call('GET', `${collection}?${query}`)).body.total;
      const before = await total(reader);
      const { id } = await made(writer, `${collection}?${query}`, body(ids, `r${round}`));
      const detail = `${collection}/${id}?${query}`;
      const seen = await reader.call('GET', detail);
      expect(seen, about).toMatchObject({ status: 200, body: { id, revision: 1 } });
      expect(await total(reader), about).toBe(before + 1);
      if (change) {
        const method = family.methods.includes('PATCH') ? 'PATCH' : 'PUT';
        const changed = await reader.call(method, detail, change, { 'if-match': seen.headers.get('etag') ?? '' });
        expect(changed.status, `${about}: ${JSON.stringify(changed.body)}`).toBe(200);
        expect((await writer.call('GET', detail)).body, about).toMatchObject({ ...change, revision: 2 });
        const late = await writer.call(method, detail, change, { 'if-match': seen.headers.get('etag') ?? '' });
        expect(late, about).toMatchObject({ status: 412, body: { code: 'revision_conflict' } });
      }
      expect((await writer.call('DELETE', detail)).status, about).toBe(204);
      expect((await reader.call('GET', detail)).status, about).toBe(404);
      expect(await total(reader), about).toBe(before);
      return change ? 3 : 2;
    };
  });

  describe('of two writes at the same time that cannot both be', () => {
    it('one gets the name', async () => {
      for (let race = 0; race < races; race += 1) {
        const send = (admin: Admin) =>
          admin.call('POST', `${api}/gateways?tenant_id=${tenant}`, { name: `race-${race}` });
        const answers = await Promise.all([...both, ...both].map(send));
        expect(statuses(answers)).toEqual([201, 409, 409, 409]);
        expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual(
          Array.from({ length: 3 }, () => 'name_exists'),
        );
        const list = await both[0].call('GET', `${api}/gateways?tenant_id=${tenant}&name=race-${race}`);
        expect(list.body.total).toBe(1);
      }
    });

    it('one has seen the revision that it changes', async () => {
      const { id } = await made(both[0], `${api}/gateways?tenant_id=${tenant}`, { name: 'contended' });
      const path = `${api}/gateways/${id}?tenant_id=${tenant}`;
      for (let race = 0; race < races; race += 1) {
        const etag = (await both[0].call('GET', path)).headers.get('etag') ?? '';
        const change = (admin: Admin, index: number) =>
          admin.call('PATCH', path, { description: `${race}-${index}` }, { 'if-match': etag });
        const answers = await Promise.all([...both, ...both].map(change));
        expect(statuses(answers)).toEqual([200, 412, 412, 412]);
        const winner = answers.findIndex(({ status }) => status === 200);
        expect((await both[1].call('GET', path)).body.description).toBe(`${race}-${winner}`);
      }
    });
  });

  it('one is carried out when both get the same Idempotency-Key, and all get its answer', async () => {
    for (let race = 0; race < races; race += 1) {
      const headers = { 'idempotency-key': `race-${race}` };
      const body = { username: `once-${race}` };
      const send = (admin: Admin) => admin.call('POST', `${api}/consumers?tenant_id=${tenant}`, body, headers);
      const answers = await Promise.all([...both, ...both].map(send));
      expect(statuses(answers)).toEqual([201, 201, 201, 201]);
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
      const audits = await database.rows(
        'select id from audit_records where tenant_id = $1 and entity_id = $2',
        tenant,
        answers[0]?.body.id,
      );
      expect(audits).toHaveLength(1);
    }
  });

  it("of two children at the same time, the last of a tenant's quota is made once", async () => {
    const allowed = 3;
    const slug = 'parent';
    const parent = { name: 'Parent', slug, can_create_tenant: true, tenant_quota: allowed };
    await made(both[0], `${api}/tenants`, parent);
    const person = { username: 'owner', password: 'correct horse battery', role: 'admin' };
    await made(both[0], `${api}/users?tenant_id=${slug}`, person);
    const { token } = await signIn(replicas.first.url, person.username, person.password, slug);
    const owners = [adminWith(replicas.first.url, token), adminWith(replicas.second.url, token)];
    const answers = await Promise.all(
      Array.from({ length: 2 * allowed }, (_, index) =>
        (owners[index % 2] ?? both[0]).call('POST', `${api}/tenants`, { name: 'Child', slug: `child-${index}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(allowed);
    expect(answers.filter(({ body }) => body.code === 'quota_exceeded')).toHaveLength(allowed);
    const list = await both[1].call('GET', `${api}/tenants?parent_slug=${slug}`);
    expect(list.body.total).toBe(allowed);
  });

  describe('whoever is shut out at one is refused by the other', () => {
    const shutOut = async (admin: Admin, path: string): Promise<void> => {
      await eventually(async () => (await admin.call('GET', path)).status === 401, { timeoutMs: shutOutWithinMs });
    };
    const readable = `${api}/gateways?tenant_id=${tenant}`;

    it('a token that was revoked', async () => {
      const body = { name: 'short-lived', scopes: ['admin:read'] };
      const { id, token } = await made(both[0], `${api}/api-tokens?tenant_id=${tenant}`, body);
      const caller = adminWith(replicas.second.url, token);
      expect((await caller.call('GET', readable)).status).toBe(200);
      expect((await both[0].call('DELETE', `${api}/api-tokens/${id}?tenant_id=${tenant}`)).status).toBe(204);
      await shutOut(caller, readable);
    });

    it('a user who was disabled, with the access token of before', async () => {
      const person = { username: 'leaver', password: 'correct horse battery', role: 'reader' };
      const { id } = await made(both[0], `${api}/users?tenant_id=${tenant}`, person);
      const caller = await signIn(replicas.second.url, person.username, person.password, tenant);
      expect((await caller.call('GET', readable)).status).toBe(200);
      const disabled = await both[0].call('PATCH', `${api}/users/${id}?tenant_id=${tenant}`, { enabled: false });
      expect(disabled.status).toBe(200);
      await shutOut(caller, readable);
    });

    it('users and tokens of a tenant that was deactivated, until it is activated', async () => {
      const slug = 'paused';
      await made(both[0], `${api}/tenants`, { name: 'Paused', slug });
      const person = { username: 'idle', password: 'correct horse battery', role: 'admin' };
      await made(both[0], `${api}/users?tenant_id=${slug}`, person);
      const grant = { name: 'robot', scopes: ['admin:read'] };
      const { token } = await made(both[0], `${api}/api-tokens?tenant_id=${slug}`, grant);
      const callers = [
        adminWith(replicas.second.url, token),
        await signIn(replicas.second.url, person.username, person.password, slug),
      ];
      for (const caller of callers) expect((await caller.call('GET', `${api}/gateways`)).status).toBe(200);
      expect((await both[0].call('POST', `${api}/tenants/${slug}/deactivate`)).status).toBe(200);
      for (const caller of callers) await shutOut(caller, `${api}/gateways`);
      expect((await both[0].call('POST', `${api}/tenants/${slug}/activate`)).status).toBe(200);
      for (const caller of callers) {
        await eventually(async () => (await caller.call('GET', `${api}/gateways`)).status === 200, {
          timeoutMs: shutOutWithinMs,
        });
      }
    });
  });

  describe('when one is killed in the middle of writes', () => {
    const killed = 'killed';
    const writersEach = 4;
    const writesBeforeKill = 100;
    const writesAfterKill = 100;
    const acknowledged = new Set<string>();

    /** Writes until told to stop or until the replica is gone. */
    const write = async (admin: Admin, label: string, isDone: () => boolean): Promise<void> => {
      for (let index = 0; !isDone(); index += 1) {
        let answer: AdminAnswer;
        try {
          answer = await admin.call('POST', `${api}/consumers?tenant_id=${killed}`, { username: `${label}-${index}` });
        } catch {
          return;
        }
        expect(answer.status, JSON.stringify(answer.body)).toBe(201);
        acknowledged.add(answer.body.id);
      }
    };

    it('the other goes on without a failure', async () => {
      await made(both[0], `${api}/tenants`, { name: 'Killed', slug: killed });
      let enough = Number.POSITIVE_INFINITY;
      const isDone = (): boolean => acknowledged.size >= enough;
      const writers = Array.from({ length: writersEach }, (_, index) => [
        write(both[0], `first-${index}`, isDone),
        write(both[1], `second-${index}`, isDone),
      ]).flat();
      await eventually(() => acknowledged.size >= writesBeforeKill, { timeoutMs: 60_000 });
      await replicas.second.process().kill('SIGKILL');
      enough = acknowledged.size + writesAfterKill;
      await Promise.all(writers);
      expect(acknowledged.size).toBeGreaterThanOrEqual(enough);
    });

    it('every write is whole: record, key, audit record, change and revision, or nothing of them', async () => {
      const list = await database.rows(
        `select r.id,
                (select count(*)::int from resource_keys k where (k.tenant_id, k.family, k.id) = (r.tenant_id, r.family, r.id)) as keys,
                (select count(*)::int from audit_records a where a.tenant_id = r.tenant_id and a.entity_id = r.id) as audits,
                (select count(*)::int from changes c where c.tenant_id = r.tenant_id and c.id = r.id) as changes
           from resources r where r.tenant_id = $1 and r.family = 'consumers'`,
        killed,
      );
      const written = new Set(list.map(({ id }) => id));
      expect([...acknowledged].filter((id) => !written.has(id))).toEqual([]);
      // What was under way when the process died may have been committed without an answer; no more than that.
      expect(written.size - acknowledged.size).toBeLessThanOrEqual(writersEach);
      expect(list.filter(({ keys, audits, changes }) => keys !== 1 || audits !== 1 || changes !== 1)).toEqual([]);
      const [counted] = await database.rows(
        `select (select count(*)::int from audit_records where tenant_id = $1 and entity_type = 'consumer') as audits,
                (select revision::int from tenant_revisions where tenant_id = $1) as revision,
                (select count(distinct revision)::int from changes where tenant_id = $1) as changes`,
        killed,
      );
      expect(counted).toEqual({ audits: written.size, revision: written.size, changes: written.size });
    });

    it('started again, it reads everything and writes', async () => {
      await replicas.second.start();
      const list = await both[1].call('GET', `${api}/consumers?tenant_id=${killed}&limit=1`);
      expect(list.body.total).toBeGreaterThanOrEqual(acknowledged.size);
      const { id } = await made(both[1], `${api}/consumers?tenant_id=${killed}`, { username: 'after' });
      expect((await both[0].call('GET', `${api}/consumers/${id}?tenant_id=${killed}`)).status).toBe(200);
    });
  });
});
