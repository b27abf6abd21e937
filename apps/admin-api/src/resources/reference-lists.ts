import type { FamilyReference } from '@portcullis/resources';
import type { FieldProblem } from '../http/problem.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { toPointer } from './json-pointer.ts';
import { isInReach, missing, nameKey } from './reference-targets.ts';
import type { ReferenceContext } from './reference-targets.ts';

/** The targets of a list, or what is wrong; no IDs where the record has no list. */
type ResolvedList =
  | { readonly ok: true; readonly ids: readonly string[] | undefined }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/**
 * Turns a list of IDs and names into IDs, in the order given. An entry that is the ID of a record means that record, even
 * where another has it as its name. Two entries for one record are refused.
 */
export async function resolveMany(
  context: ReferenceContext,
  reference: FamilyReference,
  value: unknown,
): Promise<ResolvedList> {
  if (!Array.isArray(value)) return { ok: true, ids: undefined };
  const entries = value.map(String);
  const targets = await findTargets(context, reference, entries);
  const problems: FieldProblem[] = [];
  const ids = new Set<string>();
  entries.forEach((entry, index) => {
    const pointer = toPointer([reference.field, index]);
    const id = targets.get(entry)?.id;
    if (id === undefined) problems.push(missing(reference, pointer));
    else if (ids.has(id)) {
      problems.push({ pointer, code: 'duplicate', message: 'means the same record as an earlier entry' });
    } else ids.add(id);
  });
  return problems.length === 0 ? { ok: true, ids: [...ids] } : { ok: false, problems };
}

/** What each entry means. Two statements for a list of the usual length. */
async function findTargets(
  context: ReferenceContext,
  reference: FamilyReference,
  entries: readonly string[],
): Promise<ReadonlyMap<string, StoredRecord>> {
  const { executor, store, tenantId } = context;
  const byId = await store.getMany(executor, tenantId, reference.family, entries);
  const targets = new Map(
    byId.filter((record) => isInReach(context, reference, record)).map((record) => [record.id, record]),
  );
  const names = entries.filter((entry) => !targets.has(entry));
  const key = nameKey(context, reference);
  if (!key || names.length === 0) return targets;
  return new Map([...(await store.findManyByKey(executor, reference.family, key, names)), ...targets]);
}
