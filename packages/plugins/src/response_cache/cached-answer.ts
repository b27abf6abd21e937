/** A request header that an answer depends on, with the value that it had; `undefined`: it was missing. */
export interface VaryField {
  /** In lower case. */
  readonly name: string;
  readonly value: string | undefined;
}

/** What is known of how long an answer may be used. Times in milliseconds. */
export interface Lifetime {
  /** When its age was zero, by the monotonic clock; may lie before the process's start. */
  readonly bornMs: number;
  /** How old it may be and still be fresh. */
  readonly freshMs: number;
  /** Never used without asking the service (`no-cache`). */
  readonly isAlwaysValidated: boolean;
  /** Never used once it is stale, whatever a client allows. */
  readonly forbidsStale: boolean;
  readonly staleWhileRevalidateMs: number;
  readonly staleIfErrorMs: number;
  /** Whether the service said that all clients may have it, also those with credentials. Source: RFC 9111, section 3.5. */
  readonly isForAll: boolean;
  /** Whether the service said itself how long it is fresh. */
  readonly isExplicit: boolean;
}

/** An answer as it is stored. Nothing of it ever changes; its body is handed to hosts, which copy it. */
export interface CachedAnswer extends Lifetime {
  readonly status: number;
  /** Name and value by turns, without Cache-Control, Age, and what belongs to a connection or to one request. */
  readonly headers: readonly string[];
  /** Those that a 304 in its place carries. */
  readonly notModifiedHeaders: readonly string[];
  readonly cacheControl: string | undefined;
  readonly body: Uint8Array;
  readonly vary: readonly VaryField[];
  /** The route and service that it came through. */
  readonly origin: string;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** Memory that it takes, as the store counts it. */
  readonly bytes: number;
}

/** Bytes counted for an answer beside its texts and body, and for each of its header lines. */
const ANSWER_BYTES = 512;
const LINE_BYTES = 48;

/** Puts an answer together and counts its memory. */
export function cachedAnswer(parts: Omit<CachedAnswer, 'bytes' | 'notModifiedHeaders'>): CachedAnswer {
  const { headers, body, vary, origin } = parts;
  const texts = [...headers, origin, ...vary.map(({ name, value = '' }) => name + value)];
  const bytes = texts.reduce((sum, text) => sum + text.length + LINE_BYTES, body.length + ANSWER_BYTES);
  return Object.freeze({ ...parts, notModifiedHeaders: withoutContent(headers), bytes });
}

/** The age of an answer in milliseconds. Source: RFC 9111, section 4.2.3. */
export function ageMsOf({ bornMs }: CachedAnswer, nowMs: number): number {
  return Math.max(0, nowMs - bornMs);
}

/** A 304 says nothing of a body that it does not carry. Source: RFC 9110, section 15.4.5. */
function withoutContent(headers: readonly string[]): readonly string[] {
  return headers.filter((_part, at) => !CONTENT.test(headers[at - (at % 2)] ?? ''));
}

const CONTENT = /^content-(?:type|encoding|language|range|disposition)$/i;
