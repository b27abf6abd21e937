import { familyNamed, parseServiceUrl } from '@portcullis/resources';
import { LookUpCostError, type RouteCandidate } from '@portcullis/router';
import type { Operation, OperationInput, OperationOutput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import { tenantIdParameter } from '../http/query-parameters.ts';
import type { FamilyHandlerParts } from '../resources/family-handlers.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import { forwardedPath, matchRequest, type DescribedRequest } from './match-request.ts';
import { matchRequestSchema, matchResultSchema, type MatchRequestBody } from './match-schemas.ts';
import type { ExplainedRoute } from './matching-table.ts';
import { createMatchingTables, type MatchingTables } from './matching-tables.ts';
import { chainOf, consumerOf } from './plugin-chain.ts';

const routes = familyNamed('routes');
/** Candidates, and plugin instances, that an answer lists. */
const candidatesMax = 50;
const pluginsMax = 500;

/** What the operation works with. */
export interface RouteMatchParts extends FamilyHandlerParts {
  readonly store: ResourceStore;
  readonly monotonicMs: () => number;
}

/** `POST /gateways/{id}/routes/match`: what a gateway does with a request, and why. Source: wire contract, Matching. */
export function routeMatchOperation(parts: RouteMatchParts): Operation {
  const tables = createMatchingTables(parts);
  return {
    id: 'matchRoute',
    method: 'POST',
    paths: ['/admin/gateways/{gateway_id}/routes/match'],
    tag: routes.name,
    summary: 'Which route a request leads to, why, and which plugins run; changes nothing',
    access: routes.access.read,
    query: [tenantIdParameter],
    body: { schema: matchRequestSchema },
    responses: [{ status: 200, description: 'What the gateway does with the request', schema: matchResultSchema }],
    handler: (input) => matchRoute(parts, tables, input),
  };
}

async function matchRoute(
  { reader, store, database: { read: executor }, tenantOf }: RouteMatchParts,
  tables: MatchingTables,
  input: OperationInput,
): Promise<OperationOutput> {
  const body = input.body as MatchRequestBody;
  const tenantId = await tenantOf(routes, input, { body });
  const gatewayId = await reader.gatewayId(executor, tenantId, input.path['gateway_id'] ?? '');
  const view = { store, executor, tenantId };
  const consumer = await consumerOf(view, body.consumer_id);
  const revised = await tables.get(tenantId, gatewayId);
  if (!revised) throw new Problem('not_found', 'gateway not found');
  const { table, revision } = revised;
  const result = explainedWithin(() => matchRequest(table, describedRequest(body), candidatesMax));
  const { facts, explanation } = result;
  const won = explanation?.candidates.find(({ outcome }) => outcome === 'won');
  const serviceId = won?.route.serviceId;
  const service = serviceId === undefined ? undefined : await store.get(executor, tenantId, 'services', serviceId);
  const shownService = service ? { id: service.id, name: String(service.body['name']) } : undefined;
  const url = service?.body['url'];
  const servicePath = (typeof url === 'string' ? parseServiceUrl(url)?.path : undefined) ?? '/';
  const upstream = won && facts && service ? forwardedPath(won, servicePath, facts.path) : undefined;
  const isCut = service !== undefined && upstream === undefined;
  const chain = won ? await chainOf(view, table, won.route, shownService, consumer) : [];
  return {
    status: 200,
    body: {
      gateway: table.gateway,
      revision,
      outcome: isCut ? 'refused' : result.outcome,
      status: isCut ? 400 : (result.status ?? null),
      detail: isCut ? 'what remains of the path after stripping could leave the path of the service' : result.detail,
      request: facts ? { method: facts.method, host: facts.host, path: facts.path, query: facts.query } : null,
      route: won ? shownRecord(won.route) : null,
      won_by: explanation?.wonBy ?? null,
      matched: won ? { host: won.host ?? null, path: won.path ?? null, length: won.matchedLength } : null,
      candidates: explanation?.candidates.map(shownCandidate) ?? [],
      candidates_total: explanation?.candidatesTotal ?? 0,
      service: shownService ?? null,
      upstream_path: upstream ?? null,
      plugins: chain.slice(0, pluginsMax).map(({ scope, ...one }) => ({ ...one, scope: scope ?? null })),
      plugins_total: chain.length,
    },
  };
}

/** @throws Problem where the request has a route, but asking all others would take too long */
function explainedWithin<Result>(explain: () => Result): Result {
  try {
    return explain();
  } catch (error) {
    if (!(error instanceof LookUpCostError)) throw error;
    const message = 'is too long to explain among the regular expressions that it would have to be matched with';
    throw new Problem('validation_failed', `path ${message}`, {
      errors: [{ pointer: '/path', code: 'max_length', message }],
    });
  }
}

function describedRequest(body: MatchRequestBody): DescribedRequest {
  const { method, host, path, sni } = body;
  const protocol = body.protocol ?? body.scheme ?? (sni === undefined ? 'http' : 'https');
  const query = typeof body.query === 'string' ? body.query : new URLSearchParams(pairsOf(body.query)).toString();
  return { method, protocol, host, path, query, headers: pairsOf(body.headers).flat(), sni };
}

function pairsOf(map: Readonly<Record<string, string | string[]>>): [string, string][] {
  return Object.entries(map).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
}

function shownCandidate({ route, host, path, outcome, lostBy, unmet }: RouteCandidate<ExplainedRoute>): object {
  return {
    ...{ route: shownRecord(route), host: host ?? null, path: path ?? null },
    ...{ outcome, lost_by: lostBy ?? null, unmet },
  };
}

function shownRecord({ id, name }: ExplainedRoute): { readonly id: string; readonly name: string } {
  return { id, name };
}
