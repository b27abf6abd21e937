import { factsOf, wholeTokens } from './limit-decision.ts';
import { limitKeys, type LimitKeys } from './limit-keys.ts';
import { limitScripts, type LimitScript } from './limit-scripts.ts';
import type { Admission, AdmissionRequest, AiLimits } from './limits.ts';
import type { LocalLimits } from './local-limits.ts';
import type { AiPolicy } from './policy.ts';
import { MOMENTS_PER_WINDOW_MAX } from './rolling-window.ts';
import { SettlementQueue, type SettlementTimers } from './settlement-queue.ts';

/** How long a decision may take; a store that is well takes a millisecond. */
export const STORE_TIMEOUT_MS = 1000;

/** How long a request's tokens are held back at most: those of a process that died come free then. */
export const LEASE_MS: number = 60 * 60 * 1000;

/** How long a budget without a window is kept after its last use: 400 days. */
export const BUDGET_KEPT_MS: number = 400 * 24 * 60 * 60 * 1000;

/** What all processes know together. `SharedStore` of `@portcullis/plugin-runtime` is one. */
export interface LimitStore {
  /** Runs a script in one step, and rejects when it cannot. */
  run(
    script: LimitScript,
    keys: readonly string[],
    args: readonly (string | number)[],
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<unknown>;
}

/** Settings of {@link createSharedLimits}. */
export interface SharedLimitsOptions {
  readonly store: LimitStore;
  /** What its keys begin with. */
  readonly prefix: string;
  /** A new name for each reservation, unlike those of all processes. */
  readonly newId: () => string;
  /** Decides while the store fails; each process admits as much then. Without it such requests fail. */
  readonly local?: LocalLimits;
  /** Default {@link LEASE_MS}. */
  readonly leaseMs?: number;
  readonly timers?: SettlementTimers;
  /** Called when what a request used could not be told to the store. */
  readonly onSettlementLost?: () => void;
  /** Lua of another clock, for tests. */
  readonly clockLua?: string;
}

/**
 * Counts in a store: all processes that use it decide as one, each request in one step. Estimates are held back under a lease; a request that takes longer than that is
 * charged all the same when it ends.
 */
export function createSharedLimits(options: SharedLimitsOptions): AiLimits & { dispose(): Promise<void> } {
  const { store, prefix, newId, local, leaseMs = LEASE_MS, timers, onSettlementLost, clockLua } = options;
  const scripts = clockLua === undefined ? storeScripts : limitScripts(clockLua);
  const call = { timeoutMs: STORE_TIMEOUT_MS };
  const queue = new SettlementQueue({
    send: (keys, args) => store.run(scripts.settle, keys, args, call),
    ...(timers && { timers }),
    ...(onSettlementLost && { onLost: onSettlementLost }),
  });

  const decide = async (request: AdmissionRequest, keys: LimitKeys): Promise<Admission> => {
    const { policy } = request;
    const estimate = wholeTokens(request.estimate);
    const reservation = `${estimate}:${newId()}`;
    const settle = (used: number, leaseEndMs: number): void => {
      const times = [policy.tokenBudgetWindowMs, leaseMs, BUDGET_KEPT_MS, leaseEndMs];
      if (policy.tokenBudget > 0) queue.add(keys.settle, [reservation, wholeTokens(used), ...times]);
    };
    const args = [keys.model, ...limitArgs(policy), estimate, leaseMs, BUDGET_KEPT_MS, reservation];
    let answer: unknown;
    try {
      answer = await store.run(scripts.admit, keys.admit, args, call);
    } catch (error) {
      // It may run all the same: what it holds would stay held for the lease.
      if (error instanceof Error && 'code' in error && error.code === 'timeout') settle(0, Number.MAX_SAFE_INTEGER);
      if (local === undefined) throw error;
      return local.admit(request);
    }
    const decision = readAnswer(answer);
    const headers = factsOf(policy, decision);
    if (decision.refused !== 0) {
      const retryAfterMs = decision.refused === 1 ? decision.waitMs : decision.tokensResetMs;
      const isHopeless = decision.refused === 2 && estimate > policy.tokenBudget;
      const reason = decision.refused === 1 ? 'rate_limit' : 'token_budget';
      return { ok: false, reason, headers, ...(retryAfterMs !== undefined && !isHopeless && { retryAfterMs }) };
    }
    let isOver = false;
    const end = (used: number): void => {
      if (isOver) return;
      isOver = true;
      settle(used, decision.leaseEndMs);
    };
    return { ok: true, headers, settle: end, release: () => end(0) };
  };

  return {
    admit(request) {
      const { rateLimit, tokenBudget } = request.policy;
      if (rateLimit === 0 && tokenBudget === 0) return { ok: true, headers: {}, settle: nothing, release: nothing };
      return decide(request, limitKeys(prefix, request));
    },
    dispose: () => queue.dispose(),
  };
}

/** One pair for all: hosts keep by the object what they know of a script. */
const storeScripts = limitScripts();

function limitArgs(policy: AiPolicy): readonly number[] {
  const { rateLimit, rateWindowMs, tokenBudget, tokenBudgetWindowMs } = policy;
  const partMs = Math.max(1, rateWindowMs / MOMENTS_PER_WINDOW_MAX);
  return [rateLimit, rateWindowMs, partMs, tokenBudget, tokenBudgetWindowMs];
}

/** What the script says. */
interface Decision {
  readonly refused: number;
  readonly requestsUsed: number;
  readonly requestsResetMs: number;
  readonly waitMs: number;
  readonly tokensTaken: number;
  readonly tokensResetMs: number | undefined;
  readonly leaseEndMs: number;
}

function readAnswer(answer: unknown): Decision {
  if (!Array.isArray(answer) || answer.length !== 7 || !answer.every(Number.isSafeInteger)) {
    throw new TypeError('ai_admit gave another answer than it does');
  }
  const [
    refused = 0,
    requestsUsed = 0,
    requestsResetMs = 0,
    waitMs = 0,
    tokensTaken = 0,
    resetMs = -1,
    leaseEndMs = 0,
  ] = answer as number[];
  const tokensResetMs = resetMs < 0 ? undefined : resetMs;
  return { refused, requestsUsed, requestsResetMs, waitMs, tokensTaken, tokensResetMs, leaseEndMs };
}

function nothing(): void {
  // Nothing was counted.
}
