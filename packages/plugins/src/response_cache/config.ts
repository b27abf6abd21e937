import * as v from 'valibot';
import {
  ENTRIES_MAX,
  configObject,
  flag,
  headerName,
  text,
  wholeNumber,
  writtenHeaderName,
} from '../shared/config-fields.ts';
import { crossFieldRule, sameOrAbsent } from '../shared/config-rules.ts';
import { statusCodes } from '../shared/status-codes.ts';

/** Longest time that a config may give an answer, in seconds: a year. */
const TTL_SECONDS_MAX = 31_536_000;

const method = v.pipe(
  v.picklist(['GET', 'HEAD'], 'must be GET or HEAD, in capitals: answers to other methods are not stored'),
  v.description('A method'),
);

const FOR_CLIENTS = 'Cache-Control that clients get with answers that are stored or come from the store';

const cacheControl = v.pipe(
  v.union(
    [
      v.pipe(text(FOR_CLIENTS, 1024), v.regex(/^[\t\x20-\x7e]*$/, 'must be a header value')),
      flag('Another name of respect_cache_control'),
    ],
    'must be a header value, or true or false',
  ),
  v.description(`${FOR_CLIENTS}; true or false: another name of respect_cache_control`),
);

const fields = configObject({
  ttl_seconds: v.optional(
    wholeNumber(
      'Seconds for which answers are fresh that say nothing of it themselves; without it only those are stored that do',
      1,
      TTL_SECONDS_MAX,
    ),
  ),
  ttl: v.optional(wholeNumber('Another name of ttl_seconds', 1, TTL_SECONDS_MAX)),
  respect_cache_control: v.optional(
    flag(
      'Whether Cache-Control, Expires and Pragma of services and clients count; without, every answer is fresh for ttl_seconds. true when absent',
    ),
  ),
  cache_control: v.optional(cacheControl),
  methods: v.optional(
    v.pipe(
      v.array(method, 'must be a list of methods'),
      v.maxLength(2, 'must have at most 2 entries'),
      v.check((given) => given.includes('GET'), 'must name GET: HEAD is answered with what GET brought'),
      v.description('Methods whose requests may be answered from the store'),
    ),
    ['GET', 'HEAD'],
  ),
  statuses: v.optional(
    statusCodes('Statuses of answers that may be stored', {
      min: 200,
      max: 599,
      entriesMax: ENTRIES_MAX,
      except: { statuses: [206, 304], reason: 'is the status of a part or of no answer, which is not stored' },
    }),
    [200, 203, 204, 300, 301, 308, 404, 410],
  ),
  include_query: v.optional(
    flag('Whether requests with different queries have different answers; the query counts as it was sent'),
    true,
  ),
  vary_headers: v.optional(
    v.pipe(
      v.array(headerName('A request header'), 'must be a list of header names'),
      v.maxLength(16, 'must have at most 16 entries'),
      v.description("Request headers whose values tell answers apart, beside those of the answer's Vary"),
    ),
    [],
  ),
  max_body_bytes: v.optional(wholeNumber('Longest body that is stored, in bytes', 1, 16_777_216), 1_048_576),
  cache_header_name: v.optional(
    writtenHeaderName('Response header that says HIT, MISS, BYPASS, REVALIDATED or STALE'),
    'X-Cache-Status',
  ),
  namespace: v.optional(
    text('Instances of a tenant with one namespace share their store; absent: the instance has its own', 256),
  ),
});

/** Config of `response_cache`. */
export const config = crossFieldRule(fields, (settings) => [
  ...sameOrAbsent(settings, 'ttl_seconds', 'ttl'),
  ...(isContradiction(settings)
    ? [{ field: 'cache_control', message: 'says the opposite of respect_cache_control' }]
    : []),
  ...(respectsCacheControl(settings) || settings.ttl_seconds !== undefined || settings.ttl !== undefined
    ? []
    : [{ field: 'ttl_seconds', message: 'is required when respect_cache_control is false' }]),
]);

/** Whether `Cache-Control` of services and clients counts. Kong calls that field `cache_control`. */
export function respectsCacheControl({ respect_cache_control: said, cache_control: other }: Config): boolean {
  return said ?? (typeof other === 'boolean' ? other : true);
}

function isContradiction({ respect_cache_control: said, cache_control: other }: Config): boolean {
  return said !== undefined && typeof other === 'boolean' && other !== said;
}

/** See {@link config}. Rules between fields do not change its form. */
export type Config = v.InferOutput<typeof fields>;
