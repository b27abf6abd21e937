import { factsOf, refusalOf, wholeTokens, type Usage } from './limit-decision.ts';
import type { Admission, AdmissionRequest, AiLimits } from './limits.ts';
import { MOMENTS_MAX } from './rolling-window.ts';
import { SubjectUsage } from './subject-usage.ts';

/** Subjects of all policies and tenants that one object counts. What comes beyond shares one count in its tenant, as long as no place gets free. */
export const SUBJECTS_MAX = 16_384;

/** Subjects that are looked at for one whose place is free. */
const LOOKED_AT = 32;

/** Time in milliseconds. `Clock` of `@portcullis/plugin-runtime` is one. */
export interface LimitsClock {
  /** Since 1970. */
  nowMs(): number;
  /** From any moment on; never goes back. */
  monotonicMs(): number;
}

/** Settings of {@link createLocalLimits}. */
export interface LocalLimitsOptions {
  readonly clock: LimitsClock;
  /** Default {@link SUBJECTS_MAX}. */
  readonly subjectsMax?: number;
}

/** Limits that are counted in this process alone. Decisions are no promises: nothing comes between a decision and what it counts. */
export interface LocalLimits extends AiLimits {
  admit(request: AdmissionRequest): Admission;
}

/**
 * Counts in memory: of several processes each admits the whole limit, and what was used is forgotten when the process ends. An estimate is held back
 * until the request is over: `used + held back + estimate` never exceeds the budget. What is charged may exceed the estimate; then the next request is refused.
 */
export function createLocalLimits({ clock, subjectsMax = SUBJECTS_MAX }: LocalLimitsOptions): LocalLimits {
  return new CountedLimits(clock, subjectsMax);
}

/** A place with the longest window that was asked of it. */
interface Place {
  readonly usage: SubjectUsage;
  windowMs: number;
}

class CountedLimits implements LocalLimits {
  readonly #subjectsMax: number;
  readonly #clock: LimitsClock;
  /** So that setting the system's clock gives nobody a new window. */
  readonly #startMs: number;
  readonly #moments = { left: MOMENTS_MAX };
  readonly #places = new Map<string, Place>();
  /** By tenant: those for whom there is no place. */
  readonly #crowds = new Map<string, Place>();
  #cursor = this.#places.entries();

  constructor(clock: LimitsClock, subjectsMax: number) {
    this.#clock = clock;
    this.#subjectsMax = subjectsMax;
    this.#startMs = clock.nowMs() - clock.monotonicMs();
  }

  admit({ tenantId, policy, subject, model, estimate: given }: AdmissionRequest): Admission {
    const { rateLimit, rateWindowMs, tokenBudget, tokenBudgetWindowMs } = policy;
    if (rateLimit === 0 && tokenBudget === 0) return { ok: true, headers: {}, settle: nothing, release: nothing };
    const nowMs = this.#now();
    const estimate = wholeTokens(given);
    const place = this.#placeOf(tenantId, JSON.stringify([tenantId, policy.id, subject]), nowMs);
    if (rateLimit > 0) place.windowMs = Math.max(place.windowMs, rateWindowMs);
    const { budget } = place.usage;
    if (tokenBudget > 0) budget.turn(nowMs, tokenBudgetWindowMs);
    const requests = rateLimit > 0 ? place.usage.requests(model, nowMs, rateWindowMs) : undefined;
    const usageNow = (): Usage => ({
      requestsUsed: requests?.used(nowMs, rateWindowMs) ?? 0,
      requestsResetMs: requests?.resetMs(nowMs, rateWindowMs) ?? 0,
      tokensTaken: budget.taken,
      tokensResetMs: budget.resetMs(nowMs),
    });
    const usage = usageNow();
    const reason = refusalOf(policy, usage, estimate);
    if (reason !== undefined) {
      const isHopeless = reason === 'token_budget' && estimate > tokenBudget;
      const retryAfterMs =
        reason === 'rate_limit' ? requests?.waitMs(nowMs, rateWindowMs, rateLimit - 1) : usage.tokensResetMs;
      const headers = factsOf(policy, usage);
      return { ok: false, reason, headers, ...(retryAfterMs !== undefined && !isHopeless && { retryAfterMs }) };
    }
    requests?.count(nowMs, rateWindowMs);
    if (tokenBudget === 0) {
      return { ok: true, headers: factsOf(policy, usageNow()), settle: nothing, release: nothing };
    }
    budget.reserve(estimate);
    let isOver = false;
    const end = (used: number): void => {
      if (isOver) return;
      isOver = true;
      budget.turn(this.#now(), tokenBudgetWindowMs);
      budget.settle(estimate, wholeTokens(used));
    };
    return { ok: true, headers: factsOf(policy, usageNow()), settle: end, release: () => end(0) };
  }

  #now(): number {
    return Math.floor(this.#startMs + this.#clock.monotonicMs());
  }

  #placeOf(tenantId: string, key: string, nowMs: number): Place {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    if (this.#places.size >= this.#subjectsMax) this.#forget(nowMs);
    const crowd = this.#crowds.get(tenantId);
    // Whoever was counted in a crowd stays there until it is over: they would have a second limit otherwise.
    if (crowd !== undefined && !crowd.usage.isIdle(nowMs, crowd.windowMs)) return crowd;
    if (this.#places.size < this.#subjectsMax) return this.#newPlace(this.#places, key);
    return crowd ?? this.#newPlace(this.#crowds, tenantId);
  }

  #newPlace(places: Map<string, Place>, key: string): Place {
    const place = { usage: new SubjectUsage(this.#moments), windowMs: 0 };
    places.set(key, place);
    return place;
  }

  #forget(nowMs: number): void {
    for (let looked = 0; looked < LOOKED_AT; looked += 1) {
      let next = this.#cursor.next();
      if (next.done) {
        this.#cursor = this.#places.entries();
        next = this.#cursor.next();
      }
      if (next.done) return;
      const [key, { usage, windowMs }] = next.value;
      if (usage.isIdle(nowMs, windowMs)) this.#places.delete(key);
    }
  }
}

function nothing(): void {
  // Nothing was counted.
}
