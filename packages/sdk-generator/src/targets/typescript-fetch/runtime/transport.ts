/** `src/runtime/transport.ts`: credentials, time-outs and errors around `fetch`. */
export const transportText: string = String.raw`import type { Call } from './call.ts';
import { base64 } from './codec.ts';
import { ApiError, ClientError, ConnectionFailedError, InvalidRequestError, RequestTimeoutError } from './errors.ts';
import { percentEncoded } from './text.ts';

/** A credential, or what gives it anew for each call. */
export type Credential = string | (() => string | Promise<string>);

/** Credentials, time-outs and headers of a client. */
export interface TransportOptions {
  /** Sent as ${'`Authorization: Bearer`'} where an operation asks for it. */
  readonly bearerToken?: Credential | undefined;
  /** Sent where an operation asks for an API key. */
  readonly apiKey?: Credential | undefined;
  /** API keys by their scheme, where they differ. */
  readonly apiKeys?: Readonly<Record<string, Credential>> | undefined;
  /** Sent as ${'`Authorization: Basic`'} where an operation asks for it. */
  readonly basicAuth?: { readonly name: string; readonly password: string } | undefined;
  /** Of a whole call, in milliseconds: 30000 where nothing is said. */
  readonly timeoutMs?: number | undefined;
  /** Sent with each call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Instead of the global ${'`fetch`'}: for proxies, tries and tests. */
  readonly fetch?: typeof fetch | undefined;
}

/** What one call may have of its own. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** How a client shows who it is. */
export type Scheme =
  | { readonly kind: 'bearer' | 'basic' }
  | { readonly kind: 'apiKey'; readonly place: 'header' | 'query' | 'cookie'; readonly name: string };

/** What came back. What was not asked for is empty. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly blob: Blob;
}

const defaultTimeoutMs = 30_000;

export class Transport {
  readonly #baseUrl: string;
  readonly #options: TransportOptions;
  readonly #schemes: ReadonlyMap<string, Scheme>;

  constructor(baseUrl: string, options: TransportOptions, schemes: ReadonlyMap<string, Scheme>) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#options = options;
    this.#schemes = schemes;
  }

  async send(call: Call, kind: 'text' | 'blob' | 'none', options: CallOptions = {}): Promise<Answer> {
    const request = ${'`${call.method} ${call.template}`'};
    await this.#authenticate(call);
    const url = ${"`${this.#baseUrl}${pathOf(call)}${call.query.length === 0 ? '' : `?${call.query.join('&')}`}`"};
    const init: RequestInit = { method: call.method, headers: this.#headersOf(call, options), redirect: 'manual' };
    if (call.body !== undefined) init.body = call.body;
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? defaultTimeoutMs;
    const { signal } = options;
    signal?.throwIfAborted();
    const controller = new AbortController();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      controller.abort();
    }, timeoutMs);
    const abort = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      const send = this.#options.fetch ?? globalThis.fetch;
      const response = await send(url, { ...init, signal: controller.signal });
      const { status, headers } = response;
      if (!response.ok) throw new ApiError(request, status, headers, await response.text());
      const text = kind === 'text' ? await response.text() : '';
      const blob = kind === 'blob' ? await response.blob() : new Blob();
      if (kind === 'none') await response.body?.cancel();
      return { status, text, blob };
    } catch (error) {
      if (isLate) throw new RequestTimeoutError(${'`${request} was not answered within ${timeoutMs} ms`'}, { cause: error });
      signal?.throwIfAborted();
      if (error instanceof ClientError) throw error;
      throw new ConnectionFailedError(${'`${request} could not be sent, or its answer broke off`'}, { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  #headersOf(call: Call, options: CallOptions): Headers {
    const headers = new Headers();
    const given = [
      ...(call.accept === undefined ? [] : [['accept', call.accept] as const]),
      ...Object.entries(this.#options.headers ?? {}),
      ...(call.contentType === undefined ? [] : [['content-type', call.contentType] as const]),
      ...call.headers,
      ...Object.entries(options.headers ?? {}),
      ...(call.cookies.length === 0 ? [] : [['cookie', call.cookies.join('; ')] as const]),
    ];
    for (const [name, value] of given) headers.set(name, checked(name, value));
    return headers;
  }

  /** The first alternative that there are all credentials for; none where there is none. */
  async #authenticate(call: Call): Promise<void> {
    const { bearerToken, apiKey, apiKeys = {}, basicAuth } = this.#options;
    const credentialOf = (key: string): Credential | typeof basicAuth => {
      const kind = this.#schemes.get(key)?.kind;
      if (kind === 'basic') return basicAuth;
      return kind === 'bearer' ? bearerToken : ((Object.hasOwn(apiKeys, key) ? apiKeys[key] : undefined) ?? apiKey);
    };
    const chosen = call.security.find((keys) => keys.every((key) => credentialOf(key) !== undefined)) ?? [];
    for (const key of chosen) {
      const scheme = this.#schemes.get(key);
      const credential = credentialOf(key);
      if (scheme === undefined || credential === undefined) continue;
      if (typeof credential === 'object') {
        const bytes = new TextEncoder().encode(${'`${credential.name}:${credential.password}`'});
        call.headers.push(['authorization', ${'`Basic ${base64(bytes)}`'}]);
        continue;
      }
      const secret = typeof credential === 'string' ? credential : await credential();
      if (scheme.kind !== 'apiKey') call.headers.push(['authorization', ${'`Bearer ${secret}`'}]);
      else if (scheme.place === 'header') call.headers.push([scheme.name, secret]);
      else if (scheme.place === 'query') call.query.push(${'`${percentEncoded(scheme.name)}=${percentEncoded(secret)}`'});
      else call.cookies.push(${'`${percentEncoded(scheme.name)}=${percentEncoded(secret)}`'});
    }
  }
}

/** A path that leads nowhere else. */
function pathOf(call: Call): string {
  if (call.path.split('/').some((segment) => segment === '.' || segment === '..')) {
    throw new InvalidRequestError('the path', 'must not have . or .. as a segment: that would be another path');
  }
  return call.path;
}

/** The value of a header, as far as a header can have it. */
function checked(name: string, value: string): string {
  if (/^[\t\x20-\x7e]*$/.test(value)) return value;
  throw new InvalidRequestError(${'`the header ${name}`'}, 'must be of one line, of visible ASCII characters and spaces');
}
`;
