import { errorAsMessages, wrappedErrorBody } from '../errors/error-bodies.ts';
import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import type { AdapterCall, ReadAnswer } from '../providers/adapter.ts';
import type { Surface } from '../surfaces/surface.ts';
import { AnswerSample } from './answer-sample.ts';
import { answerTexts } from './answer-texts.ts';
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

  answer(live: LiveAttempt, answer: ReadAnswer, bytes: Uint8Array): void {
    const run = this.#run;
    const charge = chargeOf(answer.usage, this.#input.estimate.promptTokens, answer.textLength, true);
    const { guards } = run.config.options;
    const form = live.callForm.form;
    const verdict =
      guards === undefined || !this.isHeld ? 'pass' : judgeTexts(guards.response, answerTexts(form, answer.body));
    if (guards !== undefined && verdict === 'blocked') {
      return run.refuse({ code: 'content_blocked', message: guards.message, status: guards.status }, 'refused', charge);
    }
    const { surface } = live.callForm;
    const isOriginal = answer.isOriginal && verdict === 'pass' && surface === undefined;
    let body: string | Uint8Array = bytes;
    if (!isOriginal || run.request.isToldInBody === true) {
      const own = surface === undefined ? answer.body : surface.fromChat(answer.body, this.#input.body);
      body = JSON.stringify(run.request.isToldInBody === true ? { ...own, gateway_ai: run.told() } : own);
    }
    const headers = run.headers(false);
    const sample = this.#sampleOf(form);
    sample?.takeAnswer(answer.body);
    run.end({ outcome: 'success', charge, responseModel: answer.model, response: sample?.text });
    run.answer({ status: live.call.status ?? 200, headers, body, source: 'provider' });
  }

  /** A provider's error, passed on. Source: spec, Errors. */
  error(live: LiveAttempt | undefined, error: ProviderError): void {
    const run = this.#run;
    const headers = run.headers(false);
    if (error.retryAfter !== undefined) headers.push('retry-after', error.retryAfter);
    const body = this.#errorBody(live, error);
    run.end({ outcome: 'provider_error', errorClass: errorClassOf(error) });
    run.answer({ status: error.status, headers, body: JSON.stringify(body), source: 'provider' });
  }

  #errorBody(live: LiveAttempt | undefined, { status, body }: ProviderError): JsonObject {
    const { operation } = this.#run.request;
    if (body === undefined || live === undefined) return wrappedErrorBody(operation);
    let told: JsonObject;
    try {
      told = live.slot.adapter.readError?.(live.adapterCall, status, body) ?? body;
    } catch {
      return wrappedErrorBody(operation);
    }
    return live.callForm.surface !== undefined && operation === 'messages' ? errorAsMessages(told) : told;
  }

  /** Reads a stream of a provider for this client. */
  reading(slot: ProviderSlot, { form, surface }: CallForm, adapterCall: AdapterCall): StreamReading {
    this.#held = this.isHeld ? new HeldStream(form) : undefined;
    this.#output = this.#outputOf({ form, surface });
    const reader = slot.adapter.openStream(adapterCall);
    return new StreamReading(form, reader, this.#output, this.#held, this.#sampleOf(form));
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
      if (verdict === 'blocked') {
        const error = { code: 'content_blocked', message: guards.message, status: guards.status } as const;
        run.refuse(error, 'refused', this.#chargeOf(reading, true));
        return undefined;
      }
      if (verdict === 'masked') {
        output = this.#outputOf(live.callForm);
        held.writeTo(output);
      }
    }
    if (output === undefined) return undefined;
    const chargeIf = (isWhole: boolean): Charge => this.#chargeOf(reading, isWhole);
    const stream = new StreamAnswer({ run, live, reading, output, ttftMs, chargeIf });
    run.answer({ status: 200, headers: run.headers(true), body: stream.relay, source: 'provider' });
    return stream;
  }

  #chargeOf({ usage, textLength }: StreamReading, isWhole: boolean): Charge {
    return chargeOf(usage, this.#input.estimate.promptTokens, textLength, isWhole);
  }
}
