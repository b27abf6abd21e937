import { errorBody } from '../errors/error-bodies.ts';
import { type RouterError, statusOf } from '../errors/router-error.ts';
import type { JsonObject } from '../json.ts';
import { estimateTokens, type TokenEstimate } from '../policy/estimate-tokens.ts';
import type { Admission, Admitted, RateLimitFacts } from '../policy/limits.ts';
import type { AiPolicy } from '../policy/policy.ts';
import { isAllowed, mayName, policySubject } from '../policy/select-policy.ts';
import { routingPrompt } from '../routing/routing-prompt.ts';
import type { Target } from '../routing/route.ts';
import { answerHeaders, retryAfterSeconds } from './answer-headers.ts';
import { boundedAttempts, ATTEMPTS_RECORD_LENGTH_MAX, AttemptLog } from './attempt-log.ts';
import { judgedRequest } from './judge-request.ts';
import { isRefusal, readRequest, type ReadRequest } from './read-request.ts';
import { RequestCache } from './request-cache.ts';
import { recordOf } from './request-record.ts';
import { forbiddenModel, noLimits, overBudget, overRate, unknownModel } from './request-refusals.ts';
import { type ModelPlan, otherNames, planOf, type RouterConfig } from './router-config.ts';
import type { AiRequestOutcome, RouterAnswer, RouterRequest } from './router-request.ts';
import { TargetAttempts } from './target-attempts.ts';
import type { Charge } from './usage-charge.ts';

/** The status of an answer that nobody waits for. */
export const CLIENT_CLOSED_STATUS = 499;

/** How a request that was admitted ended. */
export interface RunEnd {
  readonly outcome: AiRequestOutcome;
  readonly errorClass?: string | undefined;
  readonly charge?: Charge | undefined;
  readonly responseModel?: string | undefined;
  readonly unreadableEvents?: number;
  readonly response?: string | undefined;
}

/** What a request is sent with. */
export interface RunInput extends ReadRequest {
  readonly estimate: TokenEstimate;
}

/** One request from its body to its record: checks and policy first, then attempts. Source: ai, Endpoints, order. */
export class RequestRun {
  readonly config: RouterConfig;
  readonly request: RouterRequest;
  readonly attempts: AttemptLog = new AttemptLog();
  readonly signal: AbortSignal;
  readonly cache: RequestCache = new RequestCache(this);
  readonly #startedMs: number;
  #settleAnswer: ((answer: RouterAnswer) => void) | undefined;
  #rejectAnswer: ((error: unknown) => void) | undefined;
  #read: ReadRequest | undefined;
  #modelRoute: string | undefined;
  #policy: AiPolicy | undefined;
  #admitted: Admitted | undefined;
  #limits: RateLimitFacts | undefined;
  #targets: TargetAttempts | undefined;
  #isJudged = false;
  #isOver = false;
  #answeredMs: number | undefined;
  /** Time of attempts until the answer began. */
  providerMs = 0;

  constructor(config: RouterConfig, request: RouterRequest, signal: AbortSignal) {
    this.config = config;
    this.request = request;
    this.signal = signal;
    this.#startedMs = config.options.clock.monotonicMs();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Milliseconds that are left for its answer. */
  remainingMs(): number {
    return this.config.answerDeadlineMs - (this.#nowMs() - this.#startedMs);
  }

  start(): Promise<RouterAnswer> {
    return new Promise((resolve, reject) => {
      this.#settleAnswer = resolve;
      this.#rejectAnswer = reject;
      if (this.signal.aborted) return this.#leave();
      this.signal.addEventListener('abort', this.#leave, { once: true });
      try {
        this.#begin();
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  /** Answers; what follows is only the rest of a stream. */
  answer(answer: RouterAnswer): void {
    this.signal.removeEventListener('abort', this.#leave);
    this.#settleAnswer?.(answer);
  }

  /** Headers of the answer as things stand. */
  headers(isStream: boolean): string[] {
    const nowMs = this.#nowMs();
    this.#answeredMs ??= nowMs;
    return answerHeaders({
      contentType: isStream ? 'text/event-stream; charset=utf-8' : 'application/json',
      attempts: this.attempts,
      cache: this.cache.state,
      hit: this.cache.hit,
      limits: this.#limits,
      gatewayMs: Math.max(0, nowMs - this.#startedMs - this.providerMs),
      providerMs: this.providerMs,
    });
  }

  /** The error of the router's own that the client gets. */
  refuse(error: RouterError, outcome: AiRequestOutcome, charge?: Charge): void {
    const headers = this.headers(false);
    if (error.retryAfterMs !== undefined) headers.push('retry-after', retryAfterSeconds(error.retryAfterMs));
    const body: JsonObject = errorBody(this.request.operation, error);
    const inner = body['error'] as JsonObject;
    inner['request_id'] = this.request.requestId;
    if (error.code === 'ai_targets_exhausted') body['attempts'] = this.toldAttempts();
    body['gateway_ai'] = this.told();
    this.end({ outcome, errorClass: error.code, charge });
    this.answer({ status: statusOf(error), headers, body: JSON.stringify(body), source: 'router' });
  }

  /** What bodies tell of the way a request took. Source: ai, Attempt list and headers. */
  told(): JsonObject {
    const { provider = null, model = null } = this.cache.hit ?? this.attempts.decisive ?? {};
    return {
      attempts: this.toldAttempts(),
      provider,
      model,
      cache: this.cache.state,
      request_id: this.request.requestId,
    };
  }

  toldAttempts(): readonly object[] {
    return boundedAttempts(this.attempts.all(), ATTEMPTS_RECORD_LENGTH_MAX);
  }

  /** It is over: charges it and hands its record on. The first end counts. */
  end(end: RunEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.cache.leave();
    const { charge } = end;
    if (charge === undefined) this.#admitted?.release();
    else this.#admitted?.settle(charge.inputTokens + charge.outputTokens);
    const { onRecord } = this.request;
    if (onRecord === undefined) return;
    const answeredMs = this.#answeredMs ?? this.#nowMs();
    const { decisive: last } = this.attempts;
    onRecord(
      recordOf({
        request: this.request,
        stream: this.#read?.stream ?? false,
        model: this.#read?.model,
        modelRoute: this.#modelRoute,
        policy: this.#policy?.name,
        outcome: end.outcome,
        errorClass: end.errorClass,
        attempts: this.attempts,
        responseModel: end.responseModel,
        charge,
        cache: this.cache.state,
        hit: this.cache.hit,
        pricing: last === undefined ? undefined : this.config.slots.get(last.provider)?.provider.pricing,
        gatewayMs: Math.max(0, answeredMs - this.#startedMs - this.providerMs),
        providerMs: this.providerMs,
        unreadableEvents: end.unreadableEvents ?? 0,
        prompt: this.#keptPrompt(),
        response: end.response,
      }),
    );
  }

  #keptPrompt(): string | undefined {
    const { keptLength, operation } = this.request;
    // What no guard let pass may hold what must not be kept.
    if (keptLength === undefined || this.#read === undefined || !this.#isJudged) return undefined;
    return routingPrompt(operation, this.#read.body).slice(0, keptLength);
  }

  #begin(): void {
    const { options } = this.config;
    const { operation, body, consumer } = this.request;
    const read = readRequest(operation, body);
    if (isRefusal(read)) return this.refuse(read, 'refused');
    this.#read = read;
    if (read.stream) this.cache.bypass();
    const plan = planOf(this.config, read.model);
    if (plan === undefined) return this.refuse(unknownModel, 'refused');
    this.#modelRoute = plan.route?.model;
    const policy = this.config.policies.select(consumer);
    this.#policy = policy;
    const names = otherNames(this.config, plan);
    if (policy !== undefined && !(isAllowed(policy, read.model, names) && mayName(policy, read.body))) {
      return this.refuse(forbiddenModel, 'refused');
    }
    const guarded = judgedRequest(this.config.options.guards, read);
    if (isRefusal(guarded)) return this.refuse(guarded, 'refused');
    this.#isJudged = true;
    const input: RunInput = { ...guarded, estimate: estimateTokens(operation, guarded.body) };
    if (policy === undefined) return this.#answered(plan, input);
    const admission = options.limits.admit({
      tenantId: options.tenantId,
      policy,
      subject: policySubject(policy, consumer),
      model: read.model,
      estimate: input.estimate.total,
    });
    if (!(admission instanceof Promise)) return this.#decided(admission, plan, input);
    admission
      .then(
        (decided) => this.#decided(decided, plan, input),
        () => this.#isOver || this.refuse(noLimits, 'refused'),
      )
      .catch(this.#fail);
  }

  #decided(admission: Admission, plan: ModelPlan, input: RunInput): void {
    if (this.#isOver) {
      if (admission.ok) admission.release();
      return;
    }
    this.#limits = admission.headers;
    if (admission.ok) {
      this.#admitted = admission;
      return this.#answered(plan, input);
    }
    const { reason, retryAfterMs } = admission;
    const error = reason === 'rate_limit' ? overRate : overBudget;
    this.refuse(retryAfterMs === undefined ? error : { ...error, retryAfterMs }, 'refused');
  }

  #answered(plan: ModelPlan, input: RunInput): void {
    this.cache.answerOr(plan, input, (sent) => this.#attempt(plan, sent));
  }

  #attempt({ route, passThrough }: ModelPlan, input: RunInput): void {
    const { operation } = this.request;
    const order = { stream: input.stream, promptText: () => routingPrompt(operation, input.body) };
    const targets: readonly Target[] =
      route === undefined
        ? [passThrough].filter((target) => target !== undefined)
        : this.config.options.ordering.order(route, order);
    this.#targets = new TargetAttempts(this, route, targets, input);
    this.#targets.next();
  }

  /** A mistake of the router's own: whoever asked hears of it, and nothing is held back for ever. */
  crash(error: unknown): void {
    this.#targets?.abandon();
    this.#fail(error);
  }

  readonly #fail = (error: unknown): void => {
    this.signal.removeEventListener('abort', this.#leave);
    this.#admitted?.release();
    this.cache.leave();
    this.#isOver = true;
    this.#rejectAnswer?.(error);
  };

  /** The client left. */
  readonly #leave = (): void => {
    if (this.#isOver) return;
    const charge = this.#targets?.abandon();
    this.end({ outcome: 'client_closed', errorClass: 'client_closed', charge });
    this.answer({ status: CLIENT_CLOSED_STATUS, headers: this.headers(false), body: '', source: 'router' });
  };

  #nowMs(): number {
    return this.config.options.clock.monotonicMs();
  }
}
