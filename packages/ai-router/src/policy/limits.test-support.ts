import { Redis } from 'ioredis';
import type { AdmissionRequest } from './limits.ts';
import type { AiPolicy } from './policy.ts';
import type { LimitStore } from './shared-limits.ts';

/** A policy with these limits. */
export function policyOf(limits: Partial<AiPolicy>): AiPolicy {
  return {
    id: 'p',
    name: 'p',
    scope: 'default',
    scopeName: 'default',
    allowedModels: [],
    deniedModels: [],
    tokenBudget: 0,
    tokenBudgetWindowMs: 0,
    rateLimit: 0,
    rateWindowMs: 60_000,
    ...limits,
  };
}

/** A request under it. */
export function requestOf(policy: AiPolicy, fields: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return { tenantId: 't', policy, subject: 's', model: 'm', estimate: 0, ...fields };
}

/** A store over a real Redis with keys of its own. Disposing of it deletes them. */
export interface TestStore extends LimitStore, AsyncDisposable {
  readonly redis: Redis;
  readonly prefix: string;
  keys(): Promise<readonly string[]>;
}

let stores = 0;

export function testStore(url: string): TestStore {
  const redis = new Redis(url, { enableAutoPipelining: true });
  const prefix = `{test-ai:${process.pid}:${(stores += 1)}:${performance.now()}}`;
  const keys = (): Promise<string[]> => redis.keys(`${prefix}*`);
  return {
    redis,
    prefix,
    keys,
    run: ({ lua }, names, args) => redis.eval(lua, names.length, ...names, ...args),
    [Symbol.asyncDispose]: async () => {
      const left = await keys();
      if (left.length > 0) await redis.del(...left);
      redis.disconnect();
    },
  };
}

/** Lua for tests: a clock that moves when told, under which nothing expires by the real one. @param key where the time is, in milliseconds */
export function handClockLua(key: string): string {
  return `
local real = redis
local now = tonumber(real.call('GET', '${key}'))
local redis = { call = function(name, ...)
  if name == 'PEXPIRE' then return 1 end
  return real.call(name, ...)
end }
`;
}

/** What a step of a plan does. */
export interface LimitStep {
  readonly waitMs: number;
  readonly model: string;
  readonly estimate: number;
  /** Which of the requests under way ends before, and what it used; `undefined` for a release. */
  readonly ends?: { readonly which: number; readonly used: number | undefined } | undefined;
}

/** A request under way of the model. */
interface Open {
  readonly estimate: number;
}

/** Limits as the requirement says them, in the plainest way. */
export class LimitsModel {
  readonly #policy: AiPolicy;
  readonly #requests: { readonly model: string; readonly atMs: number }[] = [];
  readonly #open = new Set<Open>();
  #used = 0;
  #window = 0;

  constructor(policy: AiPolicy) {
    this.#policy = policy;
  }

  get reserved(): number {
    return [...this.#open].reduce((sum, { estimate }) => sum + estimate, 0);
  }

  get used(): number {
    return this.#used;
  }

  admit(model: string, estimate: number, nowMs: number): Open | 'rate_limit' | 'token_budget' {
    this.#turn(nowMs);
    const { rateLimit, rateWindowMs, tokenBudget } = this.#policy;
    const counted = this.#requests.filter((one) => one.model === model && one.atMs > nowMs - rateWindowMs).length;
    if (rateLimit > 0 && counted >= rateLimit) return 'rate_limit';
    if (tokenBudget > 0 && this.#used + this.reserved + estimate > tokenBudget) return 'token_budget';
    this.#requests.push({ model, atMs: nowMs });
    const open = { estimate };
    this.#open.add(open);
    return open;
  }

  end(open: Open, used: number, nowMs: number): void {
    this.#turn(nowMs);
    if (this.#open.delete(open)) this.#used += used;
  }

  #turn(nowMs: number): void {
    const { tokenBudgetWindowMs: lengthMs } = this.#policy;
    const window = lengthMs === 0 ? 0 : Math.floor(nowMs / lengthMs);
    if (window > this.#window) this.#used = 0;
    this.#window = window;
  }
}
