import type { Family, FamilyReference } from '@portcullis/resources';
import { familyNamed } from '@portcullis/resources';
import { Problem } from '../http/problem.ts';
import type { ReferenceValue, StoredRecord } from '../store/resource-store.ts';
import { concludeWrite } from './conclude-write.ts';
import { problemOfConflict } from './conflict-problem.ts';
import { parentReference } from './draft-record.ts';
import { keysOf } from './record-keys.ts';
import type { WriteParts } from './write-parts.ts';
import type { WriteSession } from './write-session.ts';

/** Referring records that one deletion takes along or changes at the most; more are refused. */
const dependentsMax = 10_000;
/** Referring records that a refusal names. */
const referrersNamedMax = 20;

interface Referrer {
  readonly family: string;
  readonly id: string;
  readonly field: string;
}

/**
 * Deletes a record. What refers to it stops that, goes along, or lets go of it, as each reference says; every record that
 * goes or changes has its own audit and change-log rows. @throws Problem `referenced_by_others`
 */
export async function removeWithDependents(
  parts: WriteParts,
  session: WriteSession,
  family: Family,
  stored: StoredRecord,
  budget: { left: number } = { left: dependentsMax },
): Promise<void> {
  const { tenantId, transaction } = session;
  const found = await parts.store.referrers(transaction, tenantId, family.name, stored.id, budget.left + 2);
  const referrers = found.filter((referrer) => referrer.family !== family.name || referrer.id !== stored.id);
  const keeping = referrers.filter((referrer) => referenceOf(referrer).whenTargetIsDeleted === 'restrict');
  if (keeping.length > 0) {
    throw problemOfConflict(family, { kind: 'referenced', by: keeping.slice(0, referrersNamedMax) });
  }
  budget.left -= referrers.length;
  if (budget.left < 0) {
    throw new Problem('referenced_by_others', `more than ${dependentsMax} records belong to this one`);
  }
  const [along, releasing] = split(referrers, (referrer) => referenceOf(referrer).whenTargetIsDeleted === 'cascade');
  for (const referrer of along) {
    const dependent = await parts.store.get(transaction, tenantId, referrer.family, referrer.id);
    if (dependent) await removeWithDependents(parts, session, familyNamed(referrer.family), dependent, budget);
  }
  // What went along may have been among these too.
  for (const referrer of releasing) {
    const holder = await parts.store.get(transaction, tenantId, referrer.family, referrer.id);
    if (holder) await release(parts, session, holder, referrer.field, stored.id);
  }
  const result = await parts.store.remove(transaction, tenantId, family.name, stored.id);
  if (!result.ok) throw problemOfConflict(family, result.conflict);
  await concludeWrite(parts, session, family, stored, undefined);
}

/** Takes a target out of a record's list, as an update of that record. */
async function release(
  parts: WriteParts,
  session: WriteSession,
  holder: StoredRecord,
  field: string,
  targetId: string,
): Promise<void> {
  const family = familyNamed(holder.family);
  const held = holder.body[field];
  const left = Array.isArray(held) ? held.filter((entry) => entry !== targetId) : [];
  const body = { ...holder.body, [field]: left };
  const record = { ...holder, body, revision: holder.revision + 1, updatedAtMs: parts.nowMs() };
  const item = { record, keys: keysOf(family, record, body), references: storedReferences(family, record) };
  const result = await parts.store.update(session.transaction, item, holder.revision);
  if (!result.ok) throw problemOfConflict(family, result.conflict);
  await concludeWrite(parts, session, family, holder, record);
}

/** The references of a stored record: its fields hold IDs. */
function storedReferences(family: Family, { body, gatewayId }: StoredRecord): ReferenceValue[] {
  const own = family.references.flatMap(({ field, family: targetFamily, many }) => {
    const held = body[field];
    const ids: unknown[] = many && Array.isArray(held) ? held : [held];
    return ids.flatMap((targetId) => (typeof targetId === 'string' ? [{ field, targetFamily, targetId }] : []));
  });
  return [...own, ...parentReference(family, gatewayId)];
}

/** The declared reference that a row stands for. The one to a record's own gateway is declared nowhere and restricts. */
function referenceOf(referrer: Referrer): Pick<FamilyReference, 'whenTargetIsDeleted'> {
  const { references } = familyNamed(referrer.family);
  return references.find(({ field }) => field === referrer.field) ?? { whenTargetIsDeleted: 'restrict' };
}

function split<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
