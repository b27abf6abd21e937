import * as v from 'valibot';

const text = (charactersMax: number) => v.pipe(v.string(), v.maxLength(charactersMax));
const valuesMax = 64;

const valueMap = v.pipe(
  v.record(text(256), v.union([text(8192), v.pipe(v.array(text(8192)), v.maxLength(valuesMax))])),
  v.check((map) => Object.keys(map).length <= valuesMax, `must have at most ${valuesMax} names`),
);

/** A request to be matched. Source: wire contract, Gateways, services, routes. */
export const matchRequestSchema = v.pipe(
  v.strictObject({
    tenant_id: v.optional(v.pipe(text(128), v.description('As in the query'))),
    method: v.optional(v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_-]{0,31}$/, 'must be a method in upper case')), 'GET'),
    protocol: v.optional(v.pipe(v.picklist(['http', 'https']), v.description('How the client came'))),
    scheme: v.optional(v.pipe(v.picklist(['http', 'https']), v.description('The same as protocol'))),
    host: v.pipe(text(512), v.description('As in the Host header')),
    path: v.pipe(text(16_384), v.description('As it is sent, perhaps with a query')),
    headers: v.optional(v.pipe(valueMap, v.description('Name to value or values')), {}),
    query: v.optional(
      v.pipe(v.union([text(16_384), valueMap]), v.description('Raw text, or parameter to value or values')),
      '',
    ),
    sni: v.optional(v.pipe(text(253), v.toLowerCase(), v.description('Server name of the TLS connection'))),
    consumer_id: v.optional(v.pipe(text(128), v.description('The consumer, for plugins that are for certain ones'))),
  }),
  v.check(
    ({ protocol, scheme }) => protocol === undefined || scheme === undefined || protocol === scheme,
    'protocol and scheme must not differ',
  ),
  v.title('RouteMatchRequest'),
);

/** What a caller sends. */
export type MatchRequestBody = v.InferOutput<typeof matchRequestSchema>;

const record = v.object({ id: v.string(), name: v.string() });
const path = v.nullable(v.object({ type: v.picklist(['prefix', 'exact', 'regex']), value: v.string() }));

/** What happens to the request, and why. */
export const matchResultSchema = v.pipe(
  v.object({
    gateway: record,
    revision: v.pipe(v.number(), v.description('Of the gateway’s configuration that was matched with')),
    outcome: v.picklist(['matched', 'no_route', 'refused']),
    status: v.nullable(v.pipe(v.number(), v.description('What the gateway answers by itself'))),
    detail: v.string(),
    request: v.nullable(v.object({ method: v.string(), host: v.string(), path: v.string(), query: v.string() })),
    route: v.nullable(record),
    won_by: v.nullable(
      v.pipe(v.string(), v.description('The criterion by which the route goes before the next that would match')),
    ),
    matched: v.nullable(
      v.object({ host: v.nullable(v.string()), path, length: v.pipe(v.number(), v.description('Characters')) }),
    ),
    candidates: v.array(
      v.object({
        route: record,
        host: v.nullable(v.string()),
        path,
        outcome: v.picklist(['won', 'lost', 'unmet']),
        lost_by: v.nullable(v.string()),
        unmet: v.array(v.string()),
      }),
    ),
    candidates_total: v.number(),
    service: v.nullable(record),
    upstream_path: v.nullable(v.string()),
    plugins: v.array(
      v.object({
        id: v.string(),
        name: v.string(),
        source: v.picklist(['collection', 'inline']),
        scope: v.nullable(v.string()),
        priority: v.number(),
        stages: v.array(v.string()),
        included: v.boolean(),
        reason: v.string(),
      }),
    ),
    plugins_total: v.number(),
  }),
  v.title('RouteMatch'),
);
