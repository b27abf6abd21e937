import * as v from 'valibot';
import type { Operation } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import { integerParameter, pageParameters, tenantIdParameter } from '../http/query-parameters.ts';
import { pageHeaders } from '../resources/list-query.ts';
import { findRequest, findRequests, listedMax, othersMax, searchedMax } from './find-requests.ts';
import { observabilityTag, readTenant, type ObservabilityOperationParts } from './observability-parts.ts';
import { observedRequestSchema, requestDetailSchema } from './observed-request-schema.ts';
import { requestFilterParameters } from './request-query.ts';
import { requestView } from './request-records.ts';

/** Single requests as they were observed. Source: wire contract, Observability. */
export function requestOperations(parts: ObservabilityOperationParts): Operation[] {
  return [listOperation(parts), detailOperation(parts)];
}

const pages = pageParameters.map((parameter) =>
  parameter.name === 'skip'
    ? integerParameter('skip', 'How many requests to pass over.', { minimum: 0, maximum: listedMax, fallback: 0 })
    : parameter,
);

function listOperation({ database, scope }: ObservabilityOperationParts): Operation {
  return {
    id: 'listRequests',
    method: 'GET',
    paths: ['/admin/observability/requests'],
    tag: observabilityTag,
    summary:
      `Observed requests, newest first. At most ${listedMax} are counted and listed, and filters by route, service, consumer, ` +
      `status, method, path and latency look through the newest ${searchedMax} of the time asked for`,
    access: 'read',
    query: [tenantIdParameter, ...pages, ...requestFilterParameters],
    responses: [
      { status: 200, description: 'A page of requests', schema: listSchema, headers: ['x-total-count', 'link'] },
    ],
    async handler(input) {
      const tenantId = await readTenant(scope, input);
      const skip = Number(input.query['skip']);
      const limit = Number(input.query['limit']);
      const found = await findRequests(database.read, tenantId, input.query, { skip, limit });
      const { rows, total, isExact, searchedFromMs } = found;
      return {
        status: 200,
        headers: pageHeaders(input.request.path, input.query, total),
        body: {
          items: rows.map(requestView),
          total,
          skip,
          limit,
          total_exact: isExact,
          searched_from: searchedFromMs === undefined ? null : new Date(searchedFromMs).toISOString(),
        },
      };
    },
  };
}

function detailOperation({ database, scope }: ObservabilityOperationParts): Operation {
  return {
    id: 'getRequest',
    method: 'GET',
    paths: ['/admin/observability/requests/{request_id}'],
    tag: observabilityTag,
    summary: `The newest request with a request ID, and how many others have it (up to ${othersMax}): clients may choose it`,
    access: 'read',
    query: [tenantIdParameter],
    responses: [{ status: 200, description: 'The request with its plugin steps', schema: requestDetailSchema }],
    async handler(input) {
      const tenantId = await readTenant(scope, input);
      const found = await findRequest(database.read, tenantId, input.path['request_id'] ?? '');
      if (!found) throw new Problem('not_found', 'request not found');
      return { status: 200, body: { ...requestView(found.row), others: found.others } };
    },
  };
}

const listSchema = v.pipe(
  v.object({
    items: v.array(observedRequestSchema),
    total: v.number(),
    skip: v.number(),
    limit: v.number(),
    /** False where more may match than were counted. */
    total_exact: v.boolean(),
    /** Where the search ended; null when everything was looked through. */
    searched_from: v.nullable(v.string()),
  }),
  v.title('ObservedRequestList'),
);
