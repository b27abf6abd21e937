import type { SyncLimits } from '../driver.ts';
import { IntegrationError } from '../integration-error.ts';
import { answerFacts } from './answer-facts.ts';
import type { Ask, JsonAnswer, Question } from './ask.ts';
import { connectionFailure } from './connection-failure.ts';
import { readJson } from './read-json.ts';
import { statusFailure } from './status-failure.ts';
import type { SyncFetch, SyncResponse } from './sync-fetch.ts';
import type { SyncTime } from './sync-time.ts';

/** Values of an answer where a driver does not say: an answer of one page has some hundreds. */
export const VALUES_MAX_DEFAULT = 10_000;

/** All answers of a sync together are as large as so many of the largest. */
const LARGEST_ANSWERS = 2;

/** What calls share within one sync. */
export interface CallContext {
  readonly fetch: SyncFetch;
  readonly limits: SyncLimits;
  readonly time: SyncTime;
  readonly nowMs: () => number;
  /** A text that the system said, without secrets. */
  readonly clean: (text: string) => string;
}

/** Makes a sync's requests. */
export class SyncCalls {
  readonly #context: CallContext;
  #latest: string | undefined;
  /** Of all answers that may still come. */
  #bytesLeft: number;
  #valuesLeft: number;

  constructor(context: CallContext) {
    this.#context = context;
    const { responseBytesMax, valuesMax = VALUES_MAX_DEFAULT } = context.limits;
    this.#bytesLeft = responseBytesMax * LARGEST_ANSWERS;
    this.#valuesLeft = valuesMax * LARGEST_ANSWERS;
  }

  /** Which request was begun last. */
  get latest(): string | undefined {
    return this.#latest;
  }

  /** A bound property: drivers get it by itself. */
  readonly ask: Ask = async (question) => {
    const { time } = this.#context;
    time.signal.throwIfAborted();
    this.#latest = question.request;
    try {
      return await time.race(this.#askNow(question));
    } catch (error) {
      const { code, message, metadata } = time.signal.aborted
        ? (time.signal.reason as IntegrationError)
        : connectionFailure(error);
      throw new IntegrationError(code, message, { request: question.request, ...metadata });
    }
  };

  async #askNow({ url, headers }: Question): Promise<JsonAnswer> {
    const { fetch, limits, time, nowMs, clean } = this.#context;
    const { connectTimeoutMs } = limits;
    const bytesMax = Math.min(limits.responseBytesMax, this.#bytesLeft);
    const valuesMax = Math.min(limits.valuesMax ?? VALUES_MAX_DEFAULT, this.#valuesLeft);
    const response = await fetch(url, {
      method: 'GET',
      // Not compressed: what is counted is then what is sent, whatever the host's fetch decodes.
      headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers },
      redirect: 'manual',
      signal: time.signal,
      timeoutMs: time.leftMs,
      ...(connectTimeoutMs !== undefined && { connectTimeoutMs }),
      responseBytesMax: bytesMax,
    });
    try {
      // A host that passes over the signal may answer when nobody waits any more.
      time.signal.throwIfAborted();
      const failure = statusFailure(response.status);
      if (failure) throw new IntegrationError(...failure, answerFacts(response, nowMs(), clean));
      const { value, bytes, values } = await readJson(response, { bytesMax, valuesMax });
      this.#bytesLeft -= bytes;
      this.#valuesLeft -= values;
      return { status: response.status, value };
    } finally {
      discard(response);
    }
  }
}

/** What is left of a body is not waited for; of one that was read nothing is left. */
function discard({ body }: SyncResponse): void {
  if (body !== null && !body.locked) body.cancel().catch(() => undefined);
}
