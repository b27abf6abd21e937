import type { Executor } from '../database/database.ts';
import { Problem } from '../http/problem.ts';
import { inTurns } from '../resources/in-turns.ts';
import { openSecrets } from '../resources/secret-values.ts';
import { isEqualJson } from '../resources/values.ts';
import type { TenantSecrets } from '../secrets/tenant-secrets.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { earlierStates, laterRecords } from './record-images.ts';
import { snapshotFamilies } from './snapshot-families.ts';

/** What is done with records that came after the snapshot: `restore` leaves them, `exact` removes them. */
export type RollbackMode = 'restore' | 'exact';

/** A record that is set back. */
export interface SetBack {
  /** As the snapshot has it. */
  readonly past: StoredRecord;
  /** As it is. */
  readonly live: StoredRecord;
}

/** What a rollback does, each list in the order of families and IDs. */
export interface RollbackPlan {
  /** Records that are gone and come back. */
  readonly creates: readonly StoredRecord[];
  readonly updates: readonly SetBack[];
  /** Records that came after the snapshot and go. */
  readonly deletes: readonly StoredRecord[];
  /** Records that came after the snapshot and stay. */
  readonly unmanaged: readonly StoredRecord[];
}

interface Pair {
  readonly past?: StoredRecord;
  readonly live?: StoredRecord;
}

/**
 * Finds what differs from the state at a revision. Reads no record that was not written since.
 * @throws Problem `invalid_state` for a record that was made anew elsewhere, where it may not be removed
 */
export async function planRollback(
  executor: Executor,
  place: { readonly tenantId: string; readonly revision: number },
  mode: RollbackMode,
  secrets: TenantSecrets,
): Promise<RollbackPlan> {
  const pairs = new Map<string, Pair>();
  const put = (record: StoredRecord, side: Pair): void => {
    const key = JSON.stringify([record.family, record.id]);
    pairs.set(key, { ...pairs.get(key), ...side });
  };
  for await (const page of earlierStates(executor, place)) for (const past of page) put(past, { past });
  for await (const page of laterRecords(executor, place)) for (const live of page) put(live, { live });
  return planOf(pairs.values(), mode, secrets);
}

async function planOf(pairs: Iterable<Pair>, mode: RollbackMode, secrets: TenantSecrets): Promise<RollbackPlan> {
  const creates: StoredRecord[] = [];
  const updates: SetBack[] = [];
  const deletes: StoredRecord[] = [];
  const unmanaged: StoredRecord[] = [];
  for await (const { past, live } of inTurns(pairs)) {
    if (past && live && past.gatewayId === live.gatewayId) {
      if (!isSame(past, live, secrets)) updates.push({ past, live });
      continue;
    }
    // One that is in another gateway now is another record that was given the same ID.
    if (past && live && mode === 'restore') throw madeAnew(live);
    if (past) creates.push(past);
    if (live) (mode === 'exact' ? deletes : unmanaged).push(live);
  }
  return {
    creates: creates.toSorted(inOrder),
    updates: updates.toSorted((left, right) => inOrder(left.past, right.past)),
    deletes: deletes.toSorted(inOrder),
    unmanaged: unmanaged.toSorted(inOrder),
  };
}

/** Whether two states of a record are the same configuration. Sealed values differ with each sealing, so they are opened. */
function isSame(past: StoredRecord, live: StoredRecord, secrets: TenantSecrets): boolean {
  const isAlike = past.name === live.name && past.enabled === live.enabled && isEqualJson(past.body, live.body);
  if (!isAlike || isEqualJson(past.secrets, live.secrets)) return isAlike;
  return isEqualJson(Object.fromEntries(openSecrets(secrets, past)), Object.fromEntries(openSecrets(secrets, live)));
}

function madeAnew({ family, id, name }: StoredRecord): Problem {
  const detail = `${family} ${name ?? id}: was deleted and made anew in another gateway; roll back with mode exact, or delete it`;
  return new Problem('invalid_state', detail);
}

const positions: ReadonlyMap<string, number> = new Map(
  snapshotFamilies.map(({ name }, index) => [name, index] as const),
);

function inOrder(left: StoredRecord, right: StoredRecord): number {
  const families = (positions.get(left.family) ?? 0) - (positions.get(right.family) ?? 0);
  return families || (left.id < right.id ? -1 : 1);
}
