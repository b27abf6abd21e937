import { clientSite } from '../shared/client-network.ts';
import { FailureBudget } from '../shared/failure-budget.ts';

/** Hashes at once in this process: one core at most is busy with them, and 64 MiB. */
export const HASHES_MAX = 1;

/**
 * Requests that wait for a hash. Below the default of `max_concurrency` (32), at which the runtime would refuse all requests of the
 * instance, also those whose password is known.
 */
export const WAITING_MAX = 24;

/** Different passwords of one site, of one network, and for one user name, that wait or are hashed. */
export const WAITING_PER_SITE_MAX = 12;
export const WAITING_PER_NETWORK_MAX = 8;
export const WAITING_PER_USERNAME_MAX = 4;

/** An attempt that has waited longer is not hashed any more, in milliseconds: well below the time-out of hooks. */
export const WAIT_MS_MAX = 2000;

/** `busy`: not checked, because it has waited too long. Says nothing about the password. */
export type Outcome = 'right' | 'wrong' | 'busy';

/** Why a password may not even wait: too many do, or too many of this network were wrong. Says nothing about the password. */
export type TurnedAway = 'busy' | 'too_many_failures';

/** A password to check. */
export interface Attempt {
  readonly username: string;
  readonly password: string;
  /** Of name and password. */
  readonly digest: string;
  readonly passwordHash: string;
  /** Who pays for a failure. */
  readonly network: string;
  readonly monotonicMs: () => number;
}

interface Job {
  readonly attempt: Attempt;
  readonly key: string;
  readonly sinceMs: number;
  readonly outcome: Promise<Outcome>;
  readonly settle: (outcome: Outcome | Promise<Outcome>) => void;
}

/**
 * The way to the slow hash, shared by all instances of a process: whoever guesses passwords, from wherever, uses one core at most and
 * keeps nobody from going on whose password is known already. The same password that comes many times at once is hashed once.
 * Failed attempts are paid for by the network that they come from; nothing locks a user name. Names that nobody has are treated
 * like others, so neither time nor refusals tell them apart. Source: security rules, Login brute force.
 */
export class PasswordChecks {
  readonly #fits: (password: string, passwordHash: string) => Promise<boolean>;
  readonly #budget = new FailureBudget();
  /** What waits or is hashed, in order. */
  readonly #jobs = new Map<string, Job>();
  readonly #queue: Job[] = [];
  #hashing = 0;
  #waiting = 0;

  /** @param fits the slow check itself */
  constructor(fits: (password: string, passwordHash: string) => Promise<boolean>) {
    this.#fits = fits;
  }

  /**
   * Checks a password when it is its turn; rejects when the check itself fails. What may not even wait is answered at once: a request
   * that waits for its refusal would count towards what the runtime lets wait.
   */
  check(attempt: Attempt): Promise<Outcome> | TurnedAway {
    if (this.#waiting >= WAITING_MAX) return 'busy';
    const key = `${attempt.digest}${attempt.passwordHash}`;
    const job = this.#jobs.get(key) ?? this.#admit(key, attempt);
    if (typeof job === 'string') return job;
    this.#waiting += 1;
    return job.outcome.finally(() => (this.#waiting -= 1));
  }

  #admit(key: string, attempt: Attempt): Job | TurnedAway {
    const { network, username } = attempt;
    const others = [...this.#jobs.values()];
    const site = clientSite(network);
    const ofSite = others.filter((other) => clientSite(other.attempt.network) === site).length;
    const ofNetwork = others.filter((other) => other.attempt.network === network).length;
    const ofUsername = others.filter((other) => other.attempt.username === username).length;
    if (ofSite >= WAITING_PER_SITE_MAX || ofNetwork >= WAITING_PER_NETWORK_MAX) return 'busy';
    if (ofUsername >= WAITING_PER_USERNAME_MAX) return 'busy';
    const sinceMs = attempt.monotonicMs();
    if (!this.#budget.take(network, sinceMs)) return 'too_many_failures';
    const { promise: outcome, resolve: settle } = Promise.withResolvers<Outcome>();
    const job: Job = { attempt, key, sinceMs, outcome, settle };
    this.#jobs.set(key, job);
    this.#queue.push(job);
    this.#next();
    return job;
  }

  #next(): void {
    while (this.#hashing < HASHES_MAX) {
      const job = this.#queue.shift();
      if (job === undefined) return;
      if (job.attempt.monotonicMs() - job.sinceMs > WAIT_MS_MAX) this.#end(job, 'busy');
      else void this.#hash(job);
    }
  }

  async #hash(job: Job): Promise<void> {
    this.#hashing += 1;
    try {
      const fits = await this.#fits(job.attempt.password, job.attempt.passwordHash);
      this.#end(job, fits ? 'right' : 'wrong');
    } catch (error) {
      this.#end(job, Promise.reject(error));
    } finally {
      this.#hashing -= 1;
      this.#next();
    }
  }

  #end({ attempt, key, settle }: Job, outcome: Outcome | Promise<Outcome>): void {
    this.#jobs.delete(key);
    if (outcome !== 'wrong') this.#budget.giveBack(attempt.network);
    settle(outcome);
  }
}
