import { encodeBody, NO_BYTES } from './body-bytes.ts';
import type { ApplyResult } from './chain-entry.ts';
import { checkedFields } from './checked-answer.ts';
import type { PluginResponse, RequestEdits } from './decision.ts';
import type { ExchangeState } from './exchange-state.ts';
import type { RunningInstance } from './running-instance.ts';
import { isFinalStatus, type ResponseParts } from './response-state.ts';

/**
 * Takes a response object of the host's world, such as the web's `Response`, into parts that the runtime knows.
 * `undefined` when the object is none of those.
 */
export type AdoptResponse = (value: object) => Omit<ResponseParts, 'source'> | undefined;

/** How results of request hooks are applied: edits change the request, a response ends it. */
export function requestResults(adopt: AdoptResponse | undefined): ApplyResult<ExchangeState, 'continue' | 'respond'> {
  return (exchange, result) => {
    if (isResponse(result)) return respond(exchange, result, adopt);
    exchange.applyRequestEdits(asEdits(result));
    return 'continue';
  };
}

/** As {@link requestResults}, of plugins whose responses are refusals by a limit. */
export function limitResults(results: ApplyResult<ExchangeState, 'continue' | 'respond'>): typeof results {
  return (exchange, result, argument) => {
    const end = results(exchange, result, argument);
    if (end === 'respond') exchange.noteLimited();
    return end;
  };
}

/** As these, and keeps who brought the responder of a request: whose failure its failures are. */
export function answererResults(
  results: ApplyResult<ExchangeState, 'continue' | 'respond'>,
  instance: RunningInstance,
): typeof results {
  return (exchange, result, argument) => {
    const end = results(exchange, result, argument);
    if (end === 'continue' && (result as RequestEdits).responder !== undefined) exchange.noteAnswerer(instance);
    return end;
  };
}

/** How results of response and error hooks are applied: edits change the response, a response takes its place. */
export function responseResults(adopt: AdoptResponse | undefined): ApplyResult<ExchangeState, 'continue' | 'respond'> {
  return (exchange, result) => {
    if (isResponse(result)) return respond(exchange, result, adopt);
    exchange.applyResponseEdits(asEdits(result));
    return 'continue';
  };
}

function respond(exchange: ExchangeState, result: PluginResponse, adopt: AdoptResponse | undefined): 'respond' {
  const parts = adopt?.(result) ?? partsOf(result);
  exchange.setResponse({ ...parts, source: 'plugin' });
  return 'respond';
}

/** @throws TypeError for a response that could not be sent */
function partsOf({ status, headers = [], body = '' }: PluginResponse): Omit<ResponseParts, 'source'> {
  if (!isFinalStatus(status)) throw new TypeError('the status of a response is a whole number from 200 to 599');
  const pairs = checkedFields(headers);
  // A body after the head of a 205 would be taken for the next response. Source: RFC 9110, 15.3.6; RFC 9112, 6.3.
  const bytes = status === 205 ? NO_BYTES : encodeBody(body);
  if (status !== 204 && status !== 304) pairs.push('content-length', String(bytes.length));
  return { status, headers: pairs, body: bytes };
}

function isResponse(result: unknown): result is PluginResponse {
  return typeof result === 'object' && result !== null && 'status' in result;
}

/** @throws TypeError for what is no object, an array for instance */
function asEdits(result: unknown): object {
  if (typeof result === 'object' && result !== null && !Array.isArray(result)) return result;
  throw new TypeError('a hook returns nothing, edits or a response');
}
