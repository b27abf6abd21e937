import type { Exchange, HeaderEdit, PluginResponse } from '@portcullis/plugin-runtime';
import { problemAnswer, type ProblemAnswer } from '../shared/problem.ts';
import { ageMsOf, type CachedAnswer } from './cached-answer.ts';
import { isNotModified, type Conditions } from './conditions.ts';
import type { CacheSettings } from './settings.ts';

/** What the cache header says. Source: wire contract, Value forms. */
export type CacheStatus = 'HIT' | 'MISS' | 'BYPASS' | 'REVALIDATED' | 'STALE';

/** Makes what clients get. */
export class Answers {
  readonly #settings: Pick<CacheSettings, 'cacheHeaderName' | 'cacheControl'>;
  readonly #notCached: ProblemAnswer;
  /** Edits of an answer of the service that is not stored. Constants: the runtime checks them once. */
  readonly miss: Said;
  readonly bypass: Said;
  /** Of one that is. */
  readonly stored: Said;

  constructor(settings: Pick<CacheSettings, 'cacheHeaderName' | 'cacheControl'>) {
    this.#settings = settings;
    const said = (status: CacheStatus): HeaderEdit =>
      Object.freeze({ op: 'set', name: settings.cacheHeaderName, value: status });
    const control: readonly HeaderEdit[] =
      settings.cacheControl === undefined
        ? []
        : [Object.freeze({ op: 'set', name: 'Cache-Control', value: settings.cacheControl })];
    this.miss = Object.freeze({ headers: Object.freeze([said('MISS')]) });
    this.bypass = Object.freeze({ headers: Object.freeze([said('BYPASS')]) });
    this.stored = Object.freeze({ headers: Object.freeze([said('MISS'), ...control]) });
    this.#notCached = problemAnswer(
      {
        status: 504,
        code: 'not_cached',
        title: 'Not in the cache',
        detail: 'the request is to be answered from the cache only, and the cache has no answer',
      },
      [settings.cacheHeaderName, 'MISS'],
    );
  }

  /** For `only-if-cached`. Source: RFC 9111, section 5.2.1.7. */
  notCached(exchange: Exchange): PluginResponse {
    return this.#notCached(exchange);
  }

  /**
   * A stored answer, or 304 when the client has it.
   * @param nowMs monotonic
   */
  fromStore(
    answer: CachedAnswer,
    status: CacheStatus,
    conditions: Conditions | undefined,
    nowMs: number,
  ): PluginResponse {
    const isKnown = isNotModified(answer, conditions);
    const headers = [...(isKnown ? answer.notModifiedHeaders : answer.headers)];
    const control = this.#settings.cacheControl ?? answer.cacheControl;
    if (control !== undefined) headers.push('Cache-Control', control);
    headers.push('Age', String(Math.floor(ageMsOf(answer, nowMs) / 1000)), this.#settings.cacheHeaderName, status);
    return isKnown ? { status: 304, headers } : { status: answer.status, headers, body: answer.body };
  }
}

interface Said {
  readonly headers: readonly HeaderEdit[];
}
