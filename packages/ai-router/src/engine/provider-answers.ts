import { errorAsMessages, wrappedErrorBody } from '../errors/error-bodies.ts';
import { withoutSecrets } from '../errors/without-secrets.ts';
import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import type { AdapterCall, ReadAnswer } from '../providers/adapter.ts';
import type { Surface } from '../surfaces/surface.ts';
import { AnswerSample } from './answer-sample.ts';
import { answerTexts, dropLogprobs } from './answer-texts.ts';
import type { CallForm } from './call-form.ts';
import { HeldStream } from './held-stream.ts';
import { judgeTexts } from './judge-texts.ts';
import { errorClassOf, type ProviderError } from './provider-answer.ts';
import type { ProviderSlot } from './provider-slot.ts';
import type { RequestRun, RunInput } from './request-run.ts';
import { StreamAnswer } from './stream-answer.ts';
import { StreamOutput } from './stream-output.ts';
import { StreamReading } from './stream-reading.ts';
import type { LiveAttempt } from './target-attempts.ts';
import { type Charge, chargeOf } from './usage-charge.ts';

/** An answer in the client's form. */
export interface ReadyAnswer {
  /** Whether a guard blocks it. */
  readonly isBlocked: boolean;
  /** Whether a guard of this route changed it. Nobody else gets it then: the words are the guard's, and other routes and tenants have other guards. */
  readonly isMasked: boolean;
  readonly own: JsonObject;
  readonly body: string | Uint8Array;
}

/** Tells one request's client what a provider said, in the client's form. */
export class ProviderAnswers {
  readonly #run: RequestRun;
  readonly #input: RunInput;
  #converted: JsonObject | undefined;
  #held: HeldStream | undefined;
  #output: StreamOutput | undefined;

  constructor(run: RequestRun, input: RunInput) {
    this.#run = run;
    this.#input = input;
  }

  /** Whether answers are judged, and so held back whole. */
  get isHeld(): boolean {
    return (this.#run.config.options.guards?.response.length ?? 0) > 0;
  }

  /** The request as `chat`. @throws UnsupportedRequestError */
  converted(surface: Surface): JsonObject {
    return (this.#converted ??= surface.toChat(this.#input.body));
  }

  /**
   * A provider's answer as the client gets it. Nothing is decided yet.
   * @throws for what cannot be told in the client's form
   */
  ready(live: LiveAttempt, answer: ReadAnswer, bytes: Uint8Array): ReadyAnswer {
    const { guards } = this.#run.config.options;
    const { form, surface } = live.callForm;
    const verdict =
      guards === undefined || !this.isHeld ? 'pass' : judgeTexts(guards.response, answerTexts(form, answer.body));
    if (verdict === 'blocked' || verdict === 'too_long') {
      return { isBlocked: true, isMasked: false, own: answer.body, body: '' };
    }
    const isMasked = verdict === 'masked';
    if (isMasked) dropLogprobs(answer.body);
    const own = surface === undefined ? answer.body : surface.fromChat(answer.body, this.#input.body);
    // What was judged is written anew: in the provider's bytes a name may stand twice.
    const isOriginal = answer.isOriginal && !this.isHeld && surface === undefined;
    const goesAsIs = isOriginal && this.#run.request.isToldInBody !== true;
    return { isBlocked: false, isMasked, own, body: goesAsIs ? bytes : JSON.stringify(own) };
  }

  answer(live: LiveAttempt, answer: ReadAnswer, { isBlocked, isMasked, own, body }: ReadyAnswer): void {
    const run = this.#run;
    const charge = chargeOf(answer.usage, this.#input.estimate.promptTokens, answer.textLength, true);
    const { guards } = run.config.options;
    if (isBlocked && guards !== undefined) {
      return run.refuse({ code: 'content_blocked', message: guards.message, status: guards.status }, 'refused', charge);
    }
    const told = run.request.isToldInBody === true ? JSON.stringify({ ...own, gateway_ai: run.told() }) : body;
    const headers = run.headers(false);
    const sample = this.#sampleOf(live.callForm.form);
    sample?.takeAnswer(answer.body);
    if (!isMasked) run.cache.keep(live.callForm.form, answer.body, body);
    run.end({ outcome: 'success', charge, responseModel: answer.model, response: sample?.text });
    run.answer({ status: live.call.status ?? 200, headers, body: told, source: 'provider' });
  }

  /** A provider's error, passed on. Source: spec, Errors. */
  error(live: LiveAttempt | undefined, error: ProviderError): void {
    const run = this.#run;
    const headers = run.headers(false);
    if (error.retryAfter !== undefined) headers.push('retry-after', error.retryAfter);
    const body = this.#errorText(live, error);
    run.end({ outcome: 'provider_error', errorClass: errorClassOf(error) });
    run.answer({ status: error.status, headers, body, source: 'provider' });
  }

  #errorText(live: LiveAttempt | undefined, { status, body }: ProviderError): string {
    const { operation } = this.#run.request;
    if (body !== undefined && live !== undefined) {
      try {
        const told = live.slot.adapter.readError?.(live.adapterCall, status, body) ?? body;
        const isTurned = live.callForm.surface !== undefined && operation === 'messages';
        const text = JSON.stringify(isTurned ? errorAsMessages(told) : told);
        return withoutSecrets(text, live.slot.provider, live.adapterCall.credential);
      } catch {
        // What cannot be told, because it is nested too deeply for instance, is told as an error that is no JSON.
      }
    }
    return JSON.stringify(wrappedErrorBody(operation));
  }

  /** Reads a stream of a provider for this client. */
  reading(slot: ProviderSlot, { form, surface }: CallForm, adapterCall: AdapterCall): StreamReading {
    this.#held = this.isHeld ? new HeldStream(form) : undefined;
    this.#output = this.#outputOf({ form, surface });
    const reader = slot.adapter.openStream(adapterCall);
    const { n } = adapterCall.body;
    const answers = typeof n === 'number' ? n : 1;
    return new StreamReading(form, reader, this.#output, this.#held, this.#sampleOf(form), answers);
  }

  #sampleOf(form: AiOperation): AnswerSample | undefined {
    const { keptLength } = this.#run.request;
    return keptLength === undefined ? undefined : new AnswerSample(form, keptLength);
  }

  #outputOf({ form, surface }: CallForm): StreamOutput {
    return new StreamOutput(form, surface?.openStream(this.#input.body), this.#input.asksForUsage);
  }

  /** Begins the answer of a stream whose first event is there, or that is whole and judged now; `undefined` for one that is blocked. */
  stream(live: LiveAttempt, reading: StreamReading, ttftMs: number): StreamAnswer | undefined {
    const run = this.#run;
    const { guards } = run.config.options;
    const held = this.#held;
    let output = this.#output;
    if (held !== undefined && guards !== undefined) {
      const verdict = held.judge(guards.response);
      if (verdict === 'blocked' || verdict === 'too_long') {
        const error = { code: 'content_blocked', message: guards.message, status: guards.status } as const;
        run.refuse(error, 'refused', this.#chargeOf(reading, true));
        return undefined;
      }
      output = this.#outputOf(live.callForm);
      held.writeTo(output);
      if (reading.sample !== undefined) held.sampleTo(reading.sample);
    }
    if (output === undefined) return undefined;
    const chargeIf = (isWhole: boolean): Charge => this.#chargeOf(reading, isWhole);
    const stream = new StreamAnswer({ run, live, reading, output, ttftMs, chargeIf });
    run.answer({ status: 200, headers: run.headers(true), body: stream.relay, source: 'provider' });
    return stream;
  }

  /** What a request is charged whose client left: its prompt is with the provider, and what came of the answer was seen. */
  chargeSoFar(reading: StreamReading | undefined): Charge {
    return this.#chargeOf(reading ?? { usage: undefined, textLength: 0 }, false);
  }

  #chargeOf({ usage, textLength }: Pick<StreamReading, 'usage' | 'textLength'>, isWhole: boolean): Charge {
    return chargeOf(usage, this.#input.estimate.promptTokens, textLength, isWhole);
  }
}
