import type { ChainEntry, HookEnd } from './chain-entry.ts';
import { endForPeer, fail, finish, giveUpProbe, rejected } from './hook-result.ts';
import type { HookSubject, PausedByPeer } from './hook-subject.ts';
import { BODY_TOO_SLOW, type Peer } from './peer-body.ts';

/** Waits for a hook until its time-out. Whatever it does afterwards has no effect. */
export function waitForHook<Subject extends HookSubject, Applied>(
  entry: ChainEntry<Subject, Applied>,
  result: PromiseLike<unknown>,
  subject: Subject,
  argument: unknown,
  isProbe: boolean,
  signal: AbortController | undefined,
): Promise<HookEnd<Applied>> {
  if (signal !== undefined) subject.watchLeaver(signal);
  return new Promise((resolve) => {
    const wait = new HookWait(entry, subject, argument, isProbe, signal, resolve);
    wait.begin();
    try {
      // Makes one promise of anything that has a `then`: such things may call back at once, again, with one more of their kind.
      Promise.resolve(result).then(wait.onResult, wait.onError);
    } catch (error) {
      wait.onError(error);
    }
  });
}

/**
 * One call of a hook that waits. Its clock, its place below the cap and its part as a probe stand still while a client's or an
 * upstream's body arrives: a slow peer must not disable a plugin for everybody.
 */
class HookWait<Subject extends HookSubject, Applied> implements PausedByPeer {
  readonly #entry: ChainEntry<Subject, Applied>;
  readonly #subject: Subject;
  readonly #argument: unknown;
  readonly #signal: AbortController | undefined;
  readonly #resolve: (end: HookEnd<Applied>) => void;
  #isProbe: boolean;
  #timer: unknown;
  /** When the timer was set, by the monotonic clock. */
  #sinceMs = 0;
  #ownLeftMs: number;
  #peerLeftMs: number;
  #state: 'runs' | 'paused' | 'over' = 'runs';
  /** Whether the pause took the part of a probe from it. */
  #wasProbe = false;

  constructor(
    entry: ChainEntry<Subject, Applied>,
    subject: Subject,
    argument: unknown,
    isProbe: boolean,
    signal: AbortController | undefined,
    resolve: (end: HookEnd<Applied>) => void,
  ) {
    this.#entry = entry;
    this.#subject = subject;
    this.#argument = argument;
    this.#isProbe = isProbe;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#ownLeftMs = entry.slot.timeoutMs;
    this.#peerLeftMs = entry.instance.host.bodyTimeoutMs;
  }

  begin(): void {
    this.#run();
    this.#subject.watchPeer(this);
  }

  readonly onResult = (value: unknown): void => {
    if (!this.#end()) return;
    const { peerFailure } = this.#subject;
    // In the error stage the failure is known already: what is to be said of it may well be changed.
    if (peerFailure === undefined || this.#entry.stage === 'error') {
      this.#resolve(finish(this.#entry, value, this.#subject, this.#argument, this.#isProbe));
    } else this.#resolve(endForPeer(this.#entry, this.#subject, peerFailure, undefined, this.#isProbe));
  };

  readonly onError = (error: unknown): void => {
    if (this.#end()) this.#resolve(rejected(this.#entry, this.#subject, error, this.#isProbe));
  };

  pauseFor(peer: Peer): void {
    if (this.#state !== 'runs') return;
    const { instance, slot } = this.#entry;
    const { clock, timers } = instance.host;
    timers.clear(this.#timer);
    this.#ownLeftMs -= clock.monotonicMs() - this.#sinceMs;
    slot.endWait();
    if (this.#isProbe) {
      // Another call may probe meanwhile: the circuit must not stay half-open for as long as a client likes.
      giveUpProbe(this.#entry);
      this.#isProbe = false;
      this.#wasProbe = true;
    }
    this.#state = 'paused';
    this.#setTimer(() => this.#onPeerTooSlow(peer), this.#peerLeftMs);
  }

  resume(): void {
    if (this.#state !== 'paused') return;
    const { instance } = this.#entry;
    const { clock, timers } = instance.host;
    timers.clear(this.#timer);
    this.#peerLeftMs -= clock.monotonicMs() - this.#sinceMs;
    if (this.#wasProbe) {
      this.#wasProbe = false;
      this.#isProbe = instance.circuit.phase === 'open' && instance.onCircuitEvent(CALL) === 'half_open';
    }
    this.#run();
  }

  #run(): void {
    this.#state = 'runs';
    this.#entry.slot.beginWait();
    this.#setTimer(this.#onTimeout, this.#ownLeftMs);
  }

  #setTimer(callback: () => void, delayMs: number): void {
    const { clock, timers } = this.#entry.instance.host;
    this.#sinceMs = clock.monotonicMs();
    this.#timer = timers.set(callback, Math.max(0, delayMs));
  }

  readonly #onTimeout = (): void => {
    if (!this.#end()) return;
    this.#resolve(fail(this.#entry, this.#subject, 'timed_out', undefined, this.#isProbe));
    this.#signal?.abort();
  };

  #onPeerTooSlow(peer: Peer): void {
    if (!this.#end()) return;
    this.#subject.notePeerFailure(BODY_TOO_SLOW[peer]);
    this.#resolve(endForPeer(this.#entry, this.#subject, BODY_TOO_SLOW[peer], undefined, this.#isProbe));
    this.#signal?.abort();
  }

  /** @returns `false` when the wait was over before */
  #end(): boolean {
    if (this.#state === 'over') return false;
    const { instance, slot } = this.#entry;
    if (this.#state === 'runs') slot.endWait();
    this.#state = 'over';
    instance.host.timers.clear(this.#timer);
    this.#subject.unwatchPeer(this);
    if (this.#signal !== undefined) this.#subject.unwatchLeaver(this.#signal);
    return true;
  }
}

const CALL = { type: 'call' } as const;
