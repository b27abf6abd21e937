import type { Family, FamilyReference } from '@portcullis/resources';
import { familyNamed } from '@portcullis/resources';
import { chunksOf } from '../database/chunks.ts';
import { Problem } from '../http/problem.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { concludeWrite } from './conclude-write.ts';
import { problemOfConflict } from './conflict-problem.ts';
import { keysOf } from './record-keys.ts';
import { storedReferences } from './stored-references.ts';
import type { WriteParts } from './write-parts.ts';
import type { WriteSession } from './write-session.ts';

/**
 * Records that one deletion takes along at the most, and records that it changes; more are refused. On SQLite every other
 * tenant's writes wait for it, so it must be over in about a second.
 */
const dependentsMax = 2_500;
const releasesMax = 500;
/** Referring records that a refusal names. */
const referrersNamedMax = 20;

interface Referrer {
  readonly family: string;
  readonly id: string;
  readonly field: string;
  readonly targetId: string;
}

/** What a deletion may still take along and change. */
interface Budget {
  dependents: number;
  releases: number;
}

/**
 * Deletes records of one family, in few statements. What refers to them stops that, goes along, or lets go of them, as each
 * reference says; every record that goes or changes has its own audit and change-log rows.
 * @throws Problem `referenced_by_others`, also when more belongs to them than one deletion takes along
 */
export async function removeWithDependents(
  parts: WriteParts,
  session: WriteSession,
  family: Family,
  stored: readonly StoredRecord[],
): Promise<void> {
  const budget = { dependents: dependentsMax, releases: releasesMax };
  // One of them is what was asked for.
  budget.dependents -= stored.length - 1;
  checkBudget(budget);
  await removeAll(parts, session, family, stored, budget);
}

async function removeAll(
  parts: WriteParts,
  session: WriteSession,
  family: Family,
  stored: readonly StoredRecord[],
  budget: Budget,
): Promise<void> {
  for (const chunk of chunksOf(stored)) await removeChunk(parts, session, family, chunk, budget);
}

async function removeChunk(
  parts: WriteParts,
  session: WriteSession,
  family: Family,
  stored: readonly StoredRecord[],
  budget: Budget,
): Promise<void> {
  const { tenantId, transaction } = session;
  const ids = stored.map(({ id }) => id);
  // One more than may be: then there are too many. Those that go anyway may be among them.
  const limit = budget.dependents + budget.releases + ids.length + 1;
  const found = await parts.store.referrersOfMany(transaction, tenantId, family.name, ids, limit);
  const going = new Set(ids);
  const referrers = found.filter((referrer) => referrer.family !== family.name || !going.has(referrer.id));
  const keeping = referrers.filter((referrer) => referenceOf(referrer).whenTargetIsDeleted === 'restrict');
  if (keeping.length > 0) {
    throw problemOfConflict(family, { kind: 'referenced', by: keeping.slice(0, referrersNamedMax) });
  }
  const [along, releasing] = split(referrers, (referrer) => referenceOf(referrer).whenTargetIsDeleted === 'cascade');
  budget.dependents -= along.length;
  budget.releases -= releasing.length;
  checkBudget(budget);
  for (const [name, group] of Map.groupBy(along, (referrer) => referrer.family)) {
    const groupIds = group.map(({ id }) => id);
    const dependents = await parts.store.getMany(transaction, tenantId, name, groupIds);
    await removeAll(parts, session, familyNamed(name), dependents, budget);
  }
  // What went along may have been among these too.
  for (const referrer of releasing) {
    const holder = await parts.store.get(transaction, tenantId, referrer.family, referrer.id);
    if (holder) await release(parts, session, holder, referrer.field, referrer.targetId);
  }
  const result = await parts.store.removeMany(transaction, tenantId, family.name, ids);
  if (!result.ok) throw problemOfConflict(family, result.conflict);
  for (const record of stored) await concludeWrite(parts, session, family, record, undefined);
}

function checkBudget({ dependents, releases }: Budget): void {
  if (dependents >= 0 && releases >= 0) return;
  const limits = `${dependentsMax} records along and changes ${releasesMax}`;
  throw new Problem(
    'referenced_by_others',
    `one deletion takes at most ${limits}: delete or change some of them first`,
  );
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
  const tenantRevision = session.baseRevision + 1;
  const record = { ...holder, body, revision: holder.revision + 1, updatedAtMs: parts.nowMs(), tenantRevision };
  const item = { record, keys: keysOf(family, record, body), references: storedReferences(family, record) };
  const result = await parts.store.update(session.transaction, item, holder.revision);
  if (!result.ok) throw problemOfConflict(family, result.conflict);
  await concludeWrite(parts, session, family, holder, record);
}

/** The declared reference that a row stands for. The one to a record's own gateway is declared nowhere and restricts. */
function referenceOf(referrer: Omit<Referrer, 'targetId'>): Pick<FamilyReference, 'whenTargetIsDeleted'> {
  const { references } = familyNamed(referrer.family);
  return references.find(({ field }) => field === referrer.field) ?? { whenTargetIsDeleted: 'restrict' };
}

function split<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
