import type { PathRule, RequestFacts, RouteRule } from '@portcullis/router';

/** Routes of one kind, and the requests that each of them is asked for with. */
export interface RouteSet {
  readonly name: string;
  readonly route: (index: number) => RouteRule;
  readonly request: (index: number) => RequestFacts;
  /** The text of a request that alone decides which route it is, where there is one. */
  readonly decidedBy?: (request: RequestFacts) => string;
}

/** Figures in names, so that names are equally long whatever the number of routes. */
const digits = 6;

const numbered = (index: number): string => String(index).padStart(digits, '0');

/** A route's rule with texts that are flat, as those of a configuration are that came as JSON. */
function rule(index: number, host: string | undefined, path: PathRule | undefined): RouteRule {
  const made: RouteRule = {
    id: `0198a1b2-0000-7000-8000-${String(index).padStart(12, '0')}`,
    name: `route-${numbered(index)}`,
    createdAtMs: 1_700_000_000_000 + index,
    priority: 0,
    regexPriority: 0,
    hosts: host === undefined ? [] : [host],
    paths: path === undefined ? [] : [path],
    methods: [],
    headers: [],
    query: [],
  };
  return JSON.parse(JSON.stringify(made)) as RouteRule;
}

/** A text as the HTTP parser gives it: flat, of its own, one byte a character, not interned. */
const received = (text: string): string => Buffer.from(text).toString('latin1');

function request(host: string, path: string): RequestFacts {
  return { method: 'GET', host: received(host), path: received(path), query: '', headers: [] };
}

const host = (index: number): string => `shop-${numbered(index)}.example.com`;

/** The kinds that decision 34 names, and regular expressions. */
export const routeSets: readonly RouteSet[] = [
  {
    name: 'host',
    route: (index) => rule(index, host(index), undefined),
    request: (index) => request(host(index), '/items/42'),
    decidedBy: (asked) => asked.host,
  },
  {
    name: 'exact',
    route: (index) => rule(index, 'api.example.com', { type: 'exact', value: `/service-${numbered(index)}/items` }),
    request: (index) => request('api.example.com', `/service-${numbered(index)}/items`),
    decidedBy: ({ path }) => path,
  },
  {
    name: 'prefix',
    route: (index) => rule(index, 'api.example.com', { type: 'prefix', value: `/service-${numbered(index)}` }),
    request: (index) => request('api.example.com', `/service-${numbered(index)}/items/42`),
    decidedBy: ({ path }) => path.slice(0, path.indexOf('/', 1)),
  },
  {
    name: 'host and prefix',
    route: (index) => rule(index, host(index), { type: 'prefix', value: '/api' }),
    request: (index) => request(host(index), '/api/items/42'),
  },
  {
    name: 'parameters',
    route: (index) => rule(index, undefined, { type: 'regex', value: `/v1/(?<id>[^/]+)/part-${numbered(index)}$` }),
    request: (index) => request('api.example.com', `/v1/4711/part-${numbered(index)}`),
  },
];

/** Routes that are asked one after another, or would be: all have one path, or expressions that begin alike. */
export const narrowSets: readonly RouteSet[] = [
  {
    name: 'literal before',
    route: (index) => rule(index, undefined, { type: 'regex', value: `/api/v1/report-${numbered(index)}-\\d+$` }),
    request: (index) => request('api.example.com', `/api/v1/report-${numbered(index)}-2024`),
  },
  {
    name: 'literal after',
    route: (index) => rule(index, undefined, { type: 'regex', value: `/api/v1/[a-z]+-${numbered(index)}$` }),
    request: (index) => request('api.example.com', `/api/v1/report-${numbered(index)}`),
  },
  {
    name: 'header',
    route: (index) => ({
      ...rule(index, undefined, { type: 'prefix', value: '/api' }),
      headers: [{ name: 'x-tenant', values: [`tenant-${numbered(index)}`] }],
    }),
    request: (index) => ({
      ...request('api.example.com', '/api/items'),
      headers: ['accept', '*/*', 'x-tenant', received(`tenant-${numbered(index)}`)],
    }),
  },
  {
    name: 'query',
    route: (index) => ({
      ...rule(index, undefined, { type: 'prefix', value: '/api' }),
      query: [{ name: 'tenant', values: [`tenant-${numbered(index)}`] }],
    }),
    request: (index) => ({
      ...request('api.example.com', '/api/items'),
      query: received(`page=2&tenant=tenant-${numbered(index)}`),
    }),
  },
];
