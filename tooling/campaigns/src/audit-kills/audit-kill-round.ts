import { setTimeout as pause } from 'node:timers/promises';
import type { TenantRow } from '@portcullis/testkit';
import type { World } from '../control-plane/worlds.ts';
import type { Random } from '../random.ts';
import { type AnsweredWrite, startWriters } from './writers.ts';

/** What one kill left. */
export interface AuditKill {
  /** Writes that were answered before it. */
  readonly answered: number;
  /** Records of the tenant. */
  readonly records: number;
  /** Of these, how many had no place in the chains when the process was gone. */
  readonly unchained: number;
  /** Records of the whole log that were verified afterwards. */
  readonly verified: number;
}

/** The kill comes at a random moment within this time. */
const killWithinMs = 700;
const audits = '/api/v1/admin/audits';

/**
 * Lets writers loose on a tenant of its own, kills the process, and looks: at the tables before anything starts again, and
 * at the log after. @throws Error for a write without record, a record without write, a lost answer, or a log that is not whole
 */
export async function auditKillRound({ place, plane }: World, index: number, random: Random): Promise<AuditKill> {
  const tenantId = `audited-${index}`;
  await plane.addTenant(tenantId);
  const writers = startWriters(plane.client(), tenantId, random);
  await pause(random.next() * killWithinMs);
  writers.stopAsking();
  // What was answered by now has to be there; what is answered until the process is gone may be.
  const answered = [...writers.answered];
  await plane.kill();
  await writers.ended;
  await place.settle();

  const damage = await place.damage();
  if (damage.length > 0) throw new Error(`the database is damaged\n  ${damage.join('\n  ')}`);
  const records = await place.rowsOf('audit_records', tenantId);
  checkWrites(await place.rowsOf('resources', tenantId), records, answered);
  await plane.start();
  const after = await verifiedLog(plane, tenantId);
  checkLinks(records, await place.rowsOf('audit_records', tenantId));
  const unchained = records.filter((row) => row['global_sequence'] === null).length;
  return { answered: answered.length, records: records.length, unchained, verified: after };
}

/** Rows and records have to tell the same story: a row has one more revision than its record's updates. */
function checkWrites(
  resources: readonly TenantRow[],
  records: readonly TenantRow[],
  answered: readonly AnsweredWrite[],
): void {
  const acts = new Map<string, string[]>();
  for (const record of records) {
    if (record['entity_type'] !== 'consumer') continue;
    const id = String(record['entity_id']);
    acts.set(id, [...(acts.get(id) ?? []), String(record['action'])]);
  }
  const rows = new Map(
    resources.filter((row) => row['family'] === 'consumers').map((row) => [String(row['id']), Number(row['revision'])]),
  );
  const count = (id: string, action: string): number => acts.get(id)?.filter((act) => act === action).length ?? 0;
  for (const [id, revision] of rows) {
    if (count(id, 'create') !== 1 || count(id, 'delete') !== 0)
      throw new Error(`the consumer ${id} is without its record`);
    const updates = count(id, 'update');
    if (revision !== updates + 1) throw new Error(`${id} has revision ${revision} and ${updates} records of updates`);
  }
  for (const id of acts.keys()) {
    if (!rows.has(id) && count(id, 'delete') !== 1) throw new Error(`records of ${id} are without their write`);
  }
  for (const { id, action } of answered) {
    if (count(id, action) === 0) throw new Error(`the ${action} of ${id} was answered and is not recorded`);
  }
}

/** Whether the log is whole, and continues what was signed. @returns how many records it has */
async function verifiedLog(plane: World['plane'], tenantId: string): Promise<number> {
  const client = plane.client();
  for (const body of [{ tenant_id: tenantId }, {}]) {
    const verdict = await client.expect('POST', `${audits}/verify`, 200, body);
    if (verdict.valid !== true) throw new Error(`the log is not whole: ${JSON.stringify(verdict)}`);
  }
  const { size } = await client.expect('GET', `${audits}/checkpoint`, 200);
  return Number(size);
}

/** A place in the chains is for ever, and nobody is left without one. */
function checkLinks(before: readonly TenantRow[], after: readonly TenantRow[]): void {
  const now = new Map(after.map((row) => [row['id'], row]));
  for (const row of before) {
    const found = now.get(row['id']);
    if (!found || found['global_sequence'] === null) throw new Error(`the record ${String(row['id'])} is not chained`);
    const isSame = row['global_sequence'] === null || row['global_hash'] === found['global_hash'];
    if (!isSame) throw new Error(`the record ${String(row['id'])} was chained a second time`);
  }
  const sequences = after.map((row) => Number(row['tenant_sequence'])).toSorted((left, right) => left - right);
  if (sequences.some((sequence, index) => sequence !== index + 1)) throw new Error('the chain of the tenant has a gap');
}
