import type { Clock } from '@portcullis/plugin-runtime';
import type { BasicCredentials } from '../shared/basic/basic-credentials.ts';
import { FailureBudget } from '../shared/failure-budget.ts';
import { SharedCalls } from '../shared/shared-calls.ts';
import { WaitingRoom } from '../shared/waiting-room.ts';
import { RefusedBinds } from './refused-binds.ts';
import { VerifiedBinds, type VerifiedUser } from './verified-binds.ts';

/** A pair of name and password that somebody presented. */
export interface Attempt extends BasicCredentials {
  /** Of what was presented. */
  readonly digest: string;
  /** Who pays for a failure. */
  readonly network: string;
}

/** Not asked, because too many wait, or too many of this network were refused. Says nothing about the pair. */
export type TurnedAway = 'busy' | 'too_many_failures';

/** What became of a pair. */
export type Outcome = VerifiedUser | 'refused' | TurnedAway;

/** Asks the directory. `undefined`: it refuses the pair. Rejects when it does not answer as it should. */
export type AskDirectory = (user: BasicCredentials, signal: AbortSignal) => Promise<VerifiedUser | undefined>;

/**
 * The way to the directory, and what is remembered of its answers. Refusals are paid for by the network that they come from; nothing
 * locks a name, and who was accepted lately pays nothing, whoever else is in that network. The same pair that comes many times at once
 * is asked about once. Source: security rules, Login brute force.
 */
export class SignIns {
  readonly #ask: AskDirectory;
  readonly #clock: Clock;
  readonly #verified: VerifiedBinds;
  readonly #refused: RefusedBinds;
  readonly #budget = new FailureBudget();
  readonly #calls = new SharedCalls<VerifiedUser | undefined>();
  readonly #room = new WaitingRoom();

  constructor(ask: AskDirectory, clock: Clock) {
    this.#ask = ask;
    this.#clock = clock;
    this.#verified = new VerifiedBinds(clock);
    this.#refused = new RefusedBinds(clock);
  }

  /** Who presented this a short time ago and was accepted. */
  known(digest: string): VerifiedUser | undefined {
    return this.#verified.find(digest);
  }

  /**
   * Finds out about a pair that is not known. What may not even wait is answered at once: a request that waits for its refusal would
   * count towards what the runtime lets wait.
   */
  attempt(attempt: Attempt, signal: () => AbortSignal): Promise<Outcome> | 'refused' | TurnedAway {
    const { digest, network } = attempt;
    if (this.#refused.has(digest)) return 'refused';
    if (this.#room.isFull(network)) return 'busy';
    const isFree = this.#calls.has(digest) || this.#verified.isFamiliar(digest);
    if (!isFree && !this.#budget.take(network, this.#clock.monotonicMs())) return 'too_many_failures';
    const call = this.#calls.wait(digest, signal(), (left) => this.#verify(attempt, left, !isFree));
    return this.#room.hold(
      network,
      call.then((user) => user ?? 'refused'),
    );
  }

  async #verify(attempt: Attempt, signal: AbortSignal, isPaid: boolean): Promise<VerifiedUser | undefined> {
    const { digest, network, username, password } = attempt;
    // Whoever leaves before the answer has made the directory work all the same.
    let isFailure = false;
    try {
      const user = await this.#ask({ username, password }, signal);
      isFailure = user === undefined;
      if (user === undefined) this.#forget(digest);
      else this.#verified.remember(digest, user);
      return user;
    } catch (error) {
      isFailure = signal.aborted;
      throw error;
    } finally {
      if (isPaid && !isFailure) this.#budget.giveBack(network);
    }
  }

  #forget(digest: string): void {
    this.#verified.forget(digest);
    this.#refused.remember(digest);
  }
}
