import type { Family } from '@portcullis/resources';
import type { WrittenActs } from '../audits/audit-port.ts';
import { Problem } from '../http/problem.ts';
import type { RecordChange } from '../revisions/revision-port.ts';
import { ConfigurationSum } from '../snapshots/configuration-hash.ts';
import type { ConfigurationTotals } from '../snapshots/configuration-hash.ts';
import { bulkRecords } from '../store/bulk-records.ts';
import type { BulkRecords } from '../store/bulk-records.ts';
import { auditedView } from './audited-view.ts';
import { draftRecord } from './draft-record.ts';
import type { DraftedRecord, DraftingSession } from './draft-record.ts';
import type { DraftedStore } from './drafted-store.ts';
import { inTurns } from './in-turns.ts';
import { withKnownTargets } from './known-targets.ts';
import type { NewRecord } from './record-writer.ts';
import type { WriteParts } from './write-parts.ts';
import { actEntry } from './write-session.ts';
import type { WriteSessionParts } from './write-session.ts';

/** New records of one family, and everything that a session has to say of them, worked out before it opens. */
export interface PreparedCreates {
  readonly family: Family;
  readonly records: BulkRecords;
  readonly changes: readonly RecordChange[];
  readonly acts: WrittenActs;
  readonly totals: ConfigurationTotals;
}

/** What preparing takes beside the parts of writes. */
export type PreparingParts = WriteParts & Pick<WriteSessionParts, 'audit'>;

/**
 * Checks new records, writes them down and what the audit log says of them, before the session that stores them: whoever else
 * wants to write waits for that session. It must then be of the revision that these were drafted for.
 *
 * Nothing is prepared where that is not safe, and the session does the work: secrets are sealed under keys that a rotation may
 * take away in between; what has effects or a part of its own in a write needs the session; and what is refused, is refused there.
 * @param drafted records of earlier batches, which these may refer to; it gets to know these
 */
export async function prepareCreates(
  parts: PreparingParts,
  session: DraftingSession,
  drafted: DraftedStore,
  family: Family,
  wanted: readonly NewRecord[],
): Promise<PreparedCreates | undefined> {
  if (parts.behaviours.get(family.name)?.afterWrite) return undefined;
  const drafts = await draftAll({ ...parts, store: drafted.store }, session, family, wanted);
  if (!drafts) return undefined;
  const items = drafts.map(({ item }) => item);
  const sum = new ConfigurationSum();
  const entries = [];
  for await (const { record } of inTurns(items)) {
    sum.add(record);
    const after = await auditedView(parts.secrets, undefined, family, record);
    const act = { action: 'create', entityType: family.singular, entityId: record.id, after };
    entries.push(actEntry(session.actor, session.tenantId, act));
  }
  drafted.add(items.map(({ record }) => record));
  return {
    family,
    records: bulkRecords(items),
    changes: items.map(({ record: { id, gatewayId } }) => ({
      family: family.name,
      id,
      action: 'create',
      gateway_id: gatewayId,
    })),
    acts: await parts.audit.writeDown(entries),
    totals: sum.totals(),
  };
}

/** All drafts, or nothing where one of them has to be made in the session. */
async function draftAll(
  parts: WriteParts,
  session: DraftingSession,
  family: Family,
  wanted: readonly NewRecord[],
): Promise<readonly DraftedRecord[] | undefined> {
  const sent = wanted.map((each) => each.sent);
  const knowing = { ...parts, store: await withKnownTargets(parts.store, session, family, sent) };
  const drafts: DraftedRecord[] = [];
  for await (const { id, gatewayId, sent: own, anticipated } of inTurns(wanted)) {
    const draft = await draftedOrNothing(() =>
      draftRecord(knowing, session, family, { id, gatewayId }, { sent: own, anticipated }, undefined),
    );
    if (!draft || draft.effect || Object.keys(draft.item.record.secrets).length > 0) return undefined;
    drafts.push(draft);
  }
  // What was checked as if nothing were wrong is not known to be right.
  return session.aside.isWanted ? undefined : drafts;
}

async function draftedOrNothing(draft: () => Promise<DraftedRecord>): Promise<DraftedRecord | undefined> {
  try {
    return await draft();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
