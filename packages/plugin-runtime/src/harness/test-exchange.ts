import { encodeBody } from '../body-bytes.ts';
import { ExchangeState } from '../exchange-state.ts';
import type { ConsumerIdentity, ExchangeFailure, RequestFacts } from '../exchange.ts';
import type { BodyReader } from '../peer-body.ts';
import type { RequestParts } from '../request-state.ts';
import type { ResponseParts } from '../response-state.ts';
import type { ConsumerDirectory } from '../services.ts';

/** Fields by name; a list gives several lines. */
type TestHeaders = Readonly<Record<string, string | readonly string[]>>;

/** A request, as far as a test cares: the rest is a `GET` of `http://api.test/` by `192.0.2.1`. */
export interface TestRequest {
  readonly method?: string;
  /** Absolute; host, path and query come from it. */
  readonly url?: string;
  readonly headers?: TestHeaders;
  readonly body?: string | Uint8Array;
  readonly clientIp?: string;
  readonly isFromTrustedPeer?: boolean;
  /** In DER, the client's own first. */
  readonly peerCertificates?: readonly Uint8Array[];
  /** Whether the host has verified them. */
  readonly isPeerVerified?: boolean;
  /** Who an earlier plugin found the client to be. */
  readonly consumer?: ConsumerIdentity;
  readonly consumers?: ConsumerDirectory;
  readonly facts?: Partial<RequestFacts>;
}

/** An upstream's answer: status 200 and no body unless said. A list is a body that comes in these chunks. */
export interface TestResponse {
  readonly status?: number;
  readonly headers?: TestHeaders;
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[];
}

/** What stands behind the plugin: an answer, or a function of the request that reached it. What it throws is its failure. */
export type TestUpstream =
  | TestResponse
  | ((request: TestAnswer['forwarded'] & object) => TestResponse | Promise<TestResponse>);

/** What became of a request. */
export interface TestAnswer {
  readonly status: number;
  /** By lower-case name; several lines are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** All chunks together, as text. */
  readonly body: string;
  readonly chunks: readonly Uint8Array[];
  /** Whether the response ended unfinished: a stream hook wanted it so, or a responder's body failed. */
  readonly isCut: boolean;
  /** What reached the upstream; `undefined` when nothing did. */
  readonly forwarded:
    | {
        readonly method: string;
        readonly url: string;
        readonly path: string;
        readonly query: string;
        /** Origin that a plugin chose in place of the service; `undefined` when none did. */
        readonly destination: string | undefined;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: string;
      }
    | undefined;
  readonly consumer: ConsumerIdentity | undefined;
  /** Why the request failed, when it did. */
  readonly failure: ExchangeFailure | undefined;
  /** The exchange itself, for what is not listed here: its state, its steps, its observation. */
  readonly exchange: ExchangeState;
}

/** A described request as an exchange, before any hook ran. */
export function exchangeOf(request: TestRequest, requestId: string): ExchangeState {
  const { url = 'http://api.test/', method = 'GET', clientIp = '192.0.2.1', consumer, consumers, facts } = request;
  const { isFromTrustedPeer, peerCertificates, isPeerVerified } = request;
  const { protocol, hostname, host, pathname, search } = new URL(url);
  const body = request.body === undefined ? undefined : encodeBody(request.body);
  const parts: RequestParts = {
    method,
    scheme: protocol === 'https:' ? 'https' : 'http',
    host: hostname,
    authority: host,
    path: pathname,
    query: search.slice(1),
    headers: pairsOf(request.headers ?? {}),
    clientIp,
    ...(isFromTrustedPeer === undefined ? {} : { isFromTrustedPeer }),
    ...(peerCertificates === undefined ? {} : { peerCertificates: () => peerCertificates }),
    ...(isPeerVerified === undefined ? {} : { isPeerVerified }),
    ...(body === undefined ? {} : { readBody: readerOf(body) }),
  };
  const gateway = { id: 'test', name: 'test' };
  const exchange = new ExchangeState({
    facts: { requestId, tenantId: 'test', gateway, ...facts },
    request: parts,
    recordSteps: true,
    ...(consumers === undefined ? {} : { consumers }),
  });
  if (consumer !== undefined) exchange.applyRequestEdits({ consumer });
  return exchange;
}

/** What reaches the upstream. */
export async function forwardedOf({ request }: ExchangeState): Promise<TestAnswer['forwarded'] & object> {
  const { method, url, path, query } = request;
  const destination = request.destination?.origin;
  const body = await request.readBody(Number.MAX_SAFE_INTEGER);
  return { method, url, path, query, destination, headers: recordOf(request.headers.toPairs()), body: textOf(body) };
}

/** An upstream's answer in the runtime's parts, and its chunks. */
export function upstreamParts({ status = 200, headers = {}, body }: TestResponse): ResponseParts & {
  readonly hostBody: readonly Uint8Array[];
} {
  const pieces = body === undefined ? [] : typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
  const chunks = pieces.map(encodeBody);
  const readBody = readerOf(Buffer.concat(chunks));
  return { status, headers: pairsOf(headers), source: 'upstream', readBody, hostBody: chunks };
}

/** Fields by lower-case name. */
export function recordOf(pairs: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let index = 0; index < pairs.length; index += 2) {
    const name = (pairs[index] as string).toLowerCase();
    const value = pairs[index + 1] as string;
    record[name] = record[name] === undefined ? value : `${record[name]}, ${value}`;
  }
  return record;
}

export function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : new TextDecoder().decode(bytes);
}

export function readerOf(body: Uint8Array): BodyReader {
  return (bytesMax) => Promise.resolve(body.length <= bytesMax ? body : undefined);
}

function pairsOf(headers: TestHeaders): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [name, value] : value.flatMap((line) => [name, line]),
  );
}
