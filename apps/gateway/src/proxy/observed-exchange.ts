import type { Socket } from 'node:net';
import { endFailures, type ExchangeFailure, type ExchangeState } from '@portcullis/plugin-runtime';
import type { CompiledRoute } from '../configuration/generation.ts';
import type { StatusSource } from '../observations/route-metrics.ts';
import type { AbortCause, ServerCall } from '../transport/server-transport.ts';
import type { Tunnel } from '../transport/tunnel.ts';
import type { AnsweringExchange } from './answering-exchange.ts';
import { observeExchange, type OverExchange } from './observe-exchange.ts';
import type { ProxyPorts } from './proxy-ports.ts';
import type { RequestHead } from './request-head.ts';

/** Status that is recorded when the client left before there was an answer. It is never sent. */
const clientLeftStatus = 499;

/** Stream hooks did not let the answer through; where one said so itself, the exchange has its words. */
export const streamCut: ExchangeFailure = { code: 'plugin_cut', message: 'a plugin cut the answer' };

/** The two ends of a request, whatever lies between them: when it came, and that one answer ends it and is observed once. */
export abstract class ObservedExchange implements OverExchange {
  readonly ports: ProxyPorts;
  readonly call: ServerCall;
  /** On the monotonic clock. */
  readonly startedMs: number;
  readonly #occurredAtMs: number;
  /** Whether its raw record is kept, unless a plugin decides against it. */
  readonly isRecorded: boolean;
  #requestId: string | undefined;
  /** Body bytes that were sent to the client. */
  responseBytes = 0;
  #status = 0;
  #source: StatusSource = 'gateway';
  #over = false;
  /** Set when the connection speaks another protocol. */
  tunnel: Tunnel | undefined;
  /** Whether the connection ends with the answer. */
  protected closes = false;

  constructor(ports: ProxyPorts, call: ServerCall) {
    this.ports = ports;
    this.call = call;
    this.startedMs = ports.monotonicMs();
    this.#occurredAtMs = ports.nowMs();
    this.isRecorded = ports.observer.wantsRecord(this.startedMs);
  }

  abstract get route(): CompiledRoute | undefined;
  abstract get head(): RequestHead | undefined;
  abstract get state(): ExchangeState | undefined;
  abstract get matchedLength(): number;
  /** What stands behind the plugins, once it is asked. */
  protected abstract get answering(): Pick<AnsweringExchange, 'latencyUs' | 'headLatencyMs' | 'endSwitch'> | undefined;

  /** The request is over: what it held may go. */
  protected abstract release(): void;

  /** Names the request in records, problems and logs; made when somebody asks. */
  get requestId(): string {
    return (this.#requestId ??= this.ports.newId());
  }

  /** Whether the answer is out or the client is gone. */
  get over(): boolean {
    return this.#over;
  }

  /** Bytes that the client sent as the body of its request, and behind it once the connection speaks another protocol. */
  get requestBytes(): number {
    return this.call.bodyBytes + (this.tunnel?.upstreamBytes ?? 0);
  }

  /** The answer is the upstream's 101: the connection is whoever's takes it. @throws TypeError as `ServerCall.switchProtocols` */
  switchProtocols(headers: readonly string[]): Socket {
    if (this.call.switchProtocols === undefined) throw new TypeError('the connection cannot be given away');
    this.#status = 101;
    this.#source = 'upstream';
    return this.call.switchProtocols(headers);
  }

  /** A connection that was given away is gone. */
  leaveTunnel(failure: ExchangeFailure | undefined): void {
    if (this.#over) return;
    this.answering?.endSwitch();
    this.finish(failure);
  }

  /** The answer's head is about to be sent. */
  begin(status: number, source: StatusSource, headers: readonly string[]): void {
    this.#status = status;
    this.#source = source;
    this.call.begin(status, headers);
  }

  /**
   * The request is over: it is observed once, plugins that wait for its end are told, and its configuration is let go.
   * @param failure why the client was not sent the whole answer; `undefined` when it was
   */
  finish(failure?: ExchangeFailure): void {
    if (this.#over) return;
    this.#over = true;
    this.responseBytes += this.tunnel?.clientBytes ?? 0;
    const endedMs = this.ports.monotonicMs();
    observeExchange(this, {
      endedMs,
      startedMs: this.startedMs,
      occurredAtMs: this.#occurredAtMs,
      isRecorded: this.isRecorded,
      status: this.#status,
      statusSource: this.#source,
      upstreamLatencyUs: this.answering?.latencyUs,
      responseBytes: this.responseBytes,
      // What failed first is the cause of what followed.
      failure: failure && (this.state?.trouble ?? failure).code,
    });
    this.ports.admission.leave();
    this.#tellPlugins(failure, endedMs);
    this.release();
  }

  /** The connection is gone, before or in the middle of its answer. */
  protected leave(cause: AbortCause): void {
    if (this.#status === 0) this.#status = clientLeftStatus;
    this.finish(endFailures[cause]);
  }

  /** Sends a whole answer, which ends the request. */
  protected respond(
    status: number,
    source: StatusSource,
    headers: readonly string[],
    body: string | Uint8Array | undefined,
  ): void {
    if (this.#over) return;
    this.#status = status;
    this.#source = source;
    this.responseBytes += body === undefined ? 0 : Buffer.byteLength(body);
    this.call.respond(status, headers, body, this.closes);
    this.finish();
  }

  /** Cuts the answer before anything of it is out; it is observed with the status that it would have had. */
  protected cut(status: number, source: StatusSource, upstream: { abort(): void } | undefined): void {
    this.#status = status;
    this.#source = source;
    upstream?.abort();
    this.call.abort();
    this.finish(streamCut);
  }

  /** What a plugin's listener throws is logged, and changes nothing for anybody. */
  #tellPlugins(failure: ExchangeFailure | undefined, endedMs: number): void {
    const { state } = this;
    if (state === undefined) return;
    const status = this.call.begun ? this.#status : undefined;
    const end = failure === undefined ? { status, isComplete: true } : { status, isComplete: false, failure };
    if (!state.isEndAwaited) {
      state.end(end);
      return;
    }
    const figures = {
      latencyMs: endedMs - this.startedMs,
      upstreamLatencyMs: this.answering?.headLatencyMs,
      requestBytes: this.requestBytes,
      responseBytes: this.responseBytes,
    };
    state.end({ ...end, figures }, (error) => {
      const text = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
      this.ports.log.error('a plugin failed when its request was over', { request_id: this.requestId, error: text });
    });
  }
}
