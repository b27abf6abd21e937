import { monotonicMs } from '../adapters/monotonic-clock.ts';
import type { Dispatcher } from 'undici';
import { DeadlineWatch } from '../deadline-watch.ts';
import { asEgressError, EgressError } from '../egress-error.ts';
import { isCoded, joined } from './answer.ts';
import type { EgressCall, EgressListener, EgressStreamRequest } from './stream-request.ts';

type Controller = Dispatcher.DispatchController;
type Handler = Required<Dispatcher.DispatchHandler>;

/** How late a time-out may be noticed. undici's own timers may be a second late. */
const sweepMs = 40;

/** RFC 9110, section 15: what is above is no status. */
const statusMax = 599;

const deadlines = new DeadlineWatch(sweepMs);

/** What undici is told when nobody wants the answer any more. It never leaves. */
const givenUp = new Error('given up');

/** How far a call has come: that says which time is running. */
type Phase = 'connect' | 'head' | 'body' | 'over';

/** One call whose answer streams, on its way through undici. */
export class StreamCall implements EgressCall, Dispatcher.DispatchHandler {
  deadlineMs: number;
  place = -1;
  readonly #request: EgressStreamRequest;
  readonly #listener: EgressListener;
  readonly #left: () => void;
  #phase: Phase = 'connect';
  #controller: Controller | undefined;
  #isInside = true;
  /** Whether `open` has not returned: the listener must not hear of anything yet. */
  #isOpening = true;
  #isHeld = false;
  /** What undici gave though the body is held: it empties a connection that the other side has closed. Bounded by the socket's buffer. */
  #kept: Uint8Array[] = [];
  #hasEnded = false;
  #isAborted = false;

  /** @param left told once, when undici has let go of the call: it cannot take back one that waits for its connection */
  constructor(request: EgressStreamRequest, listener: EgressListener, left: () => void) {
    this.#request = request;
    this.#listener = listener;
    this.#left = left;
    this.deadlineMs = monotonicMs() + request.connectTimeoutMs;
    deadlines.add(this);
  }

  /** `open` returns now. */
  opened(): void {
    this.#isOpening = false;
  }

  /** Fails a call that undici never gets. */
  refuse(error: unknown): void {
    this.#leave();
    this.#fail(error);
  }

  /** Later, because undici reads a socket at once, and cannot while it is in the middle of another's bytes. */
  resume(): void {
    if (this.#isHeld) queueMicrotask(() => this.#flow());
  }

  abort(): void {
    this.#isAborted = true;
    this.#end();
    this.#controller?.abort(givenUp);
  }

  expire(): void {
    const { connectTimeoutMs, headTimeoutMs, idleTimeoutMs } = this.#request;
    const reasons = {
      connect: `no connection came about within ${connectTimeoutMs} ms`,
      head: `no answer began within ${headTimeoutMs} ms`,
      body: `nothing more of the answer came for ${idleTimeoutMs} ms`,
      over: '',
    };
    const error = new EgressError('timeout', reasons[this.#phase]);
    this.#fail(error);
    this.#controller?.abort(givenUp);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#phase === 'over') {
      controller.abort(givenUp);
      return;
    }
    this.#phase = 'head';
    this.deadlineMs = monotonicMs() + this.#request.headTimeoutMs;
  }

  onResponseStart(controller: Controller, status: number, headers: Parameters<Handler['onResponseStart']>[2]): void {
    if (status < 200 || this.#phase === 'over') return;
    if (status > statusMax) return this.#refuseAnswer(controller, 'a status that is none');
    const lines: string[] = [];
    for (const name in headers) {
      const value = headers[name];
      if (typeof value === 'string') lines.push(name, value);
      else if (value !== undefined) for (const line of value) lines.push(name, line);
    }
    this.#phase = 'body';
    this.#expectData();
    this.#listener.onHead(status, lines);
    // The head is told first: whoever listens can say better than "unreachable" what is wrong with such a server.
    const isPacked = isCoded(joined(headers['content-encoding']));
    if (isPacked) this.#refuseAnswer(controller, 'a content coding, which was not asked for');
  }

  #refuseAnswer(controller: Controller, what: string): void {
    this.#fail(new EgressError('unreachable', `the answer has ${what}`));
    controller.abort(givenUp);
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#phase !== 'body') return;
    if (this.#isHeld) this.#kept.push(chunk);
    else if (this.#listener.onData(chunk)) this.#expectData();
    else this.#hold(controller);
  }

  onResponseEnd(): void {
    this.#leave();
    if (this.#isHeld) this.#hasEnded = true;
    else if (this.#end()) this.#listener.onEnd();
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    this.#leave();
    this.#fail(error);
  }

  #hold(controller: Controller): void {
    if (this.#phase !== 'body') return;
    this.#isHeld = true;
    // Whoever reads slowly is none of the server's business.
    this.deadlineMs = Number.POSITIVE_INFINITY;
    controller.pause();
  }

  #flow(): void {
    if (!this.#isHeld || this.#phase !== 'body') return;
    const kept = this.#kept;
    for (let at = 0; at < kept.length; at += 1) {
      const takesMore = this.#listener.onData(kept[at] as Uint8Array);
      if (this.#phase !== 'body') return;
      if (takesMore) continue;
      this.#kept = kept.slice(at + 1);
      return;
    }
    this.#kept = [];
    this.#isHeld = false;
    this.#expectData();
    if (!this.#hasEnded) this.#controller?.resume();
    else if (this.#end()) this.#listener.onEnd();
  }

  #expectData(): void {
    this.deadlineMs = monotonicMs() + this.#request.idleTimeoutMs;
  }

  #fail(error: unknown): void {
    if (!this.#end()) return;
    const failure = asEgressError(error);
    if (this.#isOpening) queueMicrotask(() => this.#isAborted || this.#listener.onFailure(failure));
    else this.#listener.onFailure(failure);
  }

  /** @returns whether it was under way till now */
  #end(): boolean {
    if (this.#phase === 'over') return false;
    this.#phase = 'over';
    this.#kept = [];
    deadlines.delete(this);
    return true;
  }

  #leave(): void {
    if (this.#isInside) this.#left();
    this.#isInside = false;
  }
}
