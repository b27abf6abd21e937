import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { expectWhole, sequencerOn, someEntry, waiting, write } from '../../audits/chain/chain-world.test-support.ts';
import type { Database, Executor } from '../database.ts';
import { describeOnEachDatabase, silentLog } from '../each-database.test-support.ts';
import { openDatabase } from '../open-database.ts';
import { undoAuditChain } from './undo-audit-chain.test-support.ts';

/** A record as releases before this step wrote it. */
async function writeOld(executor: Executor, tenantId: string, index: number): Promise<string> {
  const id = `0-${String(index).padStart(4, '0')}`;
  const canonical =
    `{"action":"update","actor_id":"u","actor_username":"u","after":{"n":${index}},"before":null,"entity_id":"s",` +
    `"entity_type":"service","id":"${id}","immutable":true,"metadata":null,"request_id":"r","schema_version":1,` +
    `"source_ip":"::1","tenant_id":${tenantId === '' ? 'null' : `"${tenantId}"`},"timestamp":"2026-01-01T00:00:00.000Z"}`;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(canonical));
  const hash = createHash('sha256').update('portcullis/audit/v1/content\0').update(length).update(canonical);
  await sql`insert into audit_records (id, tenant_id, actor_id, actor_username, action, entity_type, entity_id, request_id,
    source_ip, occurred_at, schema_version, canonical, content_hash) values (${id}, ${tenantId}, 'u', 'u', 'update', 'service',
    's', 'r', '::1', ${Date.UTC(2026, 0, 1)}, 1, ${canonical}, ${hash.digest('hex')})`.execute(executor);
  return id;
}

describeOnEachDatabase('the step to the audit chain', ({ fresh, dialect }) => {
  it('leaves old records as they are, and they are chained, the oldest first and before new ones', async () => {
    const place = await fresh();
    const older = await openDatabase({ url: place.url, log: silentLog });
    const ids: string[] = [];
    await older.transaction(async (transaction) => {
      await undoAuditChain(transaction);
      for (let index = 0; index < 60; index += 1) {
        ids.push(await writeOld(transaction, ['', 'acme', 'gone'][index % 3] ?? '', index));
      }
    });
    await older.close();
    const database = await openDatabase({ url: place.url, log: silentLog });
    await write(database, someEntry('acme'));
    expect(await waiting(database)).toBe(61);
    await sequencerOn(database).chainAll();
    expect(await expectWhole(database, ['', 'acme', 'gone'])).toBe(61);
    const rows = await database.read.selectFrom('audit_records').selectAll().orderBy('global_sequence').execute();
    expect(rows.slice(0, 60).map(({ id }) => id)).toEqual(ids);
    expect(rows.map((row) => [row.schema_version, row.disclosures === null])).toEqual([
      ...ids.map(() => [1, true]),
      [2, false],
    ]);
    await database.close();
    await place.remove();
  });

  it('makes the database refuse what nobody does to records', async () => {
    const place = await fresh();
    const database = await openDatabase({ url: place.url, log: silentLog });
    await write(database, someEntry('acme'), someEntry('acme'));
    await sequencerOn(database).chainAll();
    await write(database, someEntry('acme', 'waits'));
    const refusals: readonly (readonly [string, string])[] = [
      [`update audit_records set canonical = '{}'`, 'does not change'],
      [`update audit_records set actor_id = 'someone else'`, 'does not change'],
      [`update audit_records set occurred_at = 1`, 'does not change'],
      [`update audit_records set actor_username = 'someone else'`, 'does not change'],
      [`update audit_records set audit_hash = previous_hash`, 'chained once'],
      [`update audit_records set global_sequence = null`, 'chained once'],
      [`update audit_records set disclosures = disclosures || ' '`, 'only be taken away'],
      [`delete from audit_records`, 'by retention only'],
      [`delete from audit_records where entity_id = 'waits'`, 'by retention only'],
      [`update audit_heads set sequence = sequence - 1`, 'only moves forward'],
      [`update audit_heads set hash = '${'0'.repeat(64)}'`, 'only moves forward'],
      [`delete from audit_heads`, 'is not deleted'],
      ...(dialect === 'postgres' ? [['truncate audit_records', 'not truncated'] as const] : []),
    ];
    for (const [statement, message] of refusals) {
      const attempt = database.transaction((transaction) => sql.raw(statement).execute(transaction));
      await expect(attempt, statement).rejects.toThrow(message);
    }
    await sequencerOn(database).chainAll();
    expect(await expectWhole(database, ['acme'])).toBe(3);
    await redactAll(database);
    await database.close();
    await place.remove();
  });

  it('makes the database refuse what nobody does to what is signed and cut', async () => {
    const place = await fresh();
    const database = await openDatabase({ url: place.url, log: silentLog });
    await write(database, someEntry('acme'), someEntry('acme'), someEntry('acme'));
    await sequencerOn(database).chainAll();
    await database.transaction(async (transaction) => {
      const key = { key_id: '1', name: 'n', verifier_key: 'v', sealed_seed: null, signed_change: null, since: 1 };
      await transaction.insertInto('audit_keys').values(key).execute();
      const checkpoint = { chain: 'global', size: 1, root: '', note: '', created_at: 0 };
      await transaction.insertInto('audit_checkpoints').values(checkpoint).execute();
    });
    const refusals: readonly (readonly [string, string])[] = [
      [`update audit_checkpoints set root = ''`, 'does not change'],
      [`delete from audit_checkpoints`, 'is not deleted'],
      [`insert into audit_retention values ('global', 2, '', '[]', 0)`, 'what was signed only'],
      [`insert into audit_retention values ('tenant:acme', 1, '', '[]', 0)`, 'what was signed only'],
      [`update audit_keys set verifier_key = 'another'`, 'does not change'],
      [`update audit_keys set sealed_seed = 'another', since = 2`, 'does not change'],
      [`delete from audit_keys`, 'is not deleted'],
      ...(dialect === 'postgres'
        ? ([
            ['truncate audit_checkpoints', 'is not deleted'],
            ['truncate audit_keys', 'is not deleted'],
          ] as const)
        : []),
    ];
    for (const [statement, message] of refusals) {
      const attempt = database.transaction((transaction) => sql.raw(statement).execute(transaction));
      await expect(attempt, statement).rejects.toThrow(message);
    }
    await expect(prune(database, 2)).rejects.toThrow('what was signed only');
    await database.transaction(async (transaction) => {
      const checkpoint = { chain: 'global', size: 3, root: '', note: '', created_at: 0 };
      await transaction.insertInto('audit_checkpoints').values(checkpoint).execute();
      await transaction.updateTable('audit_keys').set({ since: 2, signed_change: 'by another' }).execute();
    });
    await prune(database, 1);
    await prune(database, 2);
    await expect(prune(database, 3, 2)).rejects.toThrow('moves forward');
    await expect(prune(database, 3, 2, false)).rejects.toThrow('by retention only');
    await expect(
      database.transaction((transaction) => transaction.deleteFrom('audit_retention').execute()),
    ).rejects.toThrow('not forgotten');
    await database.close();
    await place.remove();
  });
});

/** What a redaction does. */
async function redactAll(database: Database): Promise<void> {
  const set = `actor_username = '', source_ip = '', disclosures = '{"after":null}'`;
  await database.transaction((transaction) => sql.raw(`update audit_records set ${set}`).execute(transaction));
}

/** What retention does, up to a sequence; or more than it said before. */
async function prune(database: Database, through: number, said: number = through, says: boolean = true): Promise<void> {
  await database.transaction(async (transaction) => {
    const row = { pruned_through: said, hash: '', subtree_hashes: '[]', pruned_at: 0 };
    const insertion = transaction.insertInto('audit_retention').values({ chain: 'global', ...row });
    if (says) await insertion.onConflict((conflict) => conflict.column('chain').doUpdateSet(row)).execute();
    await transaction.deleteFrom('audit_records').where('global_sequence', '<=', through).execute();
  });
}
