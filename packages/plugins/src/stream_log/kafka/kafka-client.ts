import type { Clock } from '@portcullis/plugin-runtime';
import type * as Kafka from '@platformatic/kafka';
import { SendError } from '../../shared/sinks/record-sender.ts';

/** Calls in a row that had their whole time and no answer, after which the client is made anew. */
const GIVEN_UP_MAX = 2;

/** Share of the time of a call, after which whoever gives up did so because of the brokers, and not because a client left. */
const WHOLE = 0.9;

/** One client of the library with its connections. Who uses it lets it go once it is spent, and makes another. */
export class KafkaClient {
  readonly producer: Kafka.Producer;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #ending = new AbortController();
  readonly #failed = Promise.withResolvers<never>();
  #isSpent = false;
  #givenUp = 0;
  #running = 0;

  constructor(producer: Kafka.Producer, clock: Clock, timeoutMs: number) {
    this.producer = producer;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    // It may fail when nobody sends.
    this.#failed.promise.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Whether it may wait for something that never comes. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  fail(error: unknown): void {
    this.#isSpent = true;
    this.#failed.reject(new Error('the client tripped over what a broker said', { cause: error }));
  }

  /** Waits for a call, until `signal` fires or the client fails. */
  async run<Result>(call: Promise<Result>, signal: AbortSignal): Promise<Result> {
    const given = Promise.withResolvers<never>();
    const lateMs = this.#clock.monotonicMs() + this.#timeoutMs * WHOLE;
    const giveUp = (): void => {
      if (this.#clock.monotonicMs() >= lateMs) this.#givenUp += 1;
      if (this.#givenUp >= GIVEN_UP_MAX) this.#isSpent = true;
      given.reject(new SendError('the brokers take too long', true));
    };
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    this.#hold(1);
    try {
      const result = await Promise.race([call, given.promise, this.#failed.promise]);
      this.#givenUp = 0;
      return result;
    } finally {
      this.#hold(-1);
      signal.removeEventListener('abort', giveUp);
    }
  }

  end(): void {
    this.#ending.abort();
    const sockets = [...this.producer.connections].map(([, connection]) => connection.socket);
    // What it still waits for fails with it.
    this.producer.close(() => undefined);
    for (const socket of sockets) socket.destroy();
  }

  /** Connections keep the process alive while somebody waits for them, and not when they are idle. */
  #hold(change: 1 | -1): void {
    this.#running += change;
    for (const [, { socket }] of this.producer.connections)
      if (this.#running > 0) socket.ref();
      else socket.unref();
  }
}
