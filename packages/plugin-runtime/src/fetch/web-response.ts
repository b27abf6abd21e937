import type { Chain } from '../chain.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { isFinalStatus, type ResponseParts } from '../response-state.ts';
import { BodyKeeper } from './body-keeper.ts';
import { hookedBody } from './hooked-body.ts';
import { watchedBody } from './watched-body.ts';

/** {@link webResponseParts} of what a hook returned; `undefined` for objects that are no web response. */
export function adoptWebResponse(value: object): Omit<ResponseParts, 'source'> | undefined {
  return value instanceof Response ? webResponseParts(value) : undefined;
}

/**
 * A web response in the runtime's parts. Its body stays a stream.
 * @throws TypeError for one that cannot be sent: `Response.error()` for instance, or one whose body was read before
 */
export function webResponseParts(response: Response): Omit<ResponseParts, 'source'> {
  const { status, headers, body } = response;
  if (!isFinalStatus(status)) throw new TypeError('the status of a response is a whole number from 200 to 599');
  if (response.bodyUsed || body?.locked === true) throw new TypeError('the body of the response was read before');
  const kept = new BodyKeeper(body);
  return { status, headers: headerPairs(headers), readBody: kept.read, hostBody: kept };
}

/**
 * The web response that an exchange's response stands for, its body behind the stream hooks where there are any.
 * @param onEnd called when no hook will run any more: at the end of the body where hooks see it or a plugin waits for the end, else at
 * once. Told whether the body was read to its end, and how many
 * bytes of it were; `undefined` where they were not counted
 */
export function toWebResponse(chain: Chain, exchange: ExchangeState, onEnd: OnWebEnd): Response {
  const { response } = exchange;
  const { status } = response;
  const headers = new Headers();
  response.headers.forEach((name, value) => headers.append(name, value));
  const isBodiless = BODILESS.has(status);
  const isHead = exchange.request.method === 'HEAD';
  const kept = response.hostBody instanceof BodyKeeper ? response.hostBody.toBody() : null;
  const body = asBodyInit(response.body) ?? kept;
  // What stream hooks make of a body is as long as it is: to HEAD too nobody can say how long.
  if (chain.hasStreamHooks && !isBodiless) headers.delete('content-length');
  if (status === 205) headers.set('content-length', '0');
  if (isBodiless || isHead) {
    onEnd(true, 0);
    if (body instanceof ReadableStream) void body.cancel().catch(() => undefined);
    return new Response(null, { status, headers });
  }
  if (!chain.hasStreamHooks) {
    if (body instanceof ReadableStream && exchange.isEndAwaited)
      return new Response(watchedBody(exchange, body, onEnd), { status, headers });
    onEnd(true, body instanceof ReadableStream ? undefined : (body?.length ?? 0));
    return new Response(body, { status, headers });
  }
  return new Response(hookedBody(chain, exchange, body, onEnd), { status, headers });
}

/** @param bytes of the body that went out; `undefined` where nobody counted them */
export type OnWebEnd = (isComplete: boolean, bytes?: number) => void;

/** Name and value by turns; each `set-cookie` keeps its own line. */
function headerPairs(headers: Headers): string[] {
  const pairs: string[] = [];
  headers.forEach((value, name) => pairs.push(name, value));
  return pairs;
}

/** Bytes as the web takes them: its types ask for a buffer that is not shared. */
export function asBodyInit(body: Uint8Array | undefined): Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined) return undefined;
  return body.buffer instanceof ArrayBuffer ? (body as Uint8Array<ArrayBuffer>) : new Uint8Array(body);
}

/** Statuses whose answers have no body. Source: Fetch standard, null body status. */
export const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);
