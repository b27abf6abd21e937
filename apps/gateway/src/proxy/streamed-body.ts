import type { Chain, ExchangeState, StreamOutcome } from '@portcullis/plugin-runtime';

/** Where the bytes that stream hooks let through go, and who is told to wait. */
export interface StreamedBodyTarget {
  /** What became of a chunk; `bytes` may be empty unless `last`. */
  pass(bytes: Uint8Array, last: boolean): void;
  /** A hook takes its time: nothing more is to come until {@link flow}. */
  wait(): void;
  flow(): void;
  /** A hook ended the answer, or failed. */
  cut(): void;
  /** The runtime itself failed. */
  crash(error: unknown): void;
}

interface WaitingChunk {
  readonly bytes: Uint8Array;
  readonly last: boolean;
}

/** The body of an answer on its way through the stream hooks of a chain, chunk by chunk and in order. */
export class StreamedBody {
  readonly #chain: Chain;
  readonly #state: ExchangeState;
  readonly #target: StreamedBodyTarget;
  /** What was on its way already when a hook began to wait. */
  readonly #waiting: WaitingChunk[] = [];
  #index = 0;
  #busy = false;
  #over = false;

  constructor(chain: Chain, state: ExchangeState, target: StreamedBodyTarget) {
    this.#chain = chain;
    this.#state = state;
    this.#target = target;
  }

  /** Whether a hook takes its time. */
  get busy(): boolean {
    return this.#busy;
  }

  /** The next chunk; after `last` there is none. */
  push(bytes: Uint8Array, last: boolean): void {
    if (this.#over) return;
    if (this.#busy) this.#waiting.push({ bytes, last });
    else this.#run(bytes, last);
  }

  /** Nothing more is wanted. */
  stop(): void {
    this.#over = true;
    this.#waiting.length = 0;
  }

  #run(bytes: Uint8Array, last: boolean): void {
    const outcome = this.#chain.runStream(this.#state, { bytes, index: this.#index, last });
    this.#index += 1;
    if (!(outcome instanceof Promise)) {
      this.#take(outcome, last);
      return;
    }
    this.#busy = true;
    this.#target.wait();
    outcome
      .then((late) => {
        this.#busy = false;
        this.#take(late, last);
        this.#goOn();
      })
      .catch((error: unknown) => this.#target.crash(error));
  }

  #goOn(): void {
    while (!this.#busy && !this.#over) {
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#target.flow();
        return;
      }
      this.#run(next.bytes, next.last);
    }
  }

  #take(outcome: StreamOutcome, last: boolean): void {
    if (this.#over) return;
    if (last || outcome === 'failed') this.stop();
    if (outcome === 'failed') this.#target.cut();
    else this.#target.pass(outcome, last);
  }
}
