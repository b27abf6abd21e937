import type { CacheHit } from '../cache/answer-cache.ts';
import type { CacheFailure, CacheFinding, CacheVisit } from '../cache/cache-visit.ts';
import { isKeepable, KEPT_LENGTH_MAX } from '../cache/keepable-answer.ts';
import type { RouterError } from '../errors/router-error.ts';
import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import type { CacheState } from './answer-headers.ts';
import { AnswerSample } from './answer-sample.ts';
import { answerTexts, dropLogprobs } from './answer-texts.ts';
import { judgeTexts } from './judge-texts.ts';
import { planMark } from './plan-mark.ts';
import { jsonObjectOf } from './provider-answer.ts';
import type { RequestRun, RunInput } from './request-run.ts';
import type { ModelPlan } from './router-config.ts';

/** What is told of a hit. */
export interface ToldHit {
  readonly type: CacheHit['type'];
  readonly similarity: number | undefined;
  readonly ageMs: number;
  readonly provider: string;
  readonly model: string;
}

/** Looks for one request's answer in the cache, and keeps a new one. Source: spec, AI gateway, rules 5 and 6. */
export class RequestCache {
  readonly #run: RequestRun;
  #visit: CacheVisit | undefined;
  #state: CacheState | undefined;
  #hit: ToldHit | undefined;

  constructor(run: RequestRun) {
    this.#run = run;
  }

  /** What was refused before it was looked for has bypassed the cache. */
  get state(): CacheState {
    return this.#state ?? (this.#run.config.options.cache === undefined ? 'disabled' : 'bypass');
  }

  get hit(): ToldHit | undefined {
    return this.#hit;
  }

  /** Streams are never cached, whether there is a cache or not. */
  bypass(): void {
    this.#state = 'bypass';
  }

  /** Answers from the cache, or goes on. What goes on is what was looked for: in the client's bytes a name may stand twice. */
  answerOr(plan: ModelPlan, input: RunInput, goOn: (input: RunInput) => void): void {
    const run = this.#run;
    const { cache } = run.config.options;
    if (cache === undefined || input.stream) return goOn(input);
    const { operation, body: bytes, consumer, vendorHeaders, cacheControl } = run.request;
    this.#visit = cache.visit(
      {
        operation,
        body: input.body,
        bodyBytes: bytes.byteLength,
        consumerId: consumer?.id,
        vendorHeaders,
        plan: planMark(run.config, plan),
      },
      cacheControl,
    );
    this.#state = this.#visit?.mayRead === true ? 'miss' : 'bypass';
    if (this.#visit === undefined) return goOn(input);
    const own: RunInput = { ...input, bytes: undefined };
    const finding = this.#visit.find(run.signal);
    if (!(finding instanceof Promise)) return this.#found(finding, own, goOn);
    finding.then((found) => this.#found(found, own, goOn)).catch((error: unknown) => run.crash(error));
  }

  /**
   * Keeps an answer of a provider, where it is one to be kept.
   * @param body as it came, in the form of the call
   * @param told what the client gets
   */
  keep(form: AiOperation, body: JsonObject, told: string | Uint8Array): void {
    const visit = this.#visit;
    const { decisive: last } = this.#run.attempts;
    if (visit === undefined || last === undefined || !isKeepable(form, body)) return;
    if (told.length > KEPT_LENGTH_MAX) return;
    const text = typeof told === 'string' ? told : decoder.decode(told);
    visit.keep({ body: text, provider: last.provider, model: last.model });
  }

  /** The request is over. */
  leave(): void {
    this.#visit?.leave();
  }

  #found(finding: CacheFinding, input: RunInput, goOn: (input: RunInput) => void): void {
    const run = this.#run;
    if (run.isOver) return;
    if (finding.kind === 'failed') return run.refuse(failureOf(finding), 'refused');
    if (finding.kind === 'miss' || !this.#answer(finding)) goOn(input);
  }

  /** @returns whether it is an answer: what stands in a store may be damaged */
  #answer({ answer, type, similarity }: CacheHit): boolean {
    const run = this.#run;
    const { operation, isToldInBody, keptLength } = run.request;
    const { guards, clock } = run.config.options;
    const isJudged = guards !== undefined && guards.response.length > 0;
    let text = answer.body;
    const needsBody = isJudged || isToldInBody === true || keptLength !== undefined;
    const body = needsBody ? jsonObjectOf(new TextEncoder().encode(text)) : undefined;
    if (needsBody && body === undefined) return false;
    const { provider, model, storedAtMs } = answer;
    this.#state = 'hit';
    this.#hit = { type, similarity, provider, model, ageMs: Math.max(0, clock.nowMs() - storedAtMs) };
    if (isJudged && body !== undefined) {
      const verdict = judgeTexts(guards.response, answerTexts(operation, body));
      if (verdict === 'blocked' || verdict === 'too_long') {
        const { message, status } = guards;
        run.refuse({ code: 'content_blocked', message, status }, 'refused');
        return true;
      }
      if (verdict === 'masked') {
        dropLogprobs(body);
        text = JSON.stringify(body);
      }
    }
    if (isToldInBody === true && body !== undefined) text = JSON.stringify({ ...body, gateway_ai: run.told() });
    const sample = keptLength === undefined ? undefined : new AnswerSample(operation, keptLength);
    if (body !== undefined) sample?.takeAnswer(body);
    const headers = run.headers(false);
    run.end({ outcome: 'success', response: sample?.text });
    run.answer({ status: 200, headers, body: text, source: 'router' });
    return true;
  }
}

const decoder = new TextDecoder();

function failureOf({ part, status }: CacheFailure): RouterError {
  if (part === 'index') {
    return { code: 'cache_unavailable', message: 'The cache has no vector index, and may not search without one' };
  }
  return { code: 'embedding_failed', message: 'No vector of the prompt could be had', status };
}
