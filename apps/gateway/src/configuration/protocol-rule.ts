import type { RouteRecord } from './records.ts';

/** Whether requests of a kind are taken: however they come, over TLS only, or not at all. */
export type Taking = 'any' | 'tls' | 'none';

/** What a route's `protocols` ask of requests. Equal rules are one object. */
export interface ProtocolRule {
  /** Requests that are of neither of the other kinds. */
  readonly plain: Taking;
  /** Upgrades to WebSocket. */
  readonly webSocket: Taking;
  readonly grpc: Taking;
  /** What is answered to a request in cleartext where TLS is wanted. */
  readonly cleartextStatus: number;
}

/** There are as many as there are ways to take three kinds, times the statuses that the catalogue knows. */
const rules = new Map<string, ProtocolRule>();

/**
 * The rule of a route's protocols; `undefined` where it takes every request. `http` and `https` take whatever HTTP carries; `ws`, `wss`, `grpc`
 * and `grpcs` nothing else than what they name; those with the `s` want TLS. Source: Kong's matching of `protocols`.
 */
export function protocolRuleOf({
  protocols,
  https_redirect_status_code: cleartextStatus,
}: Pick<RouteRecord, 'protocols' | 'https_redirect_status_code'>): ProtocolRule | undefined {
  if (protocols.length === 0) return undefined;
  const plain = takingOf(protocols, 'http', 'https');
  const webSocket = wider(plain, takingOf(protocols, 'ws', 'wss'));
  const grpc = wider(plain, takingOf(protocols, 'grpc', 'grpcs'));
  if (plain === 'any') return undefined;
  const key = `${plain} ${webSocket} ${grpc} ${cleartextStatus}`;
  const rule = rules.get(key) ?? { plain, webSocket, grpc, cleartextStatus };
  rules.set(key, rule);
  return rule;
}

/** Whether any request of HTTP can be taken: a route for `tcp` and `tls` carries connections, and no requests. */
export function takesRequests(protocols: readonly string[]): boolean {
  return protocols.length === 0 || protocols.some((name) => name !== 'tcp' && name !== 'tls');
}

function takingOf(protocols: readonly string[], cleartext: string, secure: string): Taking {
  if (protocols.includes(cleartext)) return 'any';
  return protocols.includes(secure) ? 'tls' : 'none';
}

function wider(one: Taking, other: Taking): Taking {
  if (one === 'any' || other === 'any') return 'any';
  return one === 'tls' ? one : other;
}
