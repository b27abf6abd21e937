import { mayCall } from '../http/access.ts';
import type { Operation, OperationInput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import { tenantIdParameter } from '../http/query-parameters.ts';
import type { Principal } from '../identity/principal.ts';
import { liveStream } from './live-stream.ts';
import { observabilityTag, readTenant, type ObservabilityOperationParts } from './observability-parts.ts';
import { requestFilterParameters } from './request-query.ts';
import { StreamPlaces } from './stream-places.ts';

const filters = ['gateway_id', 'route_id', 'status'];
const access = { access: 'read', method: 'GET' } as const;

/** `GET /observability/live`: requests as they arrive. Source: wire contract, Observability; ADR 0051. */
export function liveOperation(parts: ObservabilityOperationParts): Operation {
  const places = new StreamPlaces();
  return {
    ...access,
    id: 'streamRequests',
    paths: ['/admin/observability/live'],
    tag: observabilityTag,
    summary: 'Server-sent events: observed requests as they arrive. `Last-Event-ID` goes on after that event',
    query: [tenantIdParameter, ...requestFilterParameters.filter(({ name }) => filters.includes(name))],
    responses: [
      {
        status: 200,
        description: 'Events `request`, and `lagged` for one that is too far behind',
        mediaType: 'text/event-stream',
      },
      { status: 429, description: 'The caller or its tenant has too many open streams' },
    ],
    async handler(input) {
      const tenantId = await readTenant(parts.scope, input);
      const after = lastEventOf(input);
      const { principal, request } = input;
      if (principal.kind === 'anonymous') throw new Problem('unauthenticated', 'The credential is not valid');
      const leave = places.take(tenantId, `${principal.kind} ${principal.id}`);
      const stream = liveStream(parts.database, {
        tenantId,
        filter: Object.fromEntries(filters.map((name) => [name, input.query[name]])),
        after,
        isAllowed: () => isStillAllowed(parts, principal, request.header('authorization') ?? ''),
        onEnd: leave,
        signal: AbortSignal.any([request.signal, parts.shutdown]),
      });
      return { status: 200, headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }, stream };
    },
  };
}

function lastEventOf({ request }: OperationInput): number | undefined {
  const given = request.header('last-event-id');
  if (given === undefined || given === '') return undefined;
  if (!/^\d{1,15}$/.test(given)) throw new Problem('invalid_parameter', 'Last-Event-ID is not one of this stream');
  return Number(given);
}

/** Whether the token still is the same caller's, who may still read. Source: wire contract, small rules: ends work within 5 s. */
async function isStillAllowed(
  { authenticate }: ObservabilityOperationParts,
  before: Exclude<Principal, { kind: 'anonymous' }>,
  authorization: string,
): Promise<boolean> {
  const now = await authenticate(authorization.replace(/^Bearer +/i, ''));
  if (now === undefined || now.kind === 'anonymous' || now.kind !== before.kind) return false;
  return now.id === before.id && now.tenantId === before.tenantId && mayCall(now, access);
}
