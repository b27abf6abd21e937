import { isFinalStatus, type ResponseParts, type ResponseState } from '../response-state.ts';
import { BodyKeeper } from './body-keeper.ts';

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

/** The web response that an exchange's response stands for. */
export function toWebResponse(response: ResponseState): Response {
  const headers = new Headers();
  response.headers.forEach((name, value) => headers.append(name, value));
  const isBodiless = BODILESS.has(response.status);
  const kept = response.hostBody instanceof BodyKeeper ? response.hostBody.toBody() : null;
  return new Response(isBodiless ? null : (asBodyInit(response.body) ?? kept), { status: response.status, headers });
}

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
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);
