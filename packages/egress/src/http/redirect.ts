import { EgressError } from '../egress-error.ts';
import { type CallTarget, readUrl } from '../url/read-url.ts';
import { forStrangers, type HeaderLines, withoutBody } from './request-headers.ts';

/** A request to one place. */
export interface Hop {
  readonly target: CallTarget;
  readonly method: string;
  readonly headers: HeaderLines;
  readonly body: Uint8Array | undefined;
}

/** Source: RFC 9110, section 15.4; 300 and 304 lead nowhere by themselves. */
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether an answer leads elsewhere. */
export function isRedirect(status: number, location: string | undefined): location is string {
  return redirectStatuses.has(status) && location !== undefined;
}

/**
 * The request that a redirect asks for. Methods and bodies change as Fetch says ("HTTP-redirect fetch"). Stricter than it: to another
 * party goes neither a body nor any field but the harmless ones, and nothing goes from `https:` to `http:`.
 * @throws EgressError `refused`
 */
export function redirected(from: Hop, status: number, location: string): Hop {
  const target = readUrl(location, from.target);
  if (from.target.isTls && !target.isTls)
    throw new EgressError('refused', 'the redirect was refused: it leads away from TLS');
  const becomesGet =
    (status === 303 && from.method !== 'GET' && from.method !== 'HEAD') ||
    ((status === 301 || status === 302) && from.method === 'POST');
  const hop: Hop = becomesGet
    ? { target, method: 'GET', headers: withoutBody(from.headers), body: undefined }
    : { ...from, target };
  if (isSameParty(from.target, target)) return hop;
  if (hop.body !== undefined)
    throw new EgressError('refused', 'the redirect was refused: it would take the body to another server');
  return { ...hop, headers: forStrangers(hop.headers) };
}

/** The same origin, or the same name's own way from `http:` to `https:`, each on its standard port. */
function isSameParty(one: CallTarget, other: CallTarget): boolean {
  if (one.origin === other.origin) return true;
  return one.host === other.host && !one.isTls && one.port === 80 && other.isTls && other.port === 443;
}
