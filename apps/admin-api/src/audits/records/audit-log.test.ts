import { createHash } from 'node:crypto';
import { FakeClock } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import type { AuditRow } from '../../database/audit-tables.ts';
import { describeOnEachDatabase } from '../../database/each-database.test-support.ts';
import { createAuditLog } from './audit-log.ts';
import type { AuditEntry } from '../audit-port.ts';

const clock = new FakeClock({ nowMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6) });

function entry(tenantId: string, changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    tenantId,
    actorId: 'u1',
    actorUsername: 'ada',
    action: 'update',
    entityType: 'service',
    entityId: 's1',
    requestId: 'r1',
    sourceIp: '192.0.2.1',
    ...changes,
  };
}

const disclosuresOf = (row: AuditRow | undefined): Record<string, { salt: string; value: unknown } | undefined> =>
  JSON.parse(row?.disclosures ?? '{}');

describeOnEachDatabase('the audit log', ({ database }) => {
  let lastId = 0;
  const log = createAuditLog({ ids: () => `audit-${process.pid}-${(lastId += 1)}`, clock });
  const rowsOf = (tenantId: string): Promise<AuditRow[]> =>
    database().read.selectFrom('audit_records').selectAll().where('tenant_id', '=', tenantId).orderBy('id').execute();

  it('stores the canonical bytes whose framed hash and commitments an independent reader computes', async () => {
    const after = { z: 1, a: ['é', '\n'], n: 0.5 };
    await database().transaction((transaction) =>
      log.append(transaction, [entry('hashes', { before: null, after, metadata: { note: '€' } })]),
    );
    const [row] = await rowsOf('hashes');
    const id = `audit-${process.pid}-${lastId}`;
    const disclosures = disclosuresOf(row);
    const values = {
      before: 'null',
      after: '{"a":["é","\\n"],"n":0.5,"z":1}',
      metadata: '{"note":"€"}',
      source_ip: '"192.0.2.1"',
      actor_username: '"ada"',
    };
    const committed = Object.fromEntries(
      Object.entries(values).map(([field, text]) => {
        const salt = Buffer.from(disclosures[field]?.salt ?? '', 'hex');
        expect([salt.length, disclosures[field]?.value], field).toEqual([16, JSON.parse(text)]);
        return [field, `{"c":"${createHash('sha256').update(salt).update(text, 'utf8').digest('hex')}"}`];
      }),
    );
    const canonical =
      `{"action":"update","actor_id":"u1","actor_username":${committed['actor_username']},"after":${committed['after']},` +
      `"before":${committed['before']},"entity_id":"s1","entity_type":"service","id":"${id}","immutable":true,` +
      `"metadata":${committed['metadata']},"request_id":"r1","schema_version":2,"source_ip":${committed['source_ip']},` +
      `"tenant_id":"hashes","timestamp":"2026-01-02T03:04:05.006Z"}`;
    const bytes = Buffer.from(canonical);
    const length = Buffer.from([0, 0, bytes.length >> 8, bytes.length & 255]);
    const framed = Buffer.concat([Buffer.from('portcullis/audit/v1/content\0'), length, bytes]);
    const content_hash = createHash('sha256').update(framed).digest('hex');
    expect(row).toMatchObject({ canonical, content_hash, audit_hash: null, schema_version: 2 });
  });

  it('salts every field of every record anew, so that equal values cannot be told from the hashed text', async () => {
    const same = { before: { a: 1 }, after: { a: 1 } };
    await database().transaction((transaction) =>
      log.append(transaction, [entry('salts', same), entry('salts', same)]),
    );
    const commitments = (await rowsOf('salts')).flatMap((row) => {
      const { before, after, metadata } = JSON.parse(row.canonical);
      return [before.c, after.c, metadata.c];
    });
    expect(new Set(commitments).size).toBe(6);
  });

  it('keeps integers that readers round as texts, and what JSON leaves out as nothing', async () => {
    const before = { big: 2 ** 60, kept: 7, left_out: undefined };
    await database().transaction((transaction) => log.append(transaction, [entry('rounded', { before })]));
    const [row] = await rowsOf('rounded');
    expect(disclosuresOf(row)['before']?.value).toEqual({ big: '1152921504606847000', kept: 7 });
  });

  it('is there with the act or not at all', async () => {
    const act = (tenantId: string, fail: boolean): Promise<void> =>
      database().transaction(async (transaction) => {
        await transaction.insertInto('tenant_revisions').values({ tenant_id: tenantId, revision: 1 }).execute();
        await log.append(transaction, [entry(tenantId), entry(tenantId, { action: 'delete' })]);
        if (fail) throw new Error('the act failed after it was recorded');
      });
    await expect(act('act-failed', true)).rejects.toThrow('after it was recorded');
    await act('act-done', false);
    expect(await rowsOf('act-failed')).toEqual([]);
    expect(await rowsOf('act-done')).toHaveLength(2);
  });

  it.each([
    ['U+0000', { metadata: { name: 'a\0b' } }, 'U+0000'],
    ['a lone surrogate', { after: { name: '\ud800' } }, 'surrogate'],
    ['a number that JSON has not', { before: { limit: Number.NaN } }, 'NaN'],
    ['an act that the policy does not know', { action: 'vanish' }, 'no rule for vanish service'],
  ])('refuses %s, and the act with it', async (_what, changes, message) => {
    const attempt = database().transaction(async (transaction) => {
      await transaction.insertInto('tenant_revisions').values({ tenant_id: 'refused', revision: 1 }).execute();
      await log.append(transaction, [entry('refused', changes)]);
    });
    await expect(attempt).rejects.toThrow(message);
    expect(await rowsOf('refused')).toEqual([]);
    const revisions = database().read.selectFrom('tenant_revisions').where('tenant_id', '=', 'refused').selectAll();
    expect(await revisions.execute()).toEqual([]);
  });

  it('keeps a backslash before u0000 for what it is', async () => {
    await database().transaction((transaction) => log.append(transaction, [entry('escapes', { after: '\\u0000' })]));
    const [row] = await rowsOf('escapes');
    expect(disclosuresOf(row)['after']?.value).toBe('\\u0000');
  });
});
