import type { Family } from '@portcullis/resources';
import { familyNamed } from '@portcullis/resources';
import { chunksOf } from '../database/chunks.ts';
import { Problem } from '../http/problem.ts';
import { concludeWrite } from '../resources/conclude-write.ts';
import { problemOfConflict } from '../resources/conflict-problem.ts';
import { draftRecord } from '../resources/draft-record.ts';
import { withKnownTargets } from '../resources/known-targets.ts';
import { inTurns } from '../resources/in-turns.ts';
import { keysOf } from '../resources/record-keys.ts';
import { patched } from '../resources/sent-record.ts';
import { storedReferences } from '../resources/stored-references.ts';
import type { WriteParts } from '../resources/write-parts.ts';
import type { WriteSession } from '../resources/write-session.ts';
import { releaseRecords } from '../store/release-records.ts';
import type { RecordToWrite, StoredRecord } from '../store/resource-store.ts';
import { lineOf } from './collection-of.ts';
import type { RollbackPlan } from './rollback-plan.ts';

/** Records outside the configuration that a refusal names. */
const referrersNamedMax = 20;

/**
 * Carries a rollback out inside one session. The stored forms come back as they were, hashes and sealed secrets among them;
 * only then each is checked like any other write, so that records may trade names and point at each other.
 * @throws Problem that names the record which cannot come back or go, and why
 */
export async function applyRollback(parts: WriteParts, session: WriteSession, plan: RollbackPlan): Promise<void> {
  const { creates, updates, deletes } = plan;
  await releaseAll(session, [...deletes, ...updates.map(({ live }) => live)]);
  await removeAll(parts, session, deletes);
  const nowMs = parts.nowMs();
  const tenantRevision = session.baseRevision + 1;
  const made = creates.map((past): StoredRecord => ({
    ...past,
    revision: past.revision + 1,
    updatedAtMs: nowMs,
    tenantRevision,
  }));
  const changed = updates.map(({ past, live }) => ({
    live,
    record: { ...past, revision: live.revision + 1, createdAtMs: live.createdAtMs, updatedAtMs: nowMs, tenantRevision },
  }));
  await createAll(parts, session, made);
  await updateAll(parts, session, changed);
  await checkAll(parts, session, [...made, ...changed.map(({ record }) => record)]);
}

/** Gives up names and references of all that go or change, so that their order does not matter any more. */
async function releaseAll(session: WriteSession, records: readonly StoredRecord[]): Promise<void> {
  const { transaction, tenantId } = session;
  for (const [family, group] of Map.groupBy(records, (record) => record.family)) {
    const ids = group.map(({ id }) => id);
    await releaseRecords(transaction, tenantId, family, ids);
  }
}

async function removeAll(parts: WriteParts, session: WriteSession, records: readonly StoredRecord[]): Promise<void> {
  const { transaction, tenantId } = session;
  for (const [name, group] of Map.groupBy(records, (record) => record.family)) {
    const family = familyNamed(name);
    for (const chunk of chunksOf(group)) {
      await refuseReferred(parts, session, family, chunk);
      const ids = chunk.map(({ id }) => id);
      const result = await parts.store.removeMany(transaction, tenantId, name, ids);
      if (!result.ok) throw problemOfConflict(family, result.conflict);
    }
    for await (const record of inTurns(group)) await concludeWrite(parts, session, family, record, undefined);
  }
}

/** What still refers to them is no configuration, data planes for instance: a rollback does not take such things along. */
async function refuseReferred(
  parts: WriteParts,
  { transaction, tenantId }: WriteSession,
  family: Family,
  records: readonly StoredRecord[],
): Promise<void> {
  const ids = records.map(({ id }) => id);
  const found = await parts.store.referrersOfMany(transaction, tenantId, family.name, ids, referrersNamedMax);
  const record = records.find(({ id }) => id === found[0]?.targetId);
  if (!record) return;
  const by = found.filter(({ targetId }) => targetId === record.id);
  throw placed(problemOfConflict(family, { kind: 'referenced', by }), record);
}

async function createAll(parts: WriteParts, session: WriteSession, records: readonly StoredRecord[]): Promise<void> {
  const result = await parts.store.insertMany(session.transaction, await mapped(records, toWrite));
  const refused = result.ok ? undefined : records[result.index];
  if (!result.ok && refused) throw placed(problemOfConflict(familyNamed(refused.family), result.conflict), refused);
  for await (const record of inTurns(records)) {
    await concludeWrite(parts, session, familyNamed(record.family), undefined, record);
  }
}

interface ChangedRecord {
  readonly live: StoredRecord;
  readonly record: StoredRecord;
}

async function updateAll(parts: WriteParts, session: WriteSession, changed: readonly ChangedRecord[]): Promise<void> {
  for (const [name, group] of Map.groupBy(changed, ({ record }) => record.family)) {
    const family = familyNamed(name);
    const result = await parts.store.updateMany(
      session.transaction,
      await mapped(group, ({ live, record }) => ({ item: toWrite(record), expectedRevision: live.revision })),
    );
    const refused = result.ok ? undefined : group[result.index];
    if (!result.ok && refused) throw placed(problemOfConflict(family, result.conflict), refused.record);
    for await (const { live, record } of inTurns(group)) await concludeWrite(parts, session, family, live, record);
  }
}

async function mapped<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Promise<Made[]> {
  const made: Made[] = [];
  for await (const item of inTurns(items)) made.push(make(item));
  return made;
}

function toWrite(record: StoredRecord): RecordToWrite {
  const family = familyNamed(record.family);
  return { record, keys: keysOf(family, record, record.body), references: storedReferences(family, record) };
}

/** Holds each record against what is valid today: schema, rules, references, plugin packages. Nothing of it is written. */
async function checkAll(parts: WriteParts, session: WriteSession, records: readonly StoredRecord[]): Promise<void> {
  for (const [name, group] of Map.groupBy(records, (record) => record.family)) {
    const family = familyNamed(name);
    for (const chunk of chunksOf(group)) {
      const sent = chunk.map((record) => patched(family, record, {}));
      const knowing = { ...parts, store: await withKnownTargets(parts.store, session, family, sent) };
      for await (const [index, record] of inTurns(chunk.entries())) {
        const own = { sent: sent[index] ?? {}, anticipated: {} };
        try {
          await draftRecord(knowing, session, family, record, own, record);
        } catch (error) {
          throw error instanceof Problem ? placed(error, record) : error;
        }
      }
    }
  }
}

/** The same refusal, saying which record it is about. */
function placed(problem: Problem, record: StoredRecord): Problem {
  const { resource_type: type, id, name } = lineOf(record);
  const subject = name === null ? `${type} ${id}` : `${type} ${name} (${id})`;
  return new Problem(problem.code, `${subject}: ${problem.detail}`, { errors: problem.errors });
}
