import { accessRuleOf, levelOf } from './access-rules.test-support.ts';
import type { DescribedOperation } from './described-operations.test-support.ts';
import type { SentRequest } from './http-client.test-support.ts';
import type { IsolationWorld } from './isolation-world.test-support.ts';
import { refusalOf, type TestPrincipal } from './principals.test-support.ts';
import { type SampleRequest, sampleRequest } from './sample-requests.test-support.ts';

/** One request, and what the requirement says that it is answered with. */
export interface AccessCase {
  readonly title: string;
  readonly request: SentRequest;
  readonly statuses: readonly number[];
  /** The `code` of the problem, where one is fixed. */
  readonly code?: string;
}

/** What an operation answers to somebody who asks it about the own tenant's records. */
export async function accessCase(
  world: IsolationWorld,
  operation: DescribedOperation,
  who: TestPrincipal,
): Promise<AccessCase> {
  const refusal = refusalOf(who, levelOf(operation), operation.method);
  const place = world.place(world.own);
  // A refused deletion needs no record of its own: nothing may happen to this one.
  const spare = async (family: string): Promise<string> => world.own.records[family] ?? '';
  const sample = await sampleRequest(
    world.description,
    operation,
    refusal || isForeign(who) ? { ...place, spare } : place,
  );
  const expected = refusal ? refusedWith(refusal) : grantedTo(world, who, operation, sample);
  const names = who.namesTenant && takesTenant(operation) ? { tenant_id: world.own.id } : {};
  return { ...expected, title: titleOf(operation, who), request: asRequest(sample, who, names) };
}

/** Who names a tenant that is not theirs in the query, or in the body: both are refused, not overheard. */
export async function namingCases(
  world: IsolationWorld,
  operation: DescribedOperation,
  { who, named }: { readonly who: TestPrincipal; readonly named: string },
): Promise<readonly AccessCase[]> {
  if (!takesTenant(operation) || refusalOf(who, levelOf(operation), operation.method)) return [];
  const spare = async (family: string): Promise<string> => world.own.records[family] ?? '';
  const sample = await sampleRequest(world.description, operation, { ...world.place(world.own), spare });
  const title = titleOf(operation, who);
  const isOwnList = accessRuleOf(operation).foreignLists === 'own' && operation.id.startsWith('list');
  const isRecordless = operation.pathParameters.length === 0;
  const bodyOf = (tenantId: string): unknown =>
    isObject(sample.body) && 'tenant_id' in sample.body ? { ...sample.body, tenant_id: tenantId } : sample.body;
  const expected = isOwnList && isRecordless ? { statuses: [200] } : { statuses: [403], code: 'cross_tenant' };
  const missing = { title: `${title} naming a tenant that does not exist`, statuses: expected.statuses };
  const inQuery = {
    ...expected,
    title: `${title} naming the tenant in the query`,
    request: asRequest({ ...sample, body: bodyOf(named) }, who, { tenant_id: named }),
  };
  const nowhere = { tenant_id: 'tenant-that-is-not' };
  const unknown = { ...missing, request: asRequest({ ...sample, body: bodyOf(nowhere.tenant_id) }, who, nowhere) };
  if (!isObject(sample.body)) return [inQuery, unknown];
  const body = { ...sample.body, tenant_id: named };
  return [
    inQuery,
    unknown,
    {
      title: `${title} naming the tenant in the body`,
      statuses: [403],
      code: 'cross_tenant',
      request: asRequest({ ...sample, body }, who, {}),
    },
    {
      title: `${title} naming the tenant in the body and another in the query`,
      statuses: [400],
      code: 'tenant_mismatch',
      request: asRequest({ ...sample, body }, who, { tenant_id: 'tenant-that-is-not' }),
    },
  ];
}

type Expected = Pick<AccessCase, 'statuses' | 'code'>;

function refusedWith(status: 401 | 403): Expected {
  return { statuses: [status], code: status === 401 ? 'unauthenticated' : 'forbidden' };
}

/** For those to whom the level is open it depends on whose records they are. */
function grantedTo(
  world: IsolationWorld,
  who: TestPrincipal,
  operation: DescribedOperation,
  sample: SampleRequest,
): Expected {
  const { reach } = accessRuleOf(operation);
  const granted = { statuses: sample.statuses };
  // Records that exist for everybody are nobody's.
  if (who.belongsTo !== 'none' && world.own.shared.has(operation.tag)) return granted;
  if (reach === 'none' || reach === 'node' || who.belongsTo === 'own') return granted;
  if (who.belongsTo === 'none') return grantedToSuperAdministrator(who, operation, reach, granted);
  const isAboutTenant = 'tenant_id' in sample.query || (isObject(sample.body) && 'tenant_id' in sample.body);
  if (isAboutTenant) return { statuses: [403], code: 'cross_tenant' };
  // Only the own tenant may have children.
  if (reach === 'system' && operation.method === 'POST') return { statuses: [403], code: 'forbidden' };
  // They act in their own tenant, where the records that a body refers to are not.
  const isUpsert = operation.method === 'PUT' && operation.pathParameters.length === 1;
  return operation.pathParameters.length === 0 || isUpsert
    ? { statuses: [200, 201, 422] }
    : { statuses: [404], code: 'not_found' };
}

function grantedToSuperAdministrator(
  who: TestPrincipal,
  operation: DescribedOperation,
  reach: string,
  granted: Expected,
): Expected {
  const required = { statuses: [400], code: 'tenant_required' };
  if (reach === 'system' || reach === 'global' || who.namesTenant) return granted;
  if (operation.tag === 'configuration') return granted;
  if (reach === 'tenant') return required;
  // Records outside all tenants are these callers' own; for a tenant's they have to name it. Source: spec, Errors.
  // A user of no tenant is a super administrator, which the sample is not. Source: decisions, 4.
  const isTenantsOwn =
    operation.pathParameters.length > 0 || (operation.tag === 'users' && operation.method === 'POST');
  return isTenantsOwn ? required : { statuses: [200, 201, 422] };
}

function isForeign({ belongsTo }: TestPrincipal): boolean {
  return belongsTo !== 'own' && belongsTo !== 'none';
}

function takesTenant(operation: DescribedOperation): boolean {
  return operation.queryParameters.some(({ name }) => name === 'tenant_id');
}

function asRequest(sample: SampleRequest, who: TestPrincipal, names: Readonly<Record<string, string>>): SentRequest {
  const query = new URLSearchParams({ ...sample.query, ...names }).toString();
  return {
    method: sample.method,
    path: sample.path + (query === '' ? '' : `?${query}`),
    body: sample.body,
    ...(who.token !== undefined && { token: who.token }),
  };
}

function titleOf(operation: DescribedOperation, who: TestPrincipal): string {
  return `${who.name}: ${operation.title}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
