import { createHash } from 'node:crypto';
import { FakeClock } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { createAuditLog } from './audit-log.ts';
import type { AuditEntry } from './audit-port.ts';

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

describeOnEachDatabase('the audit log', ({ database }) => {
  let lastId = 0;
  const log = createAuditLog({ ids: () => `audit-${process.pid}-${(lastId += 1)}`, clock });
  const rowsOf = (
    tenantId: string,
  ): Promise<{ canonical: string; content_hash: string; audit_hash: string | null }[]> =>
    database()
      .read.selectFrom('audit_records')
      .select(['canonical', 'content_hash', 'audit_hash'])
      .where('tenant_id', '=', tenantId)
      .orderBy('id')
      .execute();

  it('stores the canonical bytes whose framed hash an independent reader computes', async () => {
    const after = { z: 1, a: ['é', '\n'], n: 1e21 };
    await database().transaction((transaction) =>
      log.append(transaction, [entry('hashes', { before: null, after, metadata: { note: '€' } })]),
    );
    const [row] = await rowsOf('hashes');
    const id = `audit-${process.pid}-${lastId}`;
    const canonical =
      `{"action":"update","actor_id":"u1","actor_username":"ada","after":{"a":["é","\\n"],"n":1e+21,"z":1},"before":null,` +
      `"entity_id":"s1","entity_type":"service","id":"${id}","immutable":true,"metadata":{"note":"€"},"request_id":"r1",` +
      `"schema_version":1,"source_ip":"192.0.2.1","tenant_id":"hashes","timestamp":"2026-01-02T03:04:05.006Z"}`;
    const bytes = Buffer.from(canonical);
    const length = Buffer.from([0, 0, bytes.length >> 8, bytes.length & 255]);
    const framed = Buffer.concat([Buffer.from('portcullis/audit/v1/content\0'), length, bytes]);
    const content_hash = createHash('sha256').update(framed).digest('hex');
    expect(row).toEqual({ canonical, content_hash, audit_hash: null });
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
    expect(JSON.parse(row?.canonical ?? '{}')).toMatchObject({ after: '\\u0000' });
  });
});
