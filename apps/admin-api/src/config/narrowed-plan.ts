import type { BundleDiff, BundleState, LiveLookUp, UnmanagedRecord } from '@portcullis/bundle-diff';
import type { Executor } from '../database/database.ts';
import { planBundle, unmanagedRecord } from './bundle-plan.ts';
import type { BundlePlan, PlanJob, PlanPorts } from './bundle-plan.ts';
import { LiveLookUps } from './live-look-ups.ts';
import type { LookUpStore } from './live-look-ups.ts';
import { liveRecords, scanLive } from './live-state.ts';
import type { LiveTotals } from './live-totals.ts';
import { unmanagedListedMax } from './listed-max.ts';

/** Rounds of asking. References lead from level to level, of which bundles have four; each may ask by name and by ID. */
const roundsMax = 16;

/** Where a narrowed plan reads. All of it in one snapshot of the database. */
export interface NarrowedSource {
  readonly store: LookUpStore;
  readonly executor: Executor;
  readonly tenantId: string;
  readonly totals: LiveTotals;
}

/**
 * Plans a small bundle against a large live state, of which only what the bundle can mean is read: it is planned against
 * what is known so far, what that asked for is fetched, and so on until nothing new is asked. Then the plan is the one that
 * the whole live state gives, because planning looks at live records in no other way.
 * @returns nothing where so much is asked for that the whole live state had better be read
 */
export async function planNarrowed(
  job: Omit<PlanJob, 'live'>,
  ports: PlanPorts,
  source: NarrowedSource,
): Promise<BundlePlan | undefined> {
  const lookUps = new LiveLookUps(source.store, source.executor, source.tenantId);
  for (let round = 1; round <= roundsMax; round += 1) {
    const asked: LiveLookUp[] = [];
    const onLookUp = (lookUp: LiveLookUp): void => void asked.push(lookUp);
    const live = lookUps.state();
    const plan = await planBundle({ ...job, live }, { ...ports, onLookUp });
    const answer = await lookUps.answer(asked);
    if (answer === 'too_many') return undefined;
    if (answer === 'nothing_new') return { ...plan, diff: await withUnmanaged(plan.diff, live, source) };
  }
  return undefined;
}

/** The differences with what the bundle does not mention, most of which was not read. */
async function withUnmanaged(diff: BundleDiff, live: BundleState, source: NarrowedSource): Promise<BundleDiff> {
  const { create, update, unchanged } = diff.summary;
  const unmanaged = source.totals.records - update - unchanged;
  const foundUnmanaged = new Set(diff.unmanaged.map(({ resource_type: type, id }) => `${type}/${id}`));
  const managed = new Set(
    Object.entries(live)
      .flatMap(([key, records]) => records.map(({ id }) => `${key}/${String(id)}`))
      .filter((place) => !foundUnmanaged.has(place)),
  );
  return {
    ...diff,
    summary: { create, update, unchanged, unmanaged, total: create + update + unchanged + unmanaged },
    unmanaged: unmanaged === 0 ? [] : await firstUnmanaged(source, managed),
  };
}

async function firstUnmanaged(
  { executor, tenantId }: NarrowedSource,
  managed: ReadonlySet<string>,
): Promise<UnmanagedRecord[]> {
  const listed: UnmanagedRecord[] = [];
  for await (const page of scanLive(executor, tenantId)) {
    for (const record of liveRecords(page)) {
      if (listed.length === unmanagedListedMax) return listed;
      if (!managed.has(`${page.key}/${String(record['id'])}`)) listed.push(unmanagedRecord(page.key, record));
    }
  }
  return listed;
}
