import * as v from 'valibot';
import { expect } from 'vitest';
import { DatabaseUnavailableError } from '../database/database-errors.ts';
import type { Principal, Role } from '../identity/principal.ts';
import type { Log } from '../logging.ts';
import { parseAddressList } from './address-list.ts';
import type { UnavailableCause } from './failure-report.ts';
import { createHttpApp, type HttpAppDependencies, type RequestSummary } from './http-app.ts';
import { type RunningServer, startHttpServer } from './http-server.ts';
import type { Access, Operation } from './operation.ts';
import { Problem } from './problem.ts';
import { integerParameter, tenantIdParameter } from './query-parameters.ts';

const user = (role: Role): Principal => ({
  kind: 'user',
  id: role,
  username: role,
  role,
  tenantId: 'acme',
  sessionId: 's',
});
const apiToken = (...scopes: string[]): Principal => ({
  kind: 'api_token',
  id: 't',
  name: 't',
  scopes,
  tenantId: 'acme',
});

/** Callers by the bearer token that they show. */
export const principals: Readonly<Record<string, Principal>> = {
  super_admin: user('super_admin'),
  admin: user('admin'),
  writer: user('writer'),
  reader: user('reader'),
  token_read: apiToken('admin:read'),
  token_write: apiToken('admin:write'),
  token_both: apiToken('admin:read', 'admin:write'),
  token_none: apiToken(),
  data_plane: { kind: 'data_plane', id: 'd', tenantId: 'acme', gatewayId: 'g' },
};

const plain = { tag: 'Test', summary: 'Test', responses: [{ status: 200, description: 'Done' }] } as const;

function levelOperation(access: Access): Operation {
  const handler = async () => ({ status: 200, body: { access } });
  return { ...plain, id: `level_${access}`, method: 'GET', paths: [`/level/${access}`], access, handler };
}

const thingSchema = v.strictObject({
  name: v.pipe(v.string(), v.maxLength(10)),
  count: v.optional(v.pipe(v.number(), v.minValue(1))),
});

/** Operations of every kind of access, body and failure. */
export const operations: readonly Operation[] = [
  ...(['public', 'read', 'session', 'write', 'administer', 'super_admin', 'data_plane'] as const).map(levelOperation),
  {
    ...plain,
    id: 'level_read_by_post',
    method: 'POST',
    paths: ['/level/read_by_post'],
    access: 'read',
    handler: async () => ({ status: 200, body: {} }),
  },
  {
    ...plain,
    id: 'listThings',
    method: 'GET',
    paths: ['/admin/things/'],
    access: 'read',
    query: [
      tenantIdParameter,
      integerParameter('limit', 'How many.', { minimum: 1, maximum: 200, fallback: 50 }),
      { name: 'actions', description: 'Which', repeatable: true, schema: v.array(v.string()) },
    ],
    responses: [
      { status: 200, description: 'Things' },
      { status: 200, description: 'Things', mediaType: 'application/yaml' },
    ],
    handler: async ({ query, request }) => ({ status: 200, body: { query, ip: request.sourceIp } }),
  },
  {
    ...plain,
    id: 'createThing',
    method: 'POST',
    paths: ['/admin/things'],
    access: 'write',
    query: [tenantIdParameter],
    body: { schema: thingSchema },
    handler: async ({ body }) => ({ status: 201, body }),
  },
  {
    ...plain,
    id: 'readThing',
    method: 'GET',
    paths: ['/admin/things/{thing_id}'],
    access: 'read',
    handler: async ({ path }) => ({ status: 200, body: path }),
  },
  {
    ...plain,
    id: 'deleteThing',
    method: 'DELETE',
    paths: ['/admin/things/{id}'],
    access: 'write',
    handler: async () => ({ status: 204 }),
  },
  {
    ...plain,
    id: 'currentThing',
    method: 'GET',
    paths: ['/admin/things/current'],
    access: 'read',
    handler: async () => ({ status: 200, body: { current: true } }),
  },
  {
    ...plain,
    id: 'applyDocument',
    method: 'POST',
    paths: ['/documents'],
    access: 'public',
    body: { schema: v.looseObject({}), format: 'json_or_yaml', bytesMax: 2000 },
    query: [{ name: 'format', description: 'Syntax', schema: v.optional(v.picklist(['json', 'yaml'])) }],
    handler: async ({ body }) => ({ status: 200, body }),
  },
  {
    ...plain,
    id: 'report',
    method: 'POST',
    paths: ['/report'],
    access: 'data_plane',
    body: { schema: v.looseObject({}), gzip: true, bytesMax: 2000 },
    handler: async ({ body }) => ({ status: 200, body }),
  },
  {
    ...plain,
    id: 'bug',
    method: 'GET',
    paths: ['/bug'],
    access: 'public',
    handler: async () => {
      throw new Error('SELECT canary FROM secret_table');
    },
  },
  {
    ...plain,
    id: 'unsendable',
    method: 'GET',
    paths: ['/unsendable'],
    access: 'public',
    handler: async () => ({ status: 200, body: { big: 1n } }),
  },
  {
    ...plain,
    id: 'outage',
    method: 'GET',
    paths: ['/outage'],
    access: 'public',
    handler: async () => {
      throw new DatabaseUnavailableError('connect ECONNREFUSED canary');
    },
  },
  {
    ...plain,
    id: 'conflict',
    method: 'GET',
    paths: ['/conflict'],
    access: 'public',
    handler: async () => {
      throw new Problem('name_exists', 'A thing with this name exists');
    },
  },
];

/** A server over {@link operations}, and what it logged. */
export interface TestServer {
  readonly server: RunningServer;
  readonly logged: readonly { readonly facts: Readonly<Record<string, unknown>>; readonly message: string }[];
  readonly summaries: readonly RequestSummary[];
  /** Causes of its 503s. */
  readonly unavailable: readonly UnavailableCause[];
  call(path: string, options?: RequestInit & { as?: string }): Promise<Response>;
  post(path: string, body: string | Uint8Array<ArrayBuffer>, contentType?: string, as?: string): Promise<Response>;
}

/** Starts the test server on a free port. Bodies have to come quickly. */
export async function startTestServer(fetch: typeof globalThis.fetch): Promise<TestServer> {
  const logged: { facts: Readonly<Record<string, unknown>>; message: string }[] = [];
  const summaries: RequestSummary[] = [];
  const keep = (facts: Readonly<Record<string, unknown>>, message: string): void =>
    void logged.push({ facts, message });
  const log = { debug: keep, info: keep, warn: keep, error: keep };
  const unavailable: UnavailableCause[] = [];
  const app = createHttpApp({
    ...testDependencies(log, operations),
    onFinished: (summary) => summaries.push(summary),
    onUnavailable: (cause) => unavailable.push(cause),
  });
  const server = await startHttpServer(app, { host: '127.0.0.1', port: 0 }, { newId: () => 'made-id' });
  const call: TestServer['call'] = (path, options = {}) => {
    const headers = new Headers(options.headers);
    if (options.as) headers.set('authorization', `Bearer ${options.as}`);
    return fetch(server.url + path, { ...options, headers });
  };
  const post: TestServer['post'] = (path, body, contentType = 'application/json', as = 'admin') =>
    call(path, { method: 'POST', body, headers: { 'content-type': contentType }, as });
  return { server, logged, summaries, unavailable, call, post };
}

/** What the HTTP shell of a test is made of. */
export function testDependencies(log: Log, served: readonly Operation[]): HttpAppDependencies {
  const proxies = parseAddressList(['127.0.0.1']);
  if (!proxies.ok) throw new Error('unreachable');
  return {
    operations: served,
    authenticate: async (token) => principals[token],
    log,
    trustedProxies: proxies.list,
    newId: () => 'made-id',
    monotonicMs: () => performance.now(),
    bodyPace: { graceMs: 300, bytesPerSecondMin: 100_000 },
  };
}

/** The problem document of an answer. */
export async function problemOf(response: Response): Promise<Record<string, unknown>> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  return (await response.json()) as Record<string, unknown>;
}
