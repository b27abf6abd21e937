import type { RequestView } from '@portcullis/plugin-runtime';
import { hmacAlgorithm } from './hmac.ts';
import { headerOf, targetOf } from './request-parts.ts';
import {
  COVERED_MAX,
  KEY_ID_LENGTH_MAX,
  SIGNATURE_HEADER_LENGTH_MAX,
  canonicalBase64,
  covers,
  type SignatureFault,
  type SignedRequest,
} from './signed-request.ts';

/*
 * Kong's form: `Authorization: hmac username="…", algorithm="…", headers="date request-line", signature="…"`.
 * Source: wire, Authentication; the draft of HTTP signatures by Cavage that it is of.
 */

/** What such a signature must be like. */
export interface AuthorizationRules {
  /** In lower case. */
  readonly enforced: readonly string[];
  readonly skewMs: number;
}

/** Whether a request presents a signature of this form, readable or not. */
export function hasAuthorization({ headers }: RequestView): boolean {
  return /^hmac(?: |$)/i.test(headers.get('authorization') ?? '');
}

/** @returns why not, when what the request presents cannot be read, covers too little or has another time */
export function readAuthorization(
  request: RequestView,
  rules: AuthorizationRules,
  nowMs: number,
): SignedRequest | SignatureFault {
  const value = request.headers.get('authorization') ?? '';
  const given = value.length <= SIGNATURE_HEADER_LENGTH_MAX ? parametersOf(value.slice('hmac '.length)) : undefined;
  const keyId = given?.get('username') ?? '';
  const algorithm = hmacAlgorithm(given?.get('algorithm') ?? '');
  const signature = canonicalBase64(given?.get('signature') ?? '');
  const names = (given?.get('headers') ?? 'date').toLowerCase().split(' ');
  const covered: ReadonlySet<string> = new Set(names);
  if (given === undefined || signature === undefined || keyId === '' || keyId.length > KEY_ID_LENGTH_MAX)
    return 'malformed_credentials';
  if (algorithm === undefined) return 'algorithm';
  if (covered.size !== names.length || names.length > COVERED_MAX) return 'malformed_credentials';
  const fault = timeFault(request, covered, rules.skewMs, nowMs);
  if (fault !== undefined) return fault;
  if (!covers({ covered: withSynonyms(covered) }, rules.enforced)) return 'not_covered';
  const texts = textsOf(request, names);
  return texts === undefined ? 'missing_header' : { keyId, algorithm, signature, texts, covered };
}

/** A name and its value between quotes, up to the next comma. */
const PARAMETER = /[ \t]*([A-Za-z0-9_-]+)="([^"\\]*)"[ \t]*(,|$)/y;

function parametersOf(text: string): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = 0;
  for (;;) {
    const [, name, value, end] = PARAMETER.exec(text) ?? [];
    if (name === undefined || value === undefined || parameters.has(name)) return undefined;
    parameters.set(name, value);
    if (end === '') return parameters;
  }
}

/** Every time that is signed is near, and there is one. A time that is not signed is anybody's. */
function timeFault(
  request: RequestView,
  covered: ReadonlySet<string>,
  skewMs: number,
  nowMs: number,
): SignatureFault | undefined {
  const texts = TIMES.filter((name) => covered.has(name)).map((name) => headerOf(request, name));
  if (texts.length === 0) return 'missing_time';
  if (texts.includes(undefined)) return 'missing_header';
  const times = texts.map((text = '') => httpDateMs(text));
  const areNear = times.every((timeMs) => timeMs !== undefined && Math.abs(nowMs - timeMs) <= skewMs);
  return areNear ? undefined : 'clock_skew';
}

/** Browsers may not set `Date`, so `X-Date` is taken for the same. */
const TIMES = ['date', 'x-date'];

/** The preferred form of RFC 9110, section 5.6.7, and no other. */
function httpDateMs(text: string): number | undefined {
  const timeMs = Date.parse(text);
  return !Number.isNaN(timeMs) && new Date(timeMs).toUTCString() === text ? timeMs : undefined;
}

/** Names that say as much as another. */
function withSynonyms(covered: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(covered);
  if (covered.has('x-date')) all.add('date');
  if (covered.has('@request-target') || covered.has('request-line')) all.add('request-line').add('@request-target');
  return all;
}

/** Which version the client spoke cannot be told behind proxies, and changes nothing about what is asked for. */
const HTTP_VERSIONS = ['HTTP/1.1', 'HTTP/2.0', 'HTTP/2', 'HTTP/1.0'];

function textsOf(request: RequestView, names: readonly string[]): readonly string[] | undefined {
  const versions = names.includes('request-line') ? HTTP_VERSIONS : [''];
  const texts = versions.map((version) => textOf(request, names, version));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function textOf(request: RequestView, names: readonly string[], version: string): string | undefined {
  const lines: string[] = [];
  for (const name of names) {
    if (name === 'request-line') lines.push(`${request.method} ${targetOf(request)} ${version}`);
    else if (name === '@request-target')
      lines.push(`@request-target: ${request.method.toLowerCase()} ${targetOf(request)}`);
    else {
      const value = headerOf(request, name);
      if (value === undefined) return undefined;
      lines.push(`${name}: ${value}`);
    }
  }
  return lines.join('\n');
}
