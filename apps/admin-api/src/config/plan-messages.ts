import type { BundleRecord, BundleState } from '@portcullis/bundle-diff';
import { bundleFamilies } from '@portcullis/resources';
import { isValues } from '../resources/values.ts';
import type { BundlePlan, PlanJob } from './bundle-plan.ts';
import { liveRecords } from './live-state.ts';
import type { LivePage } from './live-state.ts';

/**
 * What the thread that plans is sent: a document in slices, live records, go, and the answers that it asks for.
 */
export type ToPlanner =
  | { readonly kind: 'begin'; readonly job: Omit<PlanJob, 'live'> }
  | { readonly kind: 'records'; readonly side: 'document' | 'live'; readonly key: string; readonly records: unknown[] }
  | { readonly kind: 'live'; readonly page: LivePage }
  | { readonly kind: 'run' }
  | { readonly kind: 'masks'; readonly masks: readonly string[] }
  | { readonly kind: 'next' };

/** What the thread says: which masks it needs, and the plan, each slice when it is asked for the next. */
export type FromPlanner =
  | { readonly kind: 'secrets'; readonly secrets: readonly string[] }
  | { readonly kind: 'slice'; readonly list: PlanList; readonly items: readonly unknown[] }
  | { readonly kind: 'end'; readonly plan: BundlePlan };

/** The parts of a plan that grow with the bundle. */
export type PlanList = 'changes' | 'unmanaged' | 'desired';

/**
 * Records in one message. Copying a message holds the event loop, about two milliseconds for this many, so a large job is
 * sent and a large plan is fetched in slices, with time for others in between.
 */
const recordsPerMessage = 500;

const collectionKeys: ReadonlySet<string> = new Set(bundleFamilies.map((family) => family.bundle.key));

/** A job as messages, made one by one, but for the word to go. What the document holds under unknown keys is not looked at and stays behind. */
export function* messagesOf({ document, live, ...options }: PlanJob): Generator<ToPlanner, void> {
  if (!isValues(document)) {
    yield { kind: 'begin', job: { ...options, document } };
  } else {
    const lists = Object.entries(document).filter(([key, value]) => collectionKeys.has(key) && Array.isArray(value));
    const rest = Object.fromEntries(Object.keys(document).map((key) => [key, headValue(key, document[key])]));
    yield { kind: 'begin', job: { ...options, document: rest } };
    for (const [key, records] of lists) yield* recordMessages('document', key, records as unknown[]);
  }
  for (const [key, records] of Object.entries(live)) yield* recordMessages('live', key, records);
}

function headValue(key: string, value: unknown): unknown {
  if (collectionKeys.has(key)) return Array.isArray(value) ? [] : isValues(value) ? {} : value;
  return key === 'tenant_id' ? value : null;
}

function* recordMessages(
  side: 'document' | 'live',
  key: string,
  records: readonly unknown[],
): Generator<ToPlanner, void> {
  for (const slice of slicesOf(records)) yield { kind: 'records', side, key, records: slice };
}

/** At least one slice, so that an empty list arrives too. */
function* slicesOf<Item>(items: readonly Item[]): Generator<Item[], void> {
  let start = 0;
  do {
    yield items.slice(start, (start += recordsPerMessage));
  } while (start < items.length);
}

/** Puts a job together again. */
export class JobAssembly {
  readonly #job: Omit<PlanJob, 'live'>;
  readonly #live: Record<string, BundleRecord[]> = {};

  constructor(job: Omit<PlanJob, 'live'>) {
    this.#job = job;
  }

  add({ side, key, records }: Extract<ToPlanner, { kind: 'records' }>): void {
    // One by one: spreading a list into arguments has a limit.
    if (side === 'live') for (const record of records) (this.#live[key] ??= []).push(record as BundleRecord);
    else this.#addToDocument(key, records);
    if (side === 'live') this.#live[key] ??= [];
  }

  /** Adds live records as they are stored. */
  addPage(page: LivePage): void {
    const records = (this.#live[page.key] ??= []);
    for (const record of liveRecords(page)) records.push(record);
  }

  #addToDocument(key: string, records: readonly unknown[]): void {
    const list = isValues(this.#job.document) ? this.#job.document[key] : undefined;
    if (Array.isArray(list)) for (const record of records) list.push(record);
  }

  /** What was sent but for the live records. */
  job(): Omit<PlanJob, 'live'> {
    return this.#job;
  }

  live(): BundleState {
    return this.#live;
  }
}

/** A plan as messages, made one by one; the last holds what does not grow. */
export function* answersOf(plan: BundlePlan): Generator<FromPlanner, void> {
  const lists: Readonly<Record<PlanList, readonly unknown[]>> = {
    changes: plan.diff.changes,
    unmanaged: plan.diff.unmanaged,
    desired: [...plan.desired],
  };
  for (const list of ['changes', 'unmanaged', 'desired'] as const) {
    for (const items of slicesOf(lists[list])) yield { kind: 'slice', list, items };
  }
  yield { kind: 'end', plan: { ...plan, diff: { ...plan.diff, changes: [], unmanaged: [] }, desired: new Map() } };
}

/** Puts a plan together again. */
export class PlanAssembly {
  readonly #lists: Readonly<Record<PlanList, unknown[]>> = { changes: [], unmanaged: [], desired: [] };

  add({ list, items }: Extract<FromPlanner, { kind: 'slice' }>): void {
    for (const item of items) this.#lists[list].push(item);
  }

  /** The slices hold what `answersOf` put in, in its order. */
  plan(rest: BundlePlan): BundlePlan {
    const { changes, unmanaged, desired } = this.#lists;
    return {
      ...rest,
      diff: {
        ...rest.diff,
        changes: changes as BundlePlan['diff']['changes'] & unknown[],
        unmanaged: unmanaged as BundlePlan['diff']['unmanaged'] & unknown[],
      },
      desired: new Map(desired as [string, BundleRecord][]),
    };
  }
}
