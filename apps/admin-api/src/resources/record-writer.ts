import type { Family, FamilyReference } from '@portcullis/resources';
import { catalogue } from '@portcullis/resources';
import { Problem } from '../http/problem.ts';
import type { FieldProblem } from '../http/problem.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { ReferenceValue, ResourceStore, StoredRecord } from '../store/resource-store.ts';
import { problemOfConflict } from './conflict-problem.ts';
import type { FamilyBehaviour } from './family-behaviour.ts';
import { applyAliases, checkRecord } from './record-input.ts';
import type { CheckedInput } from './record-input.ts';
import { keysOf } from './record-keys.ts';
import { viewOf } from './record-view.ts';
import { changedImmutables, resolveReferences } from './references.ts';
import { restoreMasks, sealSecrets, secretPointersOf } from './secret-values.ts';
import { isEqualJson } from './values.ts';
import type { Values } from './values.ts';
import type { WriteSession } from './write-session.ts';

/** What the writer works with. */
export interface RecordWriterParts {
  readonly store: ResourceStore;
  readonly secrets: SecretBox;
  readonly behaviours: ReadonlyMap<string, FamilyBehaviour>;
  readonly nowMs: () => number;
  readonly newId: () => string;
}

/** A written record, and what only the answer to this write may show. */
export interface WrittenRecord {
  readonly record: StoredRecord;
  readonly reveal: Values;
  readonly action: 'create' | 'update' | 'unchanged';
}

/** Writes records of every family inside a session that makes them one transaction. */
export interface RecordWriter {
  /** Does the slow work of a write before its session opens; the result goes with the write of the same fields. */
  anticipate(family: Family, sent: Values): Promise<Values>;
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
  createMany(
    session: WriteSession,
    family: Family,
    items: readonly { readonly id: string; readonly gatewayId: string | null; readonly sent: Values }[],
  ): Promise<{ readonly index: number; readonly problem: Problem } | undefined>;
  /** Replaces all of a record's fields. A record that already is like that is left alone. @throws Problem */
  replace(
    session: WriteSession,
    family: Family,
    stored: StoredRecord,
    sent: Values,
    anticipated?: Values,
  ): Promise<WrittenRecord>;
  /** Deletes a record and what belongs to it. @throws Problem when others refer to it */
  remove(session: WriteSession, family: Family, stored: StoredRecord): Promise<void>;
}

/** Referring records that one deletion takes along at the most; more are refused. */
const cascadeMax = 10_000;

/** Makes the writer. */
export function createRecordWriter(parts: RecordWriterParts): RecordWriter {
  return {
    async anticipate(family, sent) {
      return (await parts.behaviours.get(family.name)?.anticipate?.(sent)) ?? {};
    },
    async create(session, family, place, sent, anticipated = {}) {
      const identified = place.id ?? parts.behaviours.get(family.name)?.identify?.(sent);
      const id = identified ?? parts.newId();
      const target = { id, gatewayId: place.gatewayId };
      const draft = await prepareRecord(parts, session, family, target, { sent, anticipated }, undefined);
      const result = await parts.store.insert(session.transaction, draft.item);
      if (!result.ok) throw problemOfConflict(family, result.conflict);
      await concludeWrite(parts, session, family, undefined, draft.item.record);
      return { record: draft.item.record, reveal: draft.reveal, action: 'create' };
    },
    async createMany(session, family, items) {
      const drafts: DraftedRecord['item'][] = [];
      for (const [index, { sent, ...place }] of items.entries()) {
        try {
          const draft = await prepareRecord(parts, session, family, place, { sent, anticipated: {} }, undefined);
          drafts.push(draft.item);
        } catch (error) {
          if (error instanceof Problem) return { index, problem: error };
          throw error;
        }
      }
      const result = await parts.store.insertMany(session.transaction, drafts);
      if (!result.ok) return { index: result.index, problem: problemOfConflict(family, result.conflict) };
      for (const { record } of drafts) await concludeWrite(parts, session, family, undefined, record);
      return undefined;
    },
    async replace(session, family, stored, sent, anticipated = {}) {
      const draft = await prepareRecord(parts, session, family, stored, { sent, anticipated }, stored);
      if (isEqualJson(draft.item.record.body, stored.body)) return { record: stored, reveal: {}, action: 'unchanged' };
      const result = await parts.store.update(session.transaction, draft.item, stored.revision);
      if (!result.ok) throw problemOfConflict(family, result.conflict);
      await concludeWrite(parts, session, family, stored, draft.item.record);
      return { record: draft.item.record, reveal: draft.reveal, action: 'update' };
    },
    async remove(session, family, stored) {
      await removeWithDependents(parts, session, family, stored, { left: cascadeMax });
    },
  };
}

interface DraftedRecord {
  readonly item: { record: StoredRecord; keys: ReturnType<typeof keysOf>; references: readonly ReferenceValue[] };
  readonly reveal: Values;
}

async function prepareRecord(
  parts: RecordWriterParts,
  session: WriteSession,
  family: Family,
  place: { readonly id: string; readonly gatewayId: string | null },
  { sent, anticipated }: { readonly sent: Values; readonly anticipated: Values },
  stored: StoredRecord | undefined,
): Promise<DraftedRecord> {
  const { tenantId, transaction } = session;
  const behaviour = parts.behaviours.get(family.name);
  const named = demand(applyAliases(family, sent));
  const secrets = await parts.secrets.forTenant(tenantId, transaction);
  const unmasked = restoreMasks(secrets, named, secretPointersOf(family, behaviour, named), stored);
  if (unmasked.problems.length > 0)
    throw new Problem('secret_required', 'a secret is masked', { errors: unmasked.problems });
  const checked = demand(checkRecord(family, unmasked.values));
  const context = { store: parts.store, executor: transaction, tenantId, gatewayId: place.gatewayId };
  const resolved = await resolveReferences(context, family, checked);
  if (!resolved.ok) throw invalid(resolved.problems);
  const values = behaviour?.derive?.(resolved.values, stored?.body) ?? resolved.values;
  refuse([...(stored ? changedImmutables(family, stored.body, values) : []), ...(behaviour?.check?.(values) ?? [])]);
  const prepared = (await behaviour?.prepare?.({
    executor: transaction,
    principal: session.actor.principal,
    tenantId,
    gatewayId: place.gatewayId,
    id: place.id,
    values,
    stored,
    anticipated,
  })) ?? { ok: true, body: values };
  if (!prepared.ok) throw invalid(prepared.problems);
  const pointers = secretPointersOf(family, behaviour, prepared.body);
  const { body, sealed } = sealSecrets(secrets, { family: family.name, id: place.id }, prepared.body, pointers);
  const nowMs = parts.nowMs();
  const record: StoredRecord = {
    tenantId,
    family: family.name,
    id: place.id,
    gatewayId: place.gatewayId,
    name: textOf(body['name']) ?? textOf(body['username']) ?? null,
    enabled: body['enabled'] !== false,
    revision: (stored?.revision ?? 0) + 1,
    createdAtMs: stored?.createdAtMs ?? nowMs,
    updatedAtMs: nowMs,
    body,
    secrets: sealed,
  };
  const references = [...resolved.references, ...parentReference(family, place.gatewayId)];
  return { item: { record, keys: keysOf(family, record, record.body), references }, reveal: prepared.reveal ?? {} };
}

/** Every record of a gateway refers to it, so that a gateway with records cannot go. */
function parentReference(family: Family, gatewayId: string | null): ReferenceValue[] {
  return family.scope === 'gateway' && gatewayId !== null
    ? [{ field: 'gateway_id', targetFamily: 'gateways', targetId: gatewayId }]
    : [];
}

async function removeWithDependents(
  parts: RecordWriterParts,
  session: WriteSession,
  family: Family,
  stored: StoredRecord,
  budget: { left: number },
): Promise<void> {
  const { tenantId, transaction } = session;
  const referrers = await parts.store.referrers(transaction, tenantId, family.name, stored.id, budget.left + 1);
  const keeping = referrers.filter((referrer) => !isCascade(referrer));
  if (keeping.length > 0) throw problemOfConflict(family, { kind: 'referenced', by: keeping.slice(0, 20) });
  budget.left -= referrers.length;
  if (budget.left < 0) throw new Problem('referenced_by_others', `more than ${cascadeMax} records belong to this one`);
  for (const referrer of referrers) {
    const dependent = await parts.store.get(transaction, tenantId, referrer.family, referrer.id);
    const dependentFamily = catalogue.find((candidate) => candidate.name === referrer.family);
    if (dependent && dependentFamily) await removeWithDependents(parts, session, dependentFamily, dependent, budget);
  }
  const result = await parts.store.remove(transaction, tenantId, family.name, stored.id);
  if (!result.ok) throw problemOfConflict(family, result.conflict);
  await concludeWrite(parts, session, family, stored, undefined);
}

function isCascade(referrer: { readonly family: string; readonly field: string }): boolean {
  const family = catalogue.find((candidate) => candidate.name === referrer.family);
  const reference: FamilyReference | undefined = family?.references.find((ref) => ref.field === referrer.field);
  return reference?.whenTargetIsDeleted === 'cascade';
}

/** Lets the family's behaviour do its part of a write, and notes it for the change log and the audit log. */
async function concludeWrite(
  parts: RecordWriterParts,
  session: WriteSession,
  family: Family,
  before: StoredRecord | undefined,
  after: StoredRecord | undefined,
): Promise<void> {
  const record = after ?? before;
  if (!record) return;
  const action = !before ? 'create' : after ? 'update' : 'delete';
  await parts.behaviours.get(family.name)?.afterWrite?.({ transaction: session.transaction, before, after });
  session.note(
    { family: family.name, id: record.id, action, gateway_id: record.gatewayId },
    {
      action,
      entityType: family.singular,
      entityId: record.id,
      ...(before && { before: viewOf(family, before) }),
      ...(after && { after: viewOf(family, after) }),
    },
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function demand(input: CheckedInput): Values {
  if (!input.ok) throw invalid(input.problems);
  return input.values;
}

function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw invalid(problems);
}

/** A 422 for field mistakes; one that is only about missing targets carries their own code. */
function invalid(problems: readonly FieldProblem[]): Problem {
  const [first] = problems;
  if (first && problems.every((problem) => problem.code === 'reference_not_found')) {
    return new Problem('reference_not_found', first.message, { errors: problems });
  }
  const count = problems.length === 1 ? '1 field is' : `${problems.length} fields are`;
  return new Problem('validation_failed', `${count} invalid`, { errors: problems });
}
