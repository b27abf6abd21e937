import { expressionCostOf } from '@portcullis/resources';
import { Problem } from '../http/problem.ts';
import { planBundle } from './bundle-plan.ts';
import type { BundlePlan, PlanJob } from './bundle-plan.ts';
import { planInThread } from './plan-in-thread.ts';
import type { PlanThreadOptions } from './plan-in-thread.ts';

/** Documents with more values, and live states with more records, are planned in a thread. About 20 ms of work. */
const inlineValuesMax = 4000;
const inlineLiveRecordsMax = 1000;
/** Texts count by their length too: checking them takes its time. */
const charactersPerValue = 64;
/** So do repetitions in what may be a regular expression of a route: they are written out where it is compiled. */
const instructionsPerValue = 4;
/** How long planning one bundle may take. */
const planTimeoutMs = 30_000;
/** The same where a tenant's own schemas have a say in it: everybody's next large bundle waits for it. */
const customPlanTimeoutMs = 10_000;
/** Bundles that wait at once. Each holds its document and its live state in memory. */
const waitingMax = 8;
/** So that one tenant does not take all places. */
const waitingPerTenantMax = 2;

/** What the planner works with. */
export interface BundlePlannerParts {
  readonly newId: () => string;
  /** Default: a thread of the service's own. */
  readonly plan?: (job: PlanJob, options: PlanThreadOptions) => Promise<BundlePlan>;
}

/** Plans bundles: small ones at once, large ones one after the other in a thread, so that nobody else waits for them. */
export class BundlePlanner {
  readonly #newId: () => string;
  readonly #planInThread: (job: PlanJob, options: PlanThreadOptions) => Promise<BundlePlan>;
  readonly #waiting: { readonly tenantId: string; readonly start: () => void }[] = [];
  #isRunning = false;

  constructor(parts: BundlePlannerParts) {
    this.#newId = parts.newId;
    this.#planInThread = parts.plan ?? planInThread;
  }

  /**
   * Plans a tenant's bundle.
   * @throws Problem `rate_limited` when the tenant has too many waiting, `unavailable` when all have or planning fails
   */
  async plan(tenantId: string, job: PlanJob, maskOf: (secret: string) => string): Promise<BundlePlan> {
    if (isSmall(job)) {
      return planBundle(job, { newId: this.#newId, masksOf: async (secrets) => secrets.map(maskOf) });
    }
    await this.#enter(tenantId);
    try {
      return await this.#planInThread(job, {
        maskOf,
        timeLimitMs: job.packages?.length ? customPlanTimeoutMs : planTimeoutMs,
      });
    } finally {
      const next = this.#waiting.shift();
      // The place is handed on.
      if (next) next.start();
      else this.#isRunning = false;
    }
  }

  async #enter(tenantId: string): Promise<void> {
    if (!this.#isRunning) {
      this.#isRunning = true;
      return;
    }
    const headers = { 'retry-after': '10' };
    const own = this.#waiting.filter((other) => other.tenantId === tenantId).length;
    if (own >= waitingPerTenantMax) {
      throw new Problem('rate_limited', 'Too many large bundles of this tenant at once', { headers });
    }
    if (this.#waiting.length >= waitingMax) {
      throw new Problem('unavailable', 'Too many large bundles at once', { headers });
    }
    await new Promise<void>((resolve) => this.#waiting.push({ tenantId, start: resolve }));
  }
}

/** The schemas of a tenant's own plugin packages are its own making: they are checked by where nobody waits for it. */
function isSmall({ document, live, packages = [] }: PlanJob): boolean {
  if (packages.length > 0) return false;
  const liveRecords = Object.values(live).reduce((sum, records) => sum + records.length, 0);
  return liveRecords <= inlineLiveRecordsMax && left(document, inlineValuesMax) >= 0;
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
