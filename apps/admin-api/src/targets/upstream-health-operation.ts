import { familyNamed, readSchema } from '@portcullis/resources';
import * as v from 'valibot';
import type { Operation, OperationInput, OperationOutput } from '../http/operation.ts';
import { pageParameters, tenantIdParameter } from '../http/query-parameters.ts';
import type { FamilyHandlerParts } from '../resources/family-handlers.ts';
import { recordParameter, recordPaths } from '../resources/family-paths.ts';
import { pageHeaders } from '../resources/list-query.ts';
import type { Values } from '../resources/values.ts';

const upstreams = familyNamed('upstreams');
const targets = familyNamed('targets');

/** What is shown of each target. */
const shownFields = [
  'id',
  'name',
  'host',
  'port',
  'weight',
  'priority',
  'enabled',
  'health',
  'data_plane_health',
] as const;

const shownEntries = readSchema(targets) as v.StrictObjectSchema<v.ObjectEntries, undefined>;

/** The health of an upstream's targets, each with what every data plane says. Source: wire contract, Upstreams. */
export function upstreamHealthOperation(parts: FamilyHandlerParts): Operation {
  const entries = Object.fromEntries(shownFields.map((name) => [name, shownEntries.entries[name] ?? v.unknown()]));
  const page = v.pipe(
    v.object({
      upstream_id: v.string(),
      upstream_name: v.string(),
      items: v.array(v.object(entries)),
      total: v.number(),
      skip: v.number(),
      limit: v.number(),
    }),
    v.title('UpstreamHealth'),
  );
  return {
    id: 'getUpstreamHealth',
    method: 'GET',
    paths: recordPaths(upstreams, '/health'),
    tag: upstreams.name,
    summary: "The health of the upstream's targets at every data plane that was heard of lately",
    access: upstreams.access.read,
    query: [tenantIdParameter, ...pageParameters],
    responses: [{ status: 200, description: 'A page of targets', schema: page, headers: ['x-total-count', 'link'] }],
    handler: (input) => upstreamHealth(parts, input),
  };
}

async function upstreamHealth(
  { reader, database: { read }, tenantOf }: FamilyHandlerParts,
  input: OperationInput,
): Promise<OperationOutput> {
  const tenantId = await tenantOf(upstreams, input);
  const gatewayId = await reader.gatewayId(read, tenantId, input.path['gateway_id'] ?? '');
  const place = { tenantId, gatewayId };
  const idOrName = input.path[recordParameter(upstreams)] ?? '';
  const upstream = await reader.find(read, input.principal, upstreams, place, idOrName);
  const [skip, limit] = [Number(input.query['skip']), Number(input.query['limit'])];
  const { items, total } = await reader.list(read, input.principal, targets, {
    ...place,
    references: [{ field: 'upstream_id', targetId: upstream.id }],
    skip,
    limit,
  });
  const records = await reader.view(read, targets, tenantId, items);
  const body = {
    upstream_id: upstream.id,
    upstream_name: upstream.name,
    items: records.map(shown),
    total,
    skip,
    limit,
  };
  return { status: 200, headers: pageHeaders(input.request.path, input.query, total), body };
}

function shown(record: Values): Values {
  return Object.fromEntries(shownFields.flatMap((name) => (name in record ? [[name, record[name]]] : [])));
}
