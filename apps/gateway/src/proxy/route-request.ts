import { LookUpCostError, type FoundRoute } from '@portcullis/router';
import type { CompiledRoute, Generation } from '../configuration/generation.ts';
import type { ServerIdentities } from '../certificates/server-identities.ts';
import type { ConnectionFacts, ServerCall } from '../transport/server-transport.ts';
import { problems, type GatewayProblem } from './problems.ts';
import type { RequestHead } from './request-head.ts';

/** The route of a request, and how much of the path its path matched. */
interface RoutedRequest {
  readonly route: CompiledRoute;
  readonly matchedLength: number;
}

/** Written by each look-up, read at once, and empty in between. */
const found: FoundRoute<CompiledRoute> = { route: undefined, matchedLength: 0 };

/** Finds the route of a request, or says why it has none. */
export function routeRequest(
  generation: Generation,
  { method, connection }: Pick<ServerCall, 'method' | 'connection'>,
  head: RequestHead,
): RoutedRequest | GatewayProblem {
  const { host, path, query, pairs } = head;
  if (!generation.allowsEncodedSlashes && path.includes('%2F')) return problems.encodedSlash;
  if (generation.hosts !== undefined && !generation.hosts.has(host)) return problems.noRoute;
  if (isMisdirected(generation.serverIdentities, connection, host)) return problems.misdirected;
  // Conditions see what the upstream would see: a client's claims and look-alike names meet none.
  try {
    generation.router.find({ method, host, path, query, headers: pairs, sni: connection.serverName }, found);
    const { route, matchedLength } = found;
    found.route = undefined;
    return route === undefined ? problems.noRoute : { route, matchedLength };
  } catch (error) {
    if (error instanceof LookUpCostError) return costlyPath;
    throw error;
  }
}

/** Refused, and not given to the next route: one whose expression was not asked might have been its own. */
export const costlyPath: GatewayProblem = {
  status: 414,
  code: 'path_too_long',
  detail: 'the path is too long for the regular expressions that it would have to be matched with',
};

/**
 * Whether a connection is used for a name whose clients are asked for something else than its own client was: for another name, or because the
 * configuration asks for more since it began. What was verified then says nothing of this. Source: RFC 9110, section 15.5.20.
 */
function isMisdirected(
  identities: ServerIdentities,
  { encrypted, serverName, clientAsks }: ConnectionFacts,
  host: string,
): boolean {
  if (!identities.asksForCertificates || !encrypted) return false;
  const asks = identities.asksOf(host);
  return asks === undefined ? serverName !== host : asks !== clientAsks;
}
