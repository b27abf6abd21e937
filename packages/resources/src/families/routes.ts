import * as v from 'valibot';
import type { Family, FamilyRule } from '../family.ts';
import * as field from '../fields.ts';
import { hostPattern } from '../hosts.ts';
import {
  expressionCostOf,
  readRoutePath,
  routeExpressionCostMax,
  routePathTypes,
  type RoutePathType,
} from '../route-paths.ts';
import { serverNamePattern } from '../server-names.ts';
import { maxCharacters, minCharacters } from '../text-length.ts';
import { connectionEnds, connectionEndsOfStreams } from './connection-ends.ts';
import { inlinePlugin } from './inline-plugins.ts';

/** How requests of a route come in. Source: wire contract, Gateways, services, routes. */
export const routeProtocols = ['http', 'https', 'grpc', 'grpcs', 'ws', 'wss', 'tcp', 'tls'] as const;

/** What a request over plain HTTP is answered with on a route that wants TLS. Source: Kong's values. */
export const httpsRedirectStatuses = [426, 301, 302, 307, 308] as const;

const methodName = v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_-]{0,31}$/, 'must be an HTTP method in upper case'));

const pathText = v.pipe(
  v.string(),
  maxCharacters(2048),
  v.regex(/^(?:~.+|\/[^?#\s]*)$/, 'must begin with /, or with ~ for a regular expression'),
);

const valueLists = (about: string) =>
  v.optional(
    v.pipe(
      v.record(
        v.pipe(v.string(), minCharacters(1), maxCharacters(256)),
        v.pipe(
          v.array(v.pipe(v.string(), maxCharacters(1024))),
          v.minLength(1, 'needs at least one value'),
          v.maxLength(64),
        ),
      ),
      v.description(about),
    ),
    {},
  );

const timeoutPart = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_147_483_646)));

/** What a gateway could not match is refused here, where somebody sees it. */
const servablePaths: FamilyRule = ({ path, paths, path_type: type }) => {
  const single = typeof path === 'string' ? [{ path, pointer: '/path' }] : [];
  const listed = ((paths ?? []) as readonly string[]).map((one, index) => ({ path: one, pointer: `/paths/${index}` }));
  const pathType = (type ?? 'prefix') as RoutePathType;
  let cost = 0;
  return [...single, ...listed].flatMap((given) => {
    cost += expressionCostOf(given.path, pathType);
    // The rest is not looked at: that would be the work which the bound is there to spare.
    if (cost > routeExpressionCostMax) {
      const isFirst = cost - expressionCostOf(given.path, pathType) <= routeExpressionCostMax;
      const message = "the route's regular expressions are too much together";
      return isFirst ? [{ pointer: given.pointer, code: 'invalid_path', message }] : [];
    }
    const reading = readRoutePath(given.path, pathType);
    return reading.ok ? [] : [{ pointer: given.pointer, code: 'invalid_path', message: reading.message }];
  });
};

/** Routes. Source: spec, Route create or update payload; wire contract, Gateways, services, routes. */
export const routes: Family = {
  name: 'routes',
  singular: 'route',
  summary: 'Routes: which requests go to which service, through which plugins',
  scope: 'gateway',
  access: { read: 'read', write: 'write' },
  fields: {
    name: field.name,
    description: field.description,
    labels: field.labels,
    enabled: field.enabled,
    service_id: v.optional(v.pipe(field.reference, v.description('Where matching requests go'))),
    path: v.optional(v.pipe(pathText, v.description('One path; the list form is paths'))),
    paths: field.textList(pathText, 'Alternatives; any path when empty and path is absent'),
    path_type: v.optional(
      v.pipe(v.picklist(routePathTypes), v.description('How path and paths match; a leading ~ also means regex')),
      'prefix',
    ),
    hosts: field.textList(hostPattern, 'Alternatives; any host when empty'),
    methods: field.textList(methodName, 'Alternatives; any method when empty'),
    headers: valueLists('Header name to alternatives; every name must match'),
    query: valueLists('Query parameter to alternatives; every name must match'),
    snis: field.textList(serverNamePattern, 'Server names of the TLS connection, alternatives; any when empty'),
    protocols: field.textList(
      v.picklist(routeProtocols, `must be one of ${routeProtocols.join(', ')}`) as v.GenericSchema<string>,
      'How the request comes in, alternatives; any when empty',
    ),
    sources: connectionEnds('Where connections of tcp and tls come from, alternatives; from anywhere when empty'),
    destinations: connectionEnds(
      'Addresses and ports of the gateway at which connections of tcp and tls come in, alternatives; any when empty',
    ),
    https_redirect_status_code: v.optional(
      v.pipe(
        v.picklist(httpsRedirectStatuses),
        v.description('Answer to a plain request where protocols ask for TLS: 426, or a redirect to https'),
      ),
      426,
    ),
    priority: field.integer(-1_000_000, 1_000_000, 0, 'Higher is tried first'),
    regex_priority: field.integer(-1_000_000, 1_000_000, 0, 'Orders regular expressions of equal priority'),
    strip_path: v.optional(
      v.pipe(v.boolean(), v.description('Whether the matched path is cut off before forwarding')),
      true,
    ),
    preserve_host: v.optional(
      v.pipe(v.boolean(), v.description("Whether the client's host goes to the upstream")),
      false,
    ),
    request_buffering: v.optional(
      v.pipe(v.boolean(), v.description('Whether a request is collected before it goes upstream; streamed when false')),
      false,
    ),
    response_buffering: v.optional(
      v.pipe(
        v.boolean(),
        v.description('Whether an answer is collected before it goes to the client; streamed when false'),
      ),
      false,
    ),
    plugins: v.optional(
      v.pipe(
        v.array(inlinePlugin),
        v.maxLength(64, 'must have at most 64 entries'),
        v.description('Inline plugin entries'),
      ),
      [],
    ),
    timeout_ms: v.optional(
      v.pipe(
        v.strictObject({ connect: timeoutPart, read: timeoutPart, write: timeoutPart }),
        v.description("Milliseconds; they win over the service's"),
      ),
    ),
  },
  readOnlyFields: {},
  rules: [
    (record) =>
      record['path'] !== undefined && Array.isArray(record['paths']) && record['paths'].length > 0
        ? [{ pointer: '/paths', code: 'exactly_one_of', message: 'give path or paths, not both' }]
        : [],
    servablePaths,
    connectionEndsOfStreams,
  ],
  references: [
    {
      field: 'service_id',
      family: 'services',
      nameField: 'service_name',
      nameScope: 'gateway',
      whenTargetIsDeleted: 'restrict',
    },
  ],
  keys: [{ name: 'name', fields: ['name'], scope: 'gateway', addressable: true }],
  nestedPaths: [
    {
      path: '/gateways/{gateway_id}/services/{service_id_or_name}/routes',
      field: 'service_id',
      parameter: 'service_id_or_name',
    },
  ],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'routes', level: 5, sets: ['paths', 'hosts', 'methods', 'snis', 'protocols'] },
  deliveredToGateways: true,
};
