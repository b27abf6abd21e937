import type { RouterError } from '../errors/router-error.ts';
import type { AdapterCall, Credential, PreparedRequest, ReadAnswer } from '../providers/adapter.ts';
import { UnsupportedRequestError } from '../providers/errors.ts';
import { headersForVendor } from '../providers/request/vendor-headers.ts';
import type { ModelRoute, Target } from '../routing/route.ts';
import { ProviderAnswers, type ReadyAnswer } from './provider-answers.ts';
import type { AttemptEnd, OpenAttempt } from './attempt-log.ts';
import { malformed, noCredential, unfit } from './call-failures.ts';
import { type CallForm, callFormOf, withParams } from './call-form.ts';
import { errorClassOf, isRetryableStatus, type ProviderError } from './provider-answer.ts';
import { ProviderCall } from './provider-call.ts';
import type { CallBounds, ProviderCallListener } from './provider-call-listener.ts';
import type { ProviderSlot } from './provider-slot.ts';
import type { RequestRun, RunInput } from './request-run.ts';
import type { StreamAnswer } from './stream-answer.ts';
import type { StreamStep } from './stream-reading.ts';
import type { Charge } from './usage-charge.ts';

/** One target that is being tried. */
export interface LiveAttempt {
  readonly target: Target;
  readonly slot: ProviderSlot;
  readonly open: OpenAttempt;
  readonly callForm: CallForm;
  readonly adapterCall: AdapterCall;
  readonly call: ProviderCall;
  /** Whether it has less time than it is configured to have, because the request has no more left. */
  readonly isCut: boolean;
}

/**
 * Tries the targets of one request one after another, each once, until one answers or the request's time is over. Source: spec, AI gateway,
 * rule 4; ai, Exhaustion.
 */
export class TargetAttempts implements ProviderCallListener {
  readonly #run: RequestRun;
  readonly #route: ModelRoute | undefined;
  readonly #targets: readonly Target[];
  readonly #input: RunInput;
  readonly #answers: ProviderAnswers;
  #at = 0;
  #open: OpenAttempt | undefined;
  #live: LiveAttempt | undefined;
  #stream: StreamAnswer | undefined;
  /** The last attempt's, when it was a provider's answer: with it the request ends when no target is left. */
  #lastError: { readonly live: LiveAttempt | undefined; readonly error: ProviderError } | undefined;
  #unsupported: string | undefined;
  #isAbandoned = false;

  constructor(run: RequestRun, route: ModelRoute | undefined, targets: readonly Target[], input: RunInput) {
    this.#run = run;
    this.#route = route;
    this.#targets = targets;
    this.#input = input;
    this.#answers = new ProviderAnswers(run, input);
  }

  /** Goes on with the next target that can be tried, or ends the request. */
  next(): void {
    const { slots } = this.#run.config;
    while (!this.#isAbandoned) {
      const target = this.#targets[this.#at];
      if (target === undefined || this.#run.remainingMs() <= 0) return this.#exhausted();
      this.#at += 1;
      const slot = slots.get(target.provider);
      // Targets without a provider that takes their model are off already.
      if (slot === undefined) continue;
      if (this.#begin(target, slot)) return;
    }
  }

  /** The client left. @returns what the provider will count all the same, where one had the request */
  abandon(): Charge | undefined {
    this.#isAbandoned = true;
    const live = this.#open === undefined ? undefined : this.#live;
    const charge = live && this.#answers.chargeSoFar(live.call.reading);
    this.#live?.call.abort();
    if (this.#open !== undefined) this.#log({ outcome: 'client_closed', errorClass: 'client_closed' });
    return charge;
  }

  onAnswer(answer: ReadAnswer, bytes: Uint8Array): void {
    const live = this.#live;
    if (live === undefined) return;
    const { status } = live.call;
    let ready: ReadyAnswer;
    try {
      ready = this.#answers.ready(live, answer, bytes);
    } catch {
      // An answer that cannot be told in the client's form is none.
      return this.onCallFailure(malformed(status));
    }
    this.#noteLatency({ outcome: 'success' }, live);
    this.#log({ outcome: 'success', status });
    this.#answers.answer(live, answer, ready);
  }

  onProviderError(error: ProviderError): void {
    const isRetryable = isRetryableStatus(error.status);
    this.#log({ outcome: 'provider_error', status: error.status, errorClass: errorClassOf(error), isRetryable });
    if (!isRetryable) return this.#answers.error(this.#live, error);
    this.#lastError = { live: this.#live, error };
    this.next();
  }

  onCallFailure(end: AttemptEnd): void {
    const live = this.#live;
    // A time-out that came sooner than the target's own says nothing of the target.
    if (live !== undefined && end.outcome === 'timeout' && !live.isCut) this.#noteLatency(end, live);
    this.#log(end);
    this.#lastError = undefined;
    this.next();
  }

  onStreamPiece(step: StreamStep): boolean {
    const live = this.#live;
    const stream = (this.#stream ??= live && this.#beginStream(live));
    return stream?.piece(step) ?? true;
  }

  onStreamBroken(errorClass: string): void {
    this.#stream?.broken(errorClass);
  }

  onCrash(error: unknown): void {
    if (this.#stream === undefined) this.#run.crash(error);
    else this.#stream.broken('gateway_error');
  }

  /** @returns whether to wait for it; else the next target is to be tried */
  #begin(target: Target, slot: ProviderSlot): boolean {
    const { clock } = this.#run.config.options;
    this.#live = undefined;
    this.#open = {
      provider: target.provider,
      model: target.model,
      startedAtMs: clock.nowMs(),
      begunMs: clock.monotonicMs(),
    };
    let callForm: CallForm;
    let credential: Credential | Promise<Credential>;
    try {
      callForm = callFormOf(this.#run.request.operation, slot.adapter);
      credential = slot.credential();
    } catch (error) {
      return this.#unfit(error, noCredential);
    }
    if (credential instanceof Promise) {
      this.#later(credential, (known) => this.#prepare(target, slot, callForm, known), noCredential);
      return true;
    }
    try {
      return this.#prepare(target, slot, callForm, credential);
    } catch (error) {
      return this.#unfit(error, unfit);
    }
  }

  #prepare(target: Target, slot: ProviderSlot, callForm: CallForm, credential: Credential): boolean {
    const { provider, adapter } = slot;
    const input = this.#input;
    const given = callForm.surface === undefined ? input.body : this.#answers.converted(callForm.surface);
    const hasParams = Object.keys(target.params).length > 0;
    const isAsGiven = callForm.surface === undefined && !hasParams && input.bytes !== undefined;
    const { operation, vendorHeaders: clientHeaders = [] } = this.#run.request;
    const isOwnForm = callForm.surface === undefined && clientHeaders.length > 0;
    const vendorHeaders = isOwnForm ? headersForVendor(provider.type, operation, clientHeaders) : [];
    const adapterCall: AdapterCall = {
      operation: callForm.form,
      body: hasParams ? withParams(given, target.params) : given,
      ...(isAsGiven && { bytes: input.bytes }),
      model: provider.modelMap.get(target.model) ?? target.model,
      stream: input.stream,
      wantsStreamUsage: input.stream && !input.asksForUsage && provider.supports.streamUsage,
      provider,
      credential,
      ...(vendorHeaders.length > 0 && { vendorHeaders }),
      nowMs: this.#run.config.options.clock.nowMs(),
    };
    const prepared = adapter.prepare(adapterCall);
    if (!(prepared instanceof Promise)) return this.#send(target, slot, callForm, adapterCall, prepared);
    this.#later(prepared, (ready) => this.#send(target, slot, callForm, adapterCall, ready), unfit);
    return true;
  }

  #send(
    target: Target,
    slot: ProviderSlot,
    callForm: CallForm,
    adapterCall: AdapterCall,
    prepared: PreparedRequest,
  ): boolean {
    const open = this.#open;
    if (open === undefined) return false;
    const { transport, timers } = this.#run.config.options;
    const bounds = this.#boundsOf(target, slot);
    const stream = this.#input.stream ? () => this.#answers.reading(slot, callForm, adapterCall) : undefined;
    const call = new ProviderCall(slot.adapter, adapterCall, bounds, this, stream);
    this.#live = { target, slot, open, callForm, adapterCall, call, isCut: bounds.isCut };
    try {
      call.begin(prepared, transport, timers);
    } catch {
      call.abort();
      return this.#skipped({ outcome: 'transport_error', errorClass: 'unreachable', isRetryable: true });
    }
    return true;
  }

  #boundsOf({ timeoutMs }: Target, { provider }: ProviderSlot): CallBounds & { readonly isCut: boolean } {
    const wholeMs = timeoutMs ?? provider.timeoutMs;
    const isOpening = this.#input.stream && !this.#answers.isHeld;
    const answerMs = isOpening ? Math.min(provider.firstByteTimeoutMs, wholeMs) : wholeMs;
    const remainingMs = this.#run.remainingMs();
    return {
      isCut: remainingMs < answerMs,
      connectMs: provider.connectTimeoutMs,
      answerMs: Math.max(1, Math.ceil(Math.min(answerMs, remainingMs))),
      idleMs: this.#input.stream ? provider.streamIdleTimeoutMs : wholeMs,
      responseBytesMax: provider.responseBytesMax,
    };
  }

  /** Goes on when something is there that is not yet; what failed is told by `failure`. */
  #later<Value>(promise: Promise<Value>, proceed: (value: Value) => boolean, failure: AttemptEnd): void {
    const going = promise.then(
      (value) => {
        if (this.#isAbandoned) return;
        let waits: boolean;
        try {
          waits = proceed(value);
        } catch (error) {
          waits = this.#unfit(error, unfit);
        }
        if (!waits) this.next();
      },
      (error: unknown) => {
        if (!this.#isAbandoned && !this.#unfit(error, failure)) this.next();
      },
    );
    going.catch((error: unknown) => this.#run.crash(error));
  }

  #unfit(error: unknown, failure: AttemptEnd): false {
    if (error instanceof UnsupportedRequestError) {
      this.#unsupported = error.message;
      return this.#skipped({ outcome: 'skipped', errorClass: 'unsupported_request', isRetryable: true });
    }
    return this.#skipped(failure);
  }

  #skipped(end: AttemptEnd): false {
    this.#log(end);
    // What was not tried leaves the last word to the target before it.
    if (end.outcome !== 'skipped') this.#lastError = undefined;
    return false;
  }

  #beginStream(live: LiveAttempt): StreamAnswer | undefined {
    const { reading } = live.call;
    if (reading === undefined) return undefined;
    const ttftMs = this.#elapsedMs(live.open);
    this.#noteLatency({ outcome: 'success' }, live);
    this.#log({ outcome: 'success', status: live.call.status, ttftMs });
    live.call.keepOpen();
    return this.#answers.stream(live, reading, ttftMs);
  }

  #noteLatency({ outcome }: AttemptEnd, { open, target }: LiveAttempt): void {
    if (this.#route === undefined) return;
    const latencyMs = this.#elapsedMs(open);
    const { ordering } = this.#run.config.options;
    ordering.noteLatency(this.#route, target, { stream: this.#input.stream, outcome, latencyMs });
  }

  #log(end: AttemptEnd): void {
    const open = this.#open;
    if (open === undefined) return;
    const nowMs = this.#run.config.options.clock.monotonicMs();
    this.#open = undefined;
    this.#run.providerMs += nowMs - open.begunMs;
    this.#run.attempts.add(open, end, nowMs);
  }

  #elapsedMs(open: OpenAttempt): number {
    return this.#run.config.options.clock.monotonicMs() - open.begunMs;
  }

  #exhausted(): void {
    const isUntried = this.#run.attempts.all().every(({ outcome }) => outcome === 'skipped');
    if (this.#lastError !== undefined) return this.#answers.error(this.#lastError.live, this.#lastError.error);
    if (isUntried && this.#unsupported !== undefined) {
      return this.#run.refuse({ code: 'invalid_request_error', message: this.#unsupported }, 'refused');
    }
    this.#run.refuse(exhausted, 'ai_targets_exhausted');
  }
}

const exhausted: RouterError = { code: 'ai_targets_exhausted', message: 'All AI targets failed' };
