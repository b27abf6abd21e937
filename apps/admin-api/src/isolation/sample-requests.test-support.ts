import { catalogue } from '@portcullis/resources';
import { sampleOf } from './families-samples.test-support.ts';
import { type DescribedOperation, type Description, fillPath } from './described-operations.test-support.ts';

/** A tenant's records, by family. */
export type Records = Readonly<Record<string, string>>;

/** Where a request is made for. */
export interface RequestPlace {
  readonly tenantId: string;
  readonly records: Records;
  /** See `SampleContext`. */
  readonly mark: string;
  /** Makes a record that this request may destroy, and gives its ID. */
  readonly spare: (family: string) => Promise<string>;
}

/** A request that the service should grant to whoever may make it. */
export interface SampleRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly statuses: readonly number[];
}

const familyNames = new Set(catalogue.map((family) => family.name));

/** Families by the path parameters that name their records. */
const familyOfParameter: ReadonlyMap<string, string> = new Map([
  ...catalogue.map((family) => [`${family.singular}_id`, family.name] as const),
  ['service_id_or_name', 'services'],
  ['version_id', 'service-versions'],
]);

/** Path parameters that name no record of a family. */
const otherParameters: Readonly<Record<string, string>> = {
  file_name: 'start.js',
  snapshot_id: 'none',
  audit_id: 'none',
  request_id: 'none',
};

/** The family whose records a path parameter names; nothing for those that name something else. @throws RangeError for an unknown one */
export function familyOf(parameter: string): string | undefined {
  const family = familyOfParameter.get(parameter);
  if (family === undefined && !(parameter in otherParameters)) {
    throw new RangeError(`nothing says what the path parameter ${parameter} names; add it to sample-requests`);
  }
  return family;
}

/** Whether an operation creates a record of its family. */
export function isCreate(operation: DescribedOperation): boolean {
  return familyNames.has(operation.tag) && /^(?:create|install)/.test(operation.id);
}

/** The path parameter that names the record itself, of operations about one. */
export function recordParameterOf(operation: DescribedOperation): string | undefined {
  const isOwn = familyNames.has(operation.tag) && /\}(?:\/references)?$/.test(operation.path) && !isCreate(operation);
  const last = operation.pathParameters.at(-1);
  return isOwn && last !== undefined && familyOf(last) === operation.tag ? last : undefined;
}

/** May point the path's parameters to a record that the request may change for good. */
type Recipe = (
  place: RequestPlace,
  values: Record<string, string>,
) => Partial<SampleRequest> | Promise<Partial<SampleRequest>>;

const bundle = ({ tenantId, mark }: RequestPlace): Partial<SampleRequest> => ({
  body: { tenant_id: tenantId, gateways: [{ name: `bundle-${mark}` }] },
});

const named = ({ tenantId }: RequestPlace): Partial<SampleRequest> => ({ query: { tenant_id: tenantId } });
/** Who may ask for a snapshot learns that there is none of the name; whose they are is shown by the tests of snapshots. */
const unknownSnapshot = (place: RequestPlace): Partial<SampleRequest> => ({ ...named(place), statuses: [404] });

/** What operations are asked that are about no family. One that is not here, and needs a body, fails the tests. */
const recipes: Readonly<Record<string, Recipe>> = {
  login: ({ mark }) => ({ body: { username: mark, password: mark }, statuses: [401, 429] }),
  refreshSession: ({ mark }) => ({ body: { refresh_token: mark }, statuses: [401] }),
  logout: ({ mark }) => ({ body: { refresh_token: mark }, statuses: [401] }),
  validateConfiguration: bundle,
  diffConfiguration: bundle,
  syncConfiguration: (place) => ({ ...bundle(place), query: { dry_run: 'false' } }),
  importConfiguration: bundle,
  exportConfiguration: named,
  listConfigSnapshots: named,
  createConfigSnapshot: ({ tenantId, mark }) => ({ body: { tenant_id: tenantId, note: mark } }),
  getConfigSnapshot: unknownSnapshot,
  deleteConfigSnapshot: unknownSnapshot,
  exportConfigSnapshot: unknownSnapshot,
  rollBackConfig: unknownSnapshot,
  explainAiRequest: ({ mark }) => ({ body: { model: mark, messages: [{ role: 'user', content: mark }] } }),
  matchRoute: () => ({ body: { method: 'GET', host: 'a.test', path: '/' } }),
  deactivateTenant: async (place, values) => {
    values['tenant_id'] = await place.spare('tenants');
    return {};
  },
  // The own tenant is active already.
  activateTenant: () => ({ statuses: [409] }),
  impersonateTenant: () => ({}),
  verifyAudits: () => ({ body: {} }),
  redactAudit: () => ({ body: { fields: ['metadata'] }, statuses: [404] }),
  setAuditRetention: ({ tenantId }) => ({ body: { tenant_id: tenantId, days: 36_500 } }),
  getRequest: () => ({ statuses: [404] }),
  setObservationRetention: () => ({ body: { request_days: 30, rollup_days: 400 } }),
  evaluateSlos: () => ({ body: {} }),
  evaluateSlo: () => ({ body: {} }),
  // There may be nothing to acknowledge.
  acknowledgeSlo: ({ mark }) => ({ body: { note: mark }, statuses: [200, 409] }),
  exportServiceVersionSdk: () => ({ body: { target: 'typescript-fetch' } }),
  // Several callers ask at once: one sync of an integration is under way at a time, and six are begun in a minute.
  syncIntegration: () => ({ body: {}, statuses: [200, 409, 429] }),
  rotateSigningKeys: () => ({ body: {} }),
  acknowledgeConfiguration: () => ({
    body: { revision: 1, hash: '0'.repeat(64), status: 'applied', duration_ms: 1, errors: [] },
  }),
  sendHeartbeat: ({ mark }) => ({
    body: { version: '0.1.0', hostname: `${mark}.test`, plugin_versions: {}, uptime_seconds: 1 },
  }),
  reportObservations: ({ mark }) => ({ body: observationsOf(mark) }),
};

/** The request that a caller makes who does what the operation is for. @throws RangeError when nothing says how */
export async function sampleRequest(
  description: Description,
  operation: DescribedOperation,
  place: RequestPlace,
): Promise<SampleRequest> {
  const values: Record<string, string> = {};
  for (const parameter of operation.pathParameters) values[parameter] = valueOf(parameter, place);
  const recipe = recipes[operation.id];
  const own = recipe ? await recipe(place, values) : await familyRequest(description, operation, place, values);
  const path = fillPath(operation, values);
  return { method: operation.method, path, query: {}, body: undefined, statuses: [200, 201, 202, 204], ...own };
}

function valueOf(parameter: string, place: RequestPlace): string {
  const family = familyOf(parameter);
  return family === undefined ? (otherParameters[parameter] ?? '') : idIn(place.records, family);
}

/** @param values path parameters; the record's own is changed where the operation needs another one */
async function familyRequest(
  description: Description,
  operation: DescribedOperation,
  place: RequestPlace,
  values: Record<string, string>,
): Promise<Partial<SampleRequest>> {
  const own = recordParameterOf(operation);
  if (operation.method === 'DELETE' && own !== undefined) values[own] = await place.spare(operation.tag);
  if (operation.method === 'PUT' && own !== undefined) values[own] = `put-${place.mark}`;
  if (!operation.body) return {};
  if (operation.method === 'PATCH') return { body: changeOf(description, operation, place.mark) };
  if (isCreate(operation) || operation.method === 'PUT') return { body: bodyFor(operation.tag, place) };
  throw new RangeError(`${operation.title}: nothing says what to send; add ${operation.id} to the recipes`);
}

/** A valid new record of a family at a place. */
export function bodyFor(family: string, place: Pick<RequestPlace, 'records' | 'mark'>): Record<string, unknown> {
  return sampleOf(family, { mark: place.mark, idOf: (target) => idIn(place.records, target) });
}

function changeOf(description: Description, operation: DescribedOperation, mark: string): Record<string, unknown> {
  const properties = description.resolve(operation.body?.schema ?? {})['properties'] as Record<string, unknown>;
  if ('description' in properties) return { description: `changed ${mark}` };
  if ('labels' in properties) return { labels: { [`changed-${mark}`]: mark } };
  return { name: `changed ${mark}` };
}

function idIn(records: Records, family: string): string {
  const id = records[family];
  if (id === undefined) throw new RangeError(`the world holds no record of the family ${family}`);
  return id;
}

/** A batch of observations whose texts hold the mark. */
export function observationsOf(mark: string): object {
  const shared = { latency_us: 1000, gateway_latency_us: 10, request_bytes: 1, response_bytes: 1 };
  const record = {
    ...shared,
    id: crypto.randomUUID(),
    request_id: mark,
    occurred_at_ms: Date.now(),
    route_id: mark,
    consumer_id: mark,
    method: 'GET',
    path: `/${mark}`,
    status: 200,
    status_source: 'upstream',
    client_ip: '192.0.2.1',
    plugins: [],
  };
  const counter = {
    minute: Math.floor(Date.now() / 60_000),
    route_id: mark,
    requests: 1,
    errors_4xx: 0,
    errors_5xx: 0,
    latency_sum_us: 1000,
    request_bytes: 1,
    response_bytes: 1,
    statuses: [[200, 1]],
    histogram: [],
    over: [],
  };
  return { boot_id: crypto.randomUUID(), sequence: 1, dropped_records: 0, counters: [counter], records: [record] };
}
