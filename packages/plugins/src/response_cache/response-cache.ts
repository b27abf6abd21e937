import type {
  ChainPlace,
  Clock,
  ErrorExchange,
  Exchange,
  HeaderEdit,
  PluginHooks,
  PluginLog,
  PluginResponse,
  RequestEdits,
  ResponseEdits,
  ResponseExchange,
} from '@portcullis/plugin-runtime';
import type { AnswerStore } from './answer-store.ts';
import { Answers } from './answers.ts';
import { fitsRequest, isBypassing, keptHeaders, readAsked, type AskedRequest } from './asked-request.ts';
import type { CachedAnswer } from './cached-answer.ts';
import { conditionsOf } from './conditions.ts';
import { Fetching } from './fetching.ts';
import type { Flights } from './flights.ts';
import { invalidateAfter } from './invalidation.ts';
import { judgeReuse, mayServeOnError, mayServeWhileRevalidating } from './reuse.ts';
import type { CacheSettings } from './settings.ts';
import { keepAnswer, keepConfirmed } from './keeping.ts';

/** What instances of a namespace share. */
export interface CacheSpace {
  readonly store: AnswerStore;
  readonly flights: Flights;
}

/** A request that neither uses nor fills the store: it is not kept, or its method changes things. */
type Passing = 'bypass' | 'miss' | 'unsafe';

/** The hooks of one instance. */
export class ResponseCache implements Pick<PluginHooks, 'request' | 'response' | 'error'> {
  readonly #settings: CacheSettings;
  readonly #space: CacheSpace;
  readonly #clock: Clock;
  readonly #stateKey: string;
  readonly #answers: Answers;
  readonly #log: PluginLog;
  #hasWarned = false;

  /** @param stateKey under which it leaves word for its later stages */
  constructor(settings: CacheSettings, space: CacheSpace, clock: Clock, log: PluginLog, stateKey: string) {
    this.#settings = settings;
    this.#space = space;
    this.#clock = clock;
    this.#log = log;
    this.#stateKey = stateKey;
    this.#answers = new Answers(settings);
  }

  request(
    exchange: Exchange,
    place: ChainPlace,
  ): RequestEdits | PluginResponse | undefined | Promise<RequestEdits | PluginResponse | undefined> {
    const { method } = exchange.request;
    if (!this.#settings.methods.has(method)) return this.#pass(exchange, SAFE.has(method) ? 'bypass' : 'unsafe');
    if (isBypassing(exchange)) return this.#pass(exchange, 'bypass');
    if (place.laterGuards.length > 0) return this.#passGuarded(exchange, place);
    const asked = readAsked(exchange, place, this.#settings);
    const found = this.#fromStore(exchange, asked);
    return found ?? this.#fetchOrWait(exchange, asked);
  }

  response(
    exchange: ResponseExchange,
  ): ResponseEdits | PluginResponse | undefined | Promise<ResponseEdits | PluginResponse> {
    const left = this.#leftBy(exchange);
    if (left === undefined) return undefined;
    if (!(left instanceof Fetching)) {
      if (left === 'unsafe') invalidateAfter(exchange, this.#space.store, this.#settings.includeQuery);
      return left === 'miss' ? this.#answers.miss : this.#answers.bypass;
    }
    if (exchange.response.source !== 'upstream') {
      left.end();
      return this.#answers.miss;
    }
    const { status } = exchange.response;
    if (status === 304 && left.validates !== undefined) return this.#confirmed(exchange, left, left.validates);
    return (status >= 500 ? this.#staleInstead(left) : undefined) ?? this.#keep(exchange, left);
  }

  error(exchange: ErrorExchange): PluginResponse | undefined {
    const left = this.#leftBy(exchange);
    if (!(left instanceof Fetching) || !exchange.failure.code.startsWith('upstream_')) return undefined;
    return this.#staleInstead(left);
  }

  #leftBy({ state }: Exchange): Passing | Fetching | undefined {
    // Only this instance writes under its key.
    return state.get(this.#stateKey) as Passing | Fetching | undefined;
  }

  #pass(exchange: Exchange, how: Passing): undefined {
    exchange.state.set(this.#stateKey, how);
  }

  /** Whether the client may ask at all is decided behind the cache: it must not answer, and does not know for whom it would store. */
  #passGuarded(exchange: Exchange, { laterGuards }: ChainPlace): undefined {
    if (!this.#hasWarned) {
      this.#hasWarned = true;
      this.#log.warn('the cache does nothing here: plugins that decide who may ask run after it', {
        later_plugins: laterGuards.join(', '),
        route: exchange.facts.route?.name ?? '',
      });
    }
    return this.#pass(exchange, 'bypass');
  }

  /** The stored answer that the request may get without asking the service. */
  #fromStore(exchange: Exchange, asked: AskedRequest): PluginResponse | undefined {
    const answer = this.#stored(exchange, asked);
    if (answer === undefined) return undefined;
    const nowMs = this.#clock.monotonicMs();
    const reuse = judgeReuse(answer, asked.directives, nowMs);
    const isAnother = reuse === 'validate' && this.#space.flights.has(kindOf(asked));
    if (isAnother && mayServeWhileRevalidating(answer, asked.directives, nowMs)) {
      return this.#answers.fromStore(answer, 'STALE', conditionsOf(exchange.request.headers), nowMs);
    }
    if (reuse === 'validate') return undefined;
    const status = reuse === 'fresh' ? 'HIT' : 'STALE';
    return this.#answers.fromStore(answer, status, conditionsOf(exchange.request.headers), nowMs);
  }

  #stored(exchange: Exchange, asked: AskedRequest): CachedAnswer | undefined {
    for (const answer of this.#space.store.answersOf(asked.key)) {
      if (fitsRequest(answer, asked, exchange)) return answer;
    }
    return undefined;
  }

  #fetchOrWait(
    exchange: Exchange,
    asked: AskedRequest,
  ): RequestEdits | PluginResponse | undefined | Promise<RequestEdits | PluginResponse | undefined> {
    const { directives } = asked;
    if (directives.onlyIfCached) return this.#answers.notCached(exchange);
    if (directives.noStore) return this.#pass(exchange, 'bypass');
    // Its answer has no body to store.
    if (asked.isHead) return this.#pass(exchange, 'miss');
    const { flights, store } = this.#space;
    const isShared = !directives.noCache && !store.isPassing(kindOf(asked), this.#clock.monotonicMs());
    const waiting = isShared ? flights.wait(kindOf(asked)) : undefined;
    if (waiting === undefined) return this.#fetch(exchange, asked, isShared);
    // Who has waited once asks the service itself: an answer that cannot be stored must not make a queue.
    return waiting.then(() => this.#fromStore(exchange, asked) ?? this.#fetch(exchange, asked, isShared));
  }

  /** @param isShared whether the answer is likely to be stored */
  #fetch(exchange: Exchange, asked: AskedRequest, isShared: boolean): RequestEdits | undefined {
    const { flights, store } = this.#space;
    const { headers, destination } = exchange.request;
    const answer = this.#stored(exchange, asked);
    const conditions = conditionsOf(headers);
    const edits: HeaderEdit[] = [];
    const validates = answer?.etag === undefined && answer?.lastModified === undefined ? undefined : answer;
    if (validates !== undefined || (isShared && conditions !== undefined)) edits.push(...withoutConditions);
    if (validates?.etag !== undefined) edits.push({ op: 'set', name: 'If-None-Match', value: validates.etag });
    if (validates?.lastModified !== undefined) {
      edits.push({ op: 'set', name: 'If-Modified-Since', value: validates.lastModified });
    }
    const fetching = new Fetching({
      asked,
      destination: destination?.origin,
      headers: keptHeaders(headers),
      conditions: edits.length === 0 ? undefined : conditions,
      stored: answer,
      validates,
      since: store.moment,
      requestedMs: this.#clock.monotonicMs(),
      flight: flights.begin(kindOf(asked)),
    });
    exchange.state.set(this.#stateKey, fetching);
    exchange.onEnd(() => fetching.end());
    return edits.length === 0 ? undefined : { headers: edits };
  }

  /** The service says that the stored answer still holds. */
  async #confirmed(exchange: ResponseExchange, fetching: Fetching, stored: CachedAnswer): Promise<PluginResponse> {
    // Nothing comes, but the host knows then that the service has said all, and keeps the connection.
    await exchange.response.readBody(0);
    const { store } = this.#space;
    const answer = keepConfirmed(exchange, fetching, stored, { store, settings: this.#settings, clock: this.#clock });
    const nowMs = this.#clock.monotonicMs();
    this.#note(fetching, answer, nowMs);
    return this.#answers.fromStore(answer, 'REVALIDATED', fetching.conditions, nowMs);
  }

  #staleInstead({ asked, stored, conditions }: Fetching): PluginResponse | undefined {
    const nowMs = this.#clock.monotonicMs();
    if (stored === undefined || !mayServeOnError(stored, asked.directives, nowMs)) return undefined;
    return this.#answers.fromStore(stored, 'STALE', conditions, nowMs);
  }

  #keep(
    exchange: ResponseExchange,
    fetching: Fetching,
  ): ResponseEdits | PluginResponse | Promise<ResponseEdits | PluginResponse> {
    const { store } = this.#space;
    const keeping = keepAnswer(exchange, fetching, { store, settings: this.#settings, clock: this.#clock });
    if (keeping !== undefined) return keeping.then((answer) => this.#kept(fetching, answer));
    // A 304 answers the client's own condition and says nothing of what a whole answer would be.
    if (exchange.response.status !== 304) this.#note(fetching, undefined, this.#clock.monotonicMs());
    fetching.end();
    return this.#answers.miss;
  }

  #kept(fetching: Fetching, answer: CachedAnswer | undefined): ResponseEdits | PluginResponse {
    const nowMs = this.#clock.monotonicMs();
    this.#note(fetching, answer, nowMs);
    if (answer === undefined) return this.#answers.miss;
    const known =
      fetching.conditions === undefined
        ? undefined
        : this.#answers.fromStore(answer, 'MISS', fetching.conditions, nowMs);
    return known?.status === 304 ? known : this.#answers.stored;
  }

  /** Tells those who ask for the same whether waiting is worth it, and lets them go on. */
  #note(fetching: Fetching, answer: CachedAnswer | undefined, nowMs: number): void {
    const isUsable =
      answer !== undefined && judgeReuse(answer, { ...fetching.asked.directives, ...ANY }, nowMs) === 'fresh';
    this.#space.store.notePassing(kindOf(fetching.asked), !isUsable, nowMs);
    fetching.end();
  }
}

/** What one client asks for in its Cache-Control says nothing of the others. */
const ANY = { noCache: false, maxAge: undefined, minFresh: undefined, maxStale: undefined } as const;

/** Methods that change nothing. Source: RFC 9110, section 9.2.1. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

const withoutConditions: readonly HeaderEdit[] = [
  { op: 'remove', name: 'If-None-Match' },
  { op: 'remove', name: 'If-Modified-Since' },
];

/** Requests of one kind are likely to get one answer. */
function kindOf({ key, origin, hasIdentity, hasCookie }: AskedRequest): string {
  return `${hasIdentity ? 'i' : ''}${hasCookie ? 'c' : ''}\n${origin}\n${key}`;
}
