import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Principal } from '../identity/principal.ts';

/** What tells one request from another, apart from its key. */
export interface FingerprintInput {
  readonly principal: Principal;
  readonly method: string;
  /** As received, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The parsed body; the order of its fields does not count. */
  readonly body: unknown;
}

/** SHA-256, lower-case hex, of who asked what. The login or token is not part of it, the user is. */
export function fingerprintOf({ principal, method, path, query, body }: FingerprintInput): string {
  const who =
    principal.kind === 'anonymous' ? [principal.kind] : [principal.kind, principal.id, principal.tenantId ?? null];
  const parameters = [...query].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const canonical = canonicalize({ who, method, path, parameters, body: body ?? null }) ?? '';
  return createHash('sha256').update(canonical, 'utf8').digest('hex');
}
