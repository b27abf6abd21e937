import type { Exchange, ExchangeEnd, PluginHooks, PluginResponse, PluginServices } from '@portcullis/plugin-runtime';
import { problemAnswer } from '../problem.ts';
import { credentialHeadersOf } from '../records/credential-headers.ts';
import type { LogRecord } from '../records/log-record.ts';
import type { RecordSettings } from '../records/record-fields.ts';
import { recordOf } from '../records/record-of.ts';
import { safeJson } from '../records/safe-json.ts';
import { RecordSink, type SinkOptions } from './record-sink.ts';
import { isSampled } from './sampling-decision.ts';

/** What a package that emits records says of itself. */
export interface Emitter<Entry> extends SinkOptions<Entry> {
  readonly settings: RecordSettings;
  /** See the field `fail_on_error`. */
  readonly failsOnError: boolean;
  /**
   * The form in which a record is sent; `undefined` for one that is not. Runs once per request: be quick, and do not throw.
   * The record is the package's to change.
   */
  readonly encode: (record: LogRecord, exchange: Exchange) => Encoded<Entry> | undefined;
}

/** A record as it is sent. */
export interface Encoded<Entry> {
  readonly entry: Entry;
  /** What it takes of memory, more or less: bounds count it. */
  readonly bytes: number;
}

/** How far a request is for one instance: its end is waited for, its record was taken, or was not taken while the answer waited for that. */
const WATCHED = 1;
const DELIVERED = 2;
const REFUSED = 3;

const REFUSED_CODE = 'unavailable';

/** The answer of a request whose record was not taken. */
const refused = problemAnswer({
  status: 502,
  code: REFUSED_CODE,
  title: 'Bad gateway',
  detail: 'this request could not be logged, and requests that are not logged are not answered',
});

/**
 * The hooks of a package that emits one record per request. The record is made when the request is over, so that it tells how; with
 * `fail_on_error` it is made and sent before the answer leaves; a sink that does not take it is told in the background what was answered
 * instead. A request that `sampling` left out has none.
 * A record is emitted for each request that reaches one of the hooks: one that another plugin refuses before reaches the response hook.
 */
export function emitterHooks<Entry>(emitter: Emitter<Entry>, services: PluginServices): PluginHooks {
  const { settings, failsOnError, encode } = emitter;
  const { clock, instance } = services;
  const sink = new RecordSink(emitter, services);
  const credentials = credentialHeadersOf(services);
  const key = `${instance.name}:${instance.id}:record`;

  const emit = (exchange: Exchange, end: ExchangeEnd): void => {
    if (exchange.state.get(key) === DELIVERED || !isSampled(exchange)) return;
    const record = recordOf(exchange, end, settings, clock, credentials.space);
    if (exchange.state.get(key) === REFUSED) record.failure ??= { code: REFUSED_CODE, plugin: instance.name };
    const encoded = encode(record, exchange);
    if (encoded !== undefined) sink.push(encoded.entry, encoded.bytes);
  };
  const watch = (exchange: Exchange): void => {
    const { state } = exchange;
    if (state.has(key)) return;
    state.set(key, WATCHED);
    exchange.onEnd((end) => emit(exchange, end));
  };
  const deliver = async (exchange: Exchange): Promise<PluginResponse | undefined> => {
    const signal = exchange.signal();
    if (exchange.state.get(key) === DELIVERED || !isSampled(exchange)) return undefined;
    const encoded = encode(recordOf(exchange, undefined, settings, clock, credentials.space), exchange);
    // Whatever becomes of this hook, the end finds out whether the sink has a record.
    watch(exchange);
    if (encoded === undefined) return undefined;
    try {
      await sink.deliver(encoded.entry, signal);
      exchange.state.set(key, DELIVERED);
      return undefined;
    } catch {
      if (!signal.aborted) exchange.state.set(key, REFUSED);
      return refused(exchange);
    }
  };
  const dispose = (): Promise<void> => {
    credentials.release();
    return sink.dispose();
  };
  const atAnswer = failsOnError ? deliver : watch;
  return { request: watch, response: atAnswer, error: atAnswer, failsClosed: failsOnError, dispose };
}

/** A record that is JSON, as it is sent. */
export function jsonEntry(json: string): Encoded<string> {
  const bytes = Buffer.byteLength(json);
  const entry = safeJson(json, bytes);
  return { entry, bytes: entry === json ? bytes : Buffer.byteLength(entry) };
}

/** Bytes of a text as it is sent. */
export function textEntry(text: string): Encoded<string> {
  return { entry: text, bytes: Buffer.byteLength(text) };
}
