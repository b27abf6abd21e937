import type { Family } from '@portcullis/resources';
import { Problem } from '../http/problem.ts';
import type { RecordToWrite, StoredRecord } from '../store/resource-store.ts';
import { concludeWrite } from './conclude-write.ts';
import { problemOfConflict } from './conflict-problem.ts';
import { draftRecord } from './draft-record.ts';
import type { DraftedRecord, SentRecord } from './draft-record.ts';
import { withKnownTargets } from './known-targets.ts';
import { inTurns } from './in-turns.ts';
import { removeWithDependents } from './remove-with-dependents.ts';
import type { PreparedCreates } from './prepared-creates.ts';
import { createSessionRecords } from './session-records.ts';
import { isEqualJson } from './values.ts';
import type { Values } from './values.ts';
import type { WriteParts } from './write-parts.ts';
import type { WriteSession } from './write-session.ts';

/** A written record, and what only the answer to this write may show. */
export interface WrittenRecord {
  readonly record: StoredRecord;
  readonly reveal: Values;
  readonly action: 'create' | 'update' | 'unchanged';
}

/** A new record of many that are written together. */
export interface NewRecord {
  readonly id: string;
  readonly gatewayId: string | null;
  readonly sent: Values;
  /** What `anticipate` made of the sent fields. */
  readonly anticipated: Values;
}

/** A record of many that are replaced together. */
export interface ReplacedRecord {
  readonly stored: StoredRecord;
  readonly sent: Values;
  /** What `anticipate` made of the sent fields. */
  readonly anticipated: Values;
}

/** The first of many records that is refused, and why. */
export interface RefusedRecord {
  readonly index: number;
  readonly problem: Problem;
}

/** Writes records of every family inside a session that makes them one transaction. */
export interface RecordWriter {
  /** Whether writes of the family have slow work that must be done before their session opens. */
  anticipates(family: Family): boolean;
  /** Does the slow work of a write before its session opens; the result goes with the write of the same fields. */
  anticipate(family: Family, sent: Values, tenantId: string): Promise<Values>;
  /** @throws Problem when the record is wrong or collides; nothing of it is written then */
  create(
    session: WriteSession,
    family: Family,
    place: { id?: string; gatewayId: string | null },
    sent: Values,
    anticipated?: Values,
  ): Promise<WrittenRecord>;
  /**
   * Creates many records of one family in few statements. They may refer to records that the session made before, not to
   * each other. @returns nothing, or the first that is refused and why; the session is then to be given up
   */
  createMany(session: WriteSession, family: Family, items: readonly NewRecord[]): Promise<RefusedRecord | undefined>;
  /**
   * Stores what `prepareCreates` made for the session's revision. @returns nothing, or the first that is refused and why; the
   * session is then to be given up
   */
  createPrepared(session: WriteSession, prepared: PreparedCreates): Promise<RefusedRecord | undefined>;
  /**
   * Replaces all of a record's fields. A record that already is like that is left alone, unless its effect writes something:
   * then what reads show of it changed, so its revision moves as well, and `If-Match` guards it. @throws Problem
   */
  replace(
    session: WriteSession,
    family: Family,
    stored: StoredRecord,
    sent: Values,
    anticipated?: Values,
  ): Promise<WrittenRecord>;
  /**
   * Replaces many records of one family as `replace` does, in few statements. They may refer to records that the session
   * made before. @returns nothing, or the first that is refused and why; the session is then to be given up
   */
  replaceMany(
    session: WriteSession,
    family: Family,
    items: readonly ReplacedRecord[],
  ): Promise<RefusedRecord | undefined>;
  /** Deletes a record and what belongs to it. @throws Problem when others refer to it */
  remove(session: WriteSession, family: Family, stored: StoredRecord): Promise<void>;
  /** Deletes records of one family in few statements. @throws Problem when others refer to one */
  removeMany(session: WriteSession, family: Family, stored: readonly StoredRecord[]): Promise<void>;
}

/** What one of many drafts is made of. */
interface WantedRecord {
  readonly place: Parameters<typeof draftRecord>[3];
  readonly sent: SentRecord;
  readonly stored: StoredRecord | undefined;
}

/** Effects that may follow from one another. More is two behaviours that answer each other without end. */
const effectDepthMax = 8;

/** Makes the writer. */
export function createRecordWriter(parts: WriteParts): RecordWriter {
  return writerAt(parts, 0);
}

/** The writer for writes that follow from `depth` others. */
function writerAt(parts: WriteParts, depth: number): RecordWriter {
  const { behaviours, store } = parts;

  /** Writes what else a written record asks for, and gives the record as it then is. */
  async function carryOut(session: WriteSession, effect: DraftedRecord['effect'], written: StoredRecord) {
    if (!effect) return written;
    if (depth >= effectDepthMax) throw new RangeError(`${written.family}: effects follow from one another without end`);
    await effect(createSessionRecords(store, session, writerAt(parts, depth + 1)), written);
    const { tenantId, family, id } = written;
    return (await store.get(session.transaction, tenantId, family, id)) ?? written;
  }

  async function update(session: WriteSession, family: Family, stored: StoredRecord, item: RecordToWrite) {
    const result = await store.update(session.transaction, item, stored.revision);
    if (!result.ok) throw problemOfConflict(family, result.conflict);
    await concludeWrite(parts, session, family, stored, item.record);
  }

  /** Carries the effect of a record out that itself stays as it is, and moves its revision if that wrote something. */
  async function carryOutAlone(session: WriteSession, family: Family, stored: StoredRecord, drafted: DraftedRecord) {
    let isWritten = false;
    const watched: WriteSession = {
      ...session,
      note(change, audit) {
        isWritten = true;
        session.note(change, audit);
      },
    };
    const record = await carryOut(watched, drafted.effect, stored);
    if (!isWritten) return { record, reveal: {}, action: 'unchanged' as const };
    // Unless the effect wrote the record too.
    const isBehind = record.revision === stored.revision;
    if (isBehind) await update(session, family, stored, drafted.item);
    return { record: isBehind ? drafted.item.record : record, reveal: {}, action: 'update' as const };
  }

  /** Drafts of many records of one family, before any of them is written; or the first that is refused. */
  async function draftMany(
    session: WriteSession,
    family: Family,
    wanted: readonly WantedRecord[],
  ): Promise<DraftedRecord[] | RefusedRecord> {
    const sent = wanted.map((each) => each.sent.sent);
    const knowing = { ...parts, store: await withKnownTargets(store, session, family, sent) };
    const drafts: DraftedRecord[] = [];
    for await (const [index, { place, sent: own, stored }] of inTurns(wanted.entries())) {
      const draft = await orProblem(draftRecord(knowing, session, family, place, own, stored));
      if (draft instanceof Problem) return { index, problem: draft };
      drafts.push(draft);
    }
    return drafts;
  }

  return {
    anticipates: (family) => behaviours.get(family.name)?.anticipate !== undefined,
    async anticipate(family, sent, tenantId) {
      return (await behaviours.get(family.name)?.anticipate?.(sent, tenantId)) ?? {};
    },
    async create(session, family, place, sent, anticipated = {}) {
      const identified = place.id ?? behaviours.get(family.name)?.identify?.(sent);
      const id = identified ?? parts.newId();
      const target = { id, gatewayId: place.gatewayId };
      const { item, reveal, effect } = await draftRecord(
        parts,
        session,
        family,
        target,
        { sent, anticipated },
        undefined,
      );
      const result = await store.insert(session.transaction, item);
      if (!result.ok) throw problemOfConflict(family, result.conflict);
      await concludeWrite(parts, session, family, undefined, item.record);
      return { record: await carryOut(session, effect, item.record), reveal, action: 'create' };
    },
    async createMany(session, family, items) {
      const drafts = await draftMany(
        session,
        family,
        items.map(({ sent, anticipated, ...place }) => ({ place, sent: { sent, anticipated }, stored: undefined })),
      );
      if ('problem' in drafts) return drafts;
      const result = await store.insertMany(
        session.transaction,
        drafts.map(({ item }) => item),
      );
      if (!result.ok) return { index: result.index, problem: problemOfConflict(family, result.conflict) };
      for (const { item } of drafts) await concludeWrite(parts, session, family, undefined, item.record);
      for (const [index, { item, effect }] of drafts.entries()) {
        const outcome = await orProblem(carryOut(session, effect, item.record));
        if (outcome instanceof Problem) return { index, problem: outcome };
      }
      return undefined;
    },
    async createPrepared(session, prepared) {
      const { family, records } = prepared;
      const stray = [...records.tenantRevisions].find((revision) => revision !== session.baseRevision + 1);
      if (stray !== undefined) throw new RangeError(`${family.name} were prepared for revision ${stray}`);
      const result = await store.insertPrepared(session.transaction, records);
      if (!result.ok) return { index: result.index, problem: problemOfConflict(family, result.conflict) };
      await session.adopt(prepared);
      return undefined;
    },
    async replace(session, family, stored, sent, anticipated = {}) {
      const drafted = await draftRecord(parts, session, family, stored, { sent, anticipated }, stored);
      const { item, reveal, effect } = drafted;
      if (isEqualJson(item.record.body, stored.body)) return carryOutAlone(session, family, stored, drafted);
      await update(session, family, stored, item);
      return { record: await carryOut(session, effect, item.record), reveal, action: 'update' };
    },
    async replaceMany(session, family, items) {
      const drafts = await draftMany(
        session,
        family,
        items.map(({ stored, sent, anticipated }) => ({ place: stored, sent: { sent, anticipated }, stored })),
      );
      if ('problem' in drafts) return drafts;
      const all = items.flatMap(({ stored }, index) => {
        const drafted = drafts[index];
        if (!drafted) return [];
        return [{ index, stored, drafted, isChanged: !isEqualJson(drafted.item.record.body, stored.body) }];
      });
      const changed = all.filter(({ isChanged }) => isChanged);
      const result = await store.updateMany(
        session.transaction,
        changed.map(({ stored, drafted }) => ({ item: drafted.item, expectedRevision: stored.revision })),
      );
      if (!result.ok) {
        return { index: changed[result.index]?.index ?? 0, problem: problemOfConflict(family, result.conflict) };
      }
      for (const { stored, drafted } of changed) {
        await concludeWrite(parts, session, family, stored, drafted.item.record);
      }
      for (const { index, stored, drafted, isChanged } of all) {
        const effects = isChanged
          ? carryOut(session, drafted.effect, drafted.item.record)
          : carryOutAlone(session, family, stored, drafted);
        const outcome = await orProblem<unknown>(effects);
        if (outcome instanceof Problem) return { index, problem: outcome };
      }
      return undefined;
    },
    remove: (session, family, stored) => removeWithDependents(parts, session, family, [stored]),
    removeMany: (session, family, stored) => removeWithDependents(parts, session, family, stored),
  };
}

/** What was made, or the refusal as a value. */
async function orProblem<Result>(work: Promise<Result>): Promise<Result | Problem> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
