import { timestamp } from '@portcullis/resources';
import type { SelectQueryBuilder } from 'kysely';
import * as v from 'valibot';
import type { Tables } from '../database/tables.ts';
import type { QueryParameter } from '../http/operation.ts';

const text = (about: string, lengthMax = 128) => ({
  description: about,
  schema: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(lengthMax))),
});
const time = (about: string) => ({
  description: about,
  // Strictly: what `Date.parse` cannot read would be no number, which SQLite takes for null and PostgreSQL refuses.
  schema: v.optional(timestamp),
});

/** Filters of the list of requests. Source: wire contract, Observability. */
export const requestFilterParameters: readonly QueryParameter[] = [
  { name: 'gateway_id', ...text('Only requests through this gateway') },
  { name: 'route_id', ...text('Only requests of this route') },
  { name: 'service_id', ...text('Only requests to this service') },
  { name: 'consumer_id', ...text('Only requests of this consumer') },
  { name: 'request_id', ...text('Only the request with this ID') },
  {
    name: 'status',
    description: 'A status code, or a class such as 5xx',
    schema: v.optional(
      v.pipe(v.string(), v.regex(/^[1-5](?:\d\d|xx)$/, 'must be a status code or a class such as 5xx')),
    ),
  },
  { name: 'method', ...text('Only this method', 32) },
  { name: 'path_prefix', ...text('Only paths that begin so', 2048) },
  {
    name: 'min_latency_ms',
    description: 'Only requests that took at least so long',
    schema: v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}(?:\.\d{1,3})?$/, 'must be milliseconds'))),
  },
  { name: 'from', ...time('Not before') },
  { name: 'to', ...time('Before') },
];

/** Filters that an index serves: they need no bound of their own. */
const indexed: ReadonlySet<string> = new Set(['gateway_id', 'request_id', 'from', 'to']);

/** Whether records have to be looked through one by one for what was given. */
export function isSearched(given: Readonly<Record<string, unknown>>): boolean {
  if (given['request_id'] !== undefined) return false;
  return requestFilterParameters.some(({ name }) => !indexed.has(name) && given[name] !== undefined);
}

type Records = SelectQueryBuilder<Tables, 'observation_records', object>;

/** Narrows a query of request records by the filters that were given. */
export function filterRequests<Query extends Records>(query: Query, given: Readonly<Record<string, unknown>>): Query {
  let narrowed: Records = query;
  // No gateway takes a method in small letters.
  if (typeof given['method'] === 'string') narrowed = narrowed.where('method', '=', given['method'].toUpperCase());
  for (const column of ['gateway_id', 'route_id', 'service_id', 'consumer_id', 'request_id'] as const) {
    const value = given[column];
    if (typeof value === 'string') narrowed = narrowed.where(column, '=', value);
  }
  const status = given['status'];
  if (typeof status === 'string') {
    const first = status.endsWith('xx') ? Number(status[0]) * 100 : Number(status);
    narrowed = narrowed.where('status', '>=', first).where('status', '<=', status.endsWith('xx') ? first + 99 : first);
  }
  const prefix = given['path_prefix'];
  if (typeof prefix === 'string')
    narrowed = narrowed.where(({ eb, fn, val }) => eb(fn('substr', ['path', val(1), val(prefix.length)]), '=', prefix));
  const latency = given['min_latency_ms'];
  if (typeof latency === 'string') narrowed = narrowed.where('latency_us', '>=', Math.round(Number(latency) * 1000));
  if (typeof given['from'] === 'string') narrowed = narrowed.where('occurred_at', '>=', Date.parse(given['from']));
  if (typeof given['to'] === 'string') narrowed = narrowed.where('occurred_at', '<', Date.parse(given['to']));
  return narrowed as Query;
}
