import { bundleLimits } from '@portcullis/bundle-diff';
import { expressionCostOf } from '@portcullis/resources';
import { Problem } from '../http/problem.ts';
import { isValues } from '../resources/values.ts';
import { planBundle } from './bundle-plan.ts';
import type { BundlePlan, PlanJob, PlanPorts } from './bundle-plan.ts';
import { planInThread } from './plan-in-thread.ts';
import type { LiveFeed, PlanThreadOptions } from './plan-in-thread.ts';
import { PlanTurns } from './plan-turns.ts';

/** Documents with more values, and live states with more records, are planned in a thread. About 20 ms of work. */
const inlineValuesMax = 4000;
const inlineLiveRecordsMax = 1000;
/** Texts count by their length too: checking them takes its time. */
const charactersPerValue = 64;
/** So do repetitions in what may be a regular expression of a route: they are written out where it is compiled. */
const instructionsPerValue = 4;
/** How long planning one bundle may take. */
const planTimeoutMs = 30_000;
/** So much longer for each record: planning is linear, and takes about a twentieth of it on a machine that is not busy. */
const planTimeoutPerRecordMs = 1;
/** The same where a tenant's own schemas have a say in it: everybody's next large bundle waits for it. */
const customPlanTimeoutMs = 10_000;

/** What the planner works with. */
export interface BundlePlannerParts {
  readonly newId: () => string;
  /** Default: a thread of the service's own. */
  readonly plan?: (job: PlanJob, options: PlanThreadOptions) => Promise<BundlePlan>;
}

/** For whom a bundle is planned. */
export interface PlanCaller {
  readonly tenantId: string;
  /** The mask of a secret of that tenant. */
  readonly maskOf: (secret: string) => string;
  /** Fires when whoever asked is gone. */
  readonly signal: AbortSignal;
}

/** A bundle to be planned against a live state that is read meanwhile. */
export type LiveJob = Omit<PlanJob, 'live'>;

/** Plans bundles: small ones at once, large ones one after the other in a thread, so that nobody else waits for them. */
export class BundlePlanner {
  readonly #newId: () => string;
  readonly #planInThread: (job: PlanJob, options: PlanThreadOptions) => Promise<BundlePlan>;
  readonly #turns = new PlanTurns();

  constructor(parts: BundlePlannerParts) {
    this.#newId = parts.newId;
    this.#planInThread = parts.plan ?? planInThread;
  }

  /**
   * Plans a tenant's bundle. Of a large one nothing is done any more once the caller is gone.
   * @throws Problem `rate_limited` when the tenant has too many waiting; `unavailable` when all have, or planning fails or
   * takes too long; `request_timeout`, for nobody to read, when the caller is gone
   */
  async plan(job: PlanJob, caller: PlanCaller): Promise<BundlePlan> {
    const liveRecords = Object.values(job.live).reduce((sum, records) => sum + records.length, 0);
    if (this.isSmall(job, liveRecords)) return planBundle(job, this.portsFor(caller));
    return this.#inTurn(job, caller);
  }

  /**
   * Plans a bundle against a live state of any size.
   * @param feed gives the live state page after page, once it is the bundle's turn
   * @throws what `plan` and `feed` throw
   */
  async planFed(job: LiveJob, caller: PlanCaller, feed: LiveFeed): Promise<BundlePlan> {
    return this.#inTurn({ ...job, live: {} }, caller, feed);
  }

  /** Whether a bundle is planned at once, and not in a thread. */
  isSmall(job: LiveJob, liveRecords: number): boolean {
    return liveRecords <= inlineLiveRecordsMax && isSmallDocument(job);
  }

  /** Whether a bundle is worth being planned against what it can mean of a live state that is not small itself. */
  isNarrow(job: LiveJob): boolean {
    return isSmallDocument(job);
  }

  /** What planning in place takes from outside. */
  portsFor({ maskOf }: PlanCaller): PlanPorts {
    return { newId: this.#newId, masksOf: async (secrets) => secrets.map(maskOf) };
  }

  async #inTurn(job: PlanJob, { tenantId, maskOf, signal }: PlanCaller, feed?: LiveFeed): Promise<BundlePlan> {
    const timeLimitMs = job.packages?.length
      ? customPlanTimeoutMs
      : planTimeoutMs + planTimeoutPerRecordMs * recordsIn(job.document);
    const options = { maskOf, timeLimitMs, signal, ...(feed && { feed }) };
    try {
      return await this.#turns.run(tenantId, signal, () => this.#planInThread(job, options));
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new Problem('request_timeout', 'The caller went away before the bundle was planned', { cause: error });
    }
  }
}

/** The schemas of a tenant's own plugin packages are its own making: they are checked by where nobody waits for it. */
function isSmallDocument({ document, packages = [] }: LiveJob): boolean {
  return packages.length === 0 && left(document, inlineValuesMax) >= 0;
}

/** Records of a document, as far as it has the shape of a bundle; the bundle library bounds them. */
function recordsIn(document: unknown): number {
  if (!isValues(document)) return 0;
  const records = Object.values(document).reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
    0,
  );
  return Math.min(records, bundleLimits.recordsMax);
}

/** What is left of a budget after paying for a value and all inside it; negative, and no further look, when it runs out. */
function left(value: unknown, budget: number): number {
  if (typeof value === 'string') {
    const instructions = /\{\d/.test(value) ? expressionCostOf(value, 'regex') : 0;
    return budget - 1 - value.length / charactersPerValue - instructions / instructionsPerValue;
  }
  if (typeof value !== 'object' || value === null) return budget - 1;
  let rest = budget - 1;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (rest < 0) return rest;
    rest = left(inner, rest);
  }
  return rest;
}
