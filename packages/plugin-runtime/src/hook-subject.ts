import type { ConsumerIdentity, ExchangeFailure } from './exchange.ts';
import type { Peer, PeerWatch } from './peer-body.ts';
import { SummedStep, type HookOutcome, type PluginStep } from './plugin-step.ts';
import type { Stage } from './plugin.ts';

/** A waiting hook whose time stands still while its peer's body arrives. */
export interface PausedByPeer {
  pauseFor(peer: Peer): void;
  resume(): void;
}

/** What waits for a subject, and is told when the client leaves: the signal of a hook, or a call that waits for its turn. */
export interface Leaver {
  abort(): void;
}

/**
 * What hooks are called for: a request or a connection. Holds what the execution policy needs per call and what all calls
 * share. One shape for both, so that the code that calls hooks stays quick.
 */
export abstract class HookSubject implements PeerWatch {
  readonly #steps: PluginStep[] | undefined;
  #state: Map<string, unknown> | undefined;
  #failure: ExchangeFailure | undefined;
  #summed: Map<object, SummedStep> | undefined;
  /** What the hook that is being called took as its signal. */
  #taken: AbortController | undefined;
  /** Signals of hooks that wait, and calls that wait for their turn. */
  #waiting: Set<Leaver> | undefined;
  /** Reads of bodies that are under way, and who sends the one that began last. */
  #peerWaits = 0;
  #peer: Peer = 'client';
  #peerFailure: ExchangeFailure | undefined;
  /** The hook that waits, while one does. */
  #paused: PausedByPeer | undefined;
  #readMs = 0;
  #inHook = false;
  #aborted = false;

  constructor(recordSteps: boolean) {
    this.#steps = recordSteps ? [] : undefined;
  }

  /** The hooks that ran, in order; `undefined` unless they are recorded. */
  get steps(): PluginStep[] | undefined {
    return this.#steps;
  }

  /** What a log line says of it: one field that names the request or the connection. */
  abstract get logFields(): Readonly<Record<string, string>>;

  /** Who the client is, once an authentication plugin has said so. */
  abstract get consumer(): ConsumerIdentity | undefined;

  /** Values that plugins leave for later hooks; gone with the request or the connection. */
  get state(): Map<string, unknown> {
    this.#state ??= new Map();
    return this.#state;
  }

  /** Whether it failed, or a plugin ended it: {@link failure} says why. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Why it failed. @throws Error unless it did */
  get failure(): ExchangeFailure {
    if (this.#failure === undefined) throw new Error('nothing failed');
    return this.#failure;
  }

  /** Whether the client left. */
  get aborted(): boolean {
    return this.#aborted;
  }

  /** See `Exchange.signal`. */
  signal(): AbortSignal {
    if (!this.#inHook || this.#aborted) return AbortSignal.abort();
    this.#taken ??= new AbortController();
    return this.#taken.signal;
  }

  /** Says that the client left: hooks that wait are told by their signals, calls of hooks that have not begun end. Safe to call twice. */
  abort(): void {
    this.#aborted = true;
    this.#taken?.abort();
    if (this.#waiting === undefined) return;
    for (const leaver of this.#waiting) leaver.abort();
    this.#waiting = undefined;
  }

  /** For the runtime: remembers why it failed. */
  noteFailure(failure: ExchangeFailure): void {
    this.#failure = failure;
  }

  /**
   * For the runtime: hooks are about to be called, one after the other, without a wait.
   * @throws Error inside a hook: a hook that runs the chain of its own request would never come to an end
   */
  beginHooks(): void {
    if (this.#inHook) throw new Error('a hook cannot run the chain that it is called by');
    this.#inHook = true;
  }

  /** For the runtime: no hook is being called any more; some may wait. */
  endHooks(): void {
    this.#inHook = false;
  }

  /** For the runtime: whether the hook that was called took its signal. */
  get hasTakenSignal(): boolean {
    return this.#taken !== undefined;
  }

  /** For the runtime: a hook returned. What it took as its signal, once; the next hook gets one of its own. */
  claimSignal(): AbortController | undefined {
    const taken = this.#taken;
    if (taken !== undefined) this.#taken = undefined;
    return taken;
  }

  /** For the runtime: something waits that is to be told when the client leaves. */
  watchLeaver(leaver: Leaver): void {
    if (this.#aborted) leaver.abort();
    else (this.#waiting ??= new Set()).add(leaver);
  }

  /** For the runtime: it does not wait any more. */
  unwatchLeaver(leaver: Leaver): void {
    this.#waiting?.delete(leaver);
  }

  /** For the runtime: how a client or an upstream broke off a body that a hook read; `undefined` while none did. */
  get peerFailure(): ExchangeFailure | undefined {
    return this.#peerFailure;
  }

  notePeerFailure(failure: ExchangeFailure): void {
    this.#peerFailure ??= failure;
  }

  beginPeerWait(peer: Peer): void {
    this.#peerWaits += 1;
    this.#peer = peer;
    if (this.#peerWaits === 1) this.#paused?.pauseFor(peer);
  }

  endPeerWait(): void {
    this.#peerWaits -= 1;
    if (this.#peerWaits === 0) this.#paused?.resume();
  }

  /** For the runtime: a hook waits; it is told when bodies begin to arrive, and when no read is under way any more. */
  watchPeer(paused: PausedByPeer): void {
    this.#paused = paused;
    if (this.#peerWaits > 0) paused.pauseFor(this.#peer);
  }

  /** For the runtime: the hook's wait is over. */
  unwatchPeer(paused: PausedByPeer): void {
    if (this.#paused === paused) this.#paused = undefined;
  }

  /** For the runtime: when the hook before ended, where its time is taken; the next one's begins there. */
  get readMs(): number {
    return this.#readMs;
  }

  /** For the runtime: the clock was read. */
  noteReading(nowMs: number): void {
    this.#readMs = nowMs;
  }

  /** For the runtime: adds a step, or adds to the one that sums up the calls of this hook. */
  noteStep(hook: object, name: string, stage: Stage, outcome: HookOutcome, durationMs: number): void {
    const steps = this.#steps;
    if (steps === undefined) return;
    if (stage !== 'stream' && stage !== 'tcp') {
      steps.push({ name, stage, outcome, duration_us: Math.round(durationMs * 1000) });
      return;
    }
    this.#summed ??= new Map();
    let step = this.#summed.get(hook);
    if (step === undefined) {
      step = new SummedStep(name, stage);
      this.#summed.set(hook, step);
      steps.push(step);
    }
    step.add(outcome, durationMs);
  }

  /** For the runtime: what became of a request hook in the end, known only after its step was added. */
  noteLateOutcome(name: string, outcome: HookOutcome): void {
    const steps = this.#steps;
    const at = steps?.findLastIndex((step) => step.stage === 'request' && step.name === name) ?? -1;
    const step = steps?.[at];
    if (steps !== undefined && step !== undefined) steps[at] = { ...step, outcome };
  }
}

// Assigning to what is read-only throws, also to a method: hooks of one request share the object.
Object.freeze(HookSubject.prototype);
