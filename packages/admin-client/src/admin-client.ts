import createTypedClient, { defaultPathSerializer } from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import type { paths } from './api.gen.ts';
import { guardedFetch } from './guarded-fetch.ts';
import type { FetchPort } from './guarded-fetch.ts';
import { plainUrl } from './plain-url.ts';
import { problemFromAnswer } from './problem.ts';
import type { AdminProblem } from './problem.ts';
import { readAnswer } from './read-answer.ts';
import { AdminTransportError, asTransportError } from './transport-error.ts';

/** Time limit of a request, answer included. Source: spec, Limits, CLI HTTP timeout. */
export const defaultTimeoutMs = 30_000;

/** Options of {@link createAdminClient}. */
export interface AdminClientOptions {
  /** Where the API is, for instance `http://127.0.0.1:8001`. A path is kept as a prefix. */
  readonly baseUrl: string;
  /** Admin API token or user access token. Without one only public paths answer. */
  readonly token?: string;
  readonly fetch: FetchPort;
  /** Milliseconds for a whole request. Default 30000. */
  readonly timeoutMs?: number;
  /** Makes the `X-Request-ID` of each request. Default: none is sent and the server makes one. */
  readonly newRequestId?: () => string;
}

/** Values of a query parameter; a list repeats it, `undefined` leaves it out. */
export type QueryValue = string | number | boolean | undefined | readonly string[];

/** What to send. */
export interface AdminRequest {
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** A text is sent as it is; anything else as JSON. */
  readonly body?: unknown;
  /** Default `application/json` where there is a body. */
  readonly contentType?: string;
  readonly accept?: string;
}

/** An answer of the API, or why there is none. */
export type AdminAnswer =
  | { readonly ok: true; readonly status: number; readonly headers: Headers; readonly body: unknown }
  | { readonly ok: false; readonly problem: AdminProblem };

/** The two ways to call the API. Neither ever repeats a request. */
export interface AdminClient<Paths extends object = paths> {
  /** One typed method per HTTP method; see openapi-fetch. It rejects with `AdminTransportError` when no answer came. */
  readonly api: Client<Paths>;
  /** Calls a path that is known at run time only, its segments percent-encoded. Every failure is a value. */
  readonly request: (method: string, path: string, request?: AdminRequest) => Promise<AdminAnswer>;
}

/**
 * A client of the administration API. `Paths` is this release's API unless you name the types of another.
 * @throws TypeError when `baseUrl` is no http or https address, or carries a user, query or fragment
 */
export function createAdminClient<Paths extends object = paths>(options: AdminClientOptions): AdminClient<Paths> {
  const base = checkedBase(options.baseUrl);
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const send = guardedFetch({
    token: options.token,
    fetch: options.fetch,
    timeoutMs,
    newRequestId: options.newRequestId,
  });
  return {
    api: createTypedClient<Paths>({
      baseUrl: base,
      fetch: send,
      pathSerializer: (address, values) => plainUrl(defaultPathSerializer(address, values)).href,
    }),
    request: async (method, path, request = {}) => {
      try {
        const response = await send(requestOf(base, method, path, request));
        const body = await readAnswer(response);
        if (response.ok) return { ok: true, status: response.status, headers: response.headers, body };
        return { ok: false, problem: problemFromAnswer(response.status, response.headers, body) };
      } catch (error) {
        if (error instanceof AdminTransportError) return { ok: false, problem: error.problem };
        return { ok: false, problem: asTransportError(error, new URL(base).origin, timeoutMs).problem };
      }
    },
  };
}

function checkedBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('the API address must be http:// or https:// with a host, without user, query or fragment');
  }
  return url.href.replace(/\/+$/, '');
}

function requestOf(base: string, method: string, path: string, { query, body, contentType, accept }: AdminRequest) {
  const url = plainUrl(`${base}${path.startsWith('/') ? '' : '/'}${path}`);
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of typeof value === 'object' ? value : [value]) {
      if (item !== undefined) url.searchParams.append(name, String(item));
    }
  }
  const headers = new Headers({ accept: accept ?? 'application/json' });
  if (body === undefined) return new Request(url, { method, headers });
  headers.set('content-type', contentType ?? 'application/json');
  return new Request(url, { method, headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
}
