import { randomBytes } from 'node:crypto';
import { catalogue } from '@portcullis/resources';
import { type DescribedOperation, fillPath } from './described-operations.test-support.ts';
import type { Reply, SentRequest } from './http-client.test-support.ts';
import { makePrincipals } from './make-principals.test-support.ts';
import type { TestPrincipal } from './principals.test-support.ts';
import { bodyFor, familyOf, isCreate, observationsOf, type RequestPlace } from './sample-requests.test-support.ts';
import { startWatchedService, type WatchedService } from './watched-service.test-support.ts';

/** A tenant with a record of every family. */
export interface FilledTenant {
  readonly id: string;
  readonly records: Record<string, string>;
  /** Records as the answer to their creation showed them. */
  readonly shown: Record<string, Readonly<Record<string, unknown>>>;
  /** What was sent to create them. */
  readonly sent: Record<string, Readonly<Record<string, unknown>>>;
  /** Bearer token of a data plane. */
  node: string | undefined;
  /** Why there is no record of some families. */
  readonly unfilled: string[];
  /** Families whose records exist for every tenant, because callers do not create them. */
  readonly shared: Set<string>;
}

/** Tenants `own` and `other`, filled; `own` has a parent and a child. Everyone who calls. */
export interface IsolationWorld extends WatchedService {
  readonly own: FilledTenant;
  readonly other: FilledTenant;
  readonly parentId: string;
  readonly childId: string;
  readonly principals: readonly TestPrincipal[];
  /** The principal of that name. @throws RangeError when there is none */
  principal(name: string): TestPrincipal;
  /** A text that no record has yet. */
  newMark(): string;
  /** Makes another record as the super administrator. @throws Error when that is refused */
  make(tenant: FilledTenant, family: string, change?: Readonly<Record<string, unknown>>): Promise<Reply>;
  place(tenant: FilledTenant): RequestPlace;
  /** Texts and IDs of `other`, and secrets of anybody, in answers to those who may not see them. Forgets them. */
  takeLeaks(): readonly string[];
}

/** Begins every text of the other tenant's records, and nothing else. */
export const canary = `cnry${randomBytes(4).toString('hex')}`;
const ownPrefix = `mine${randomBytes(4).toString('hex')}`;
const secretText = /[a-z0-9]+-SECRET-0123456789/;

/** The operation that creates records of a family at its own path; nothing for families that callers do not create. */
export function creatorOf(world: WatchedService, family: string): DescribedOperation | undefined {
  return world.description.operations
    .filter((operation) => operation.tag === family && isCreate(operation))
    .toSorted((left, right) => left.id.length - right.id.length)[0];
}

/** Starts the service and fills it. */
export async function startIsolationWorld(databaseUrl: string): Promise<IsolationWorld> {
  const watch = leakWatch();
  const watched = await startWatchedService(databaseUrl, watch.onReply);
  let count = 0;
  const markWith = (prefix: string) => (): string => `${prefix}x${(count += 1)}`;
  const newMark = markWith(ownPrefix);
  const otherMark = markWith(canary);
  const make = async (tenant: FilledTenant, family: string, change = {}): Promise<Reply> => {
    const creator = creatorOf(watched, family);
    if (!creator) throw new RangeError(`${family}: callers do not create these`);
    const mark = tenant.id === tenantIds.other ? otherMark() : newMark();
    const body = { ...bodyFor(family, { records: tenant.records, mark }), ...change };
    const parameters = creator.pathParameters.map((name) => [name, tenant.records[familyOf(name) ?? ''] ?? '']);
    const path = fillPath(creator, Object.fromEntries(parameters));
    const query = creator.queryParameters.some(({ name }) => name === 'tenant_id') ? `?tenant_id=${tenant.id}` : '';
    const reply = await watched.client.send({ method: 'POST', path: path + query, token: watched.service.token, body });
    if (reply.status !== 201) throw new Error(`sample of ${family}: ${reply.status} ${reply.text}`);
    tenant.sent[family] ??= body;
    return reply;
  };
  await makeTenants(watched);
  const [own, other] = [await fill(watched, tenantIds.own, make), await fill(watched, tenantIds.other, make)];
  if (other.node !== undefined) {
    const path = '/api/v1/data-plane/observations';
    await watched.client.send({ method: 'POST', path, token: other.node, body: observationsOf(otherMark()) });
  }
  const principals = await makePrincipals(watched, { own, other, ids: tenantIds });
  watch.begin(principals, Object.values(other.records));
  return {
    ...watched,
    own,
    other,
    parentId: tenantIds.parent,
    childId: tenantIds.child,
    principals,
    newMark,
    make,
    takeLeaks: watch.take,
    principal(name) {
      const found = principals.find((one) => one.name === name);
      if (!found) throw new RangeError(`nobody is called ${name}`);
      return found;
    },
    place: (tenant) => ({
      tenantId: tenant.id,
      records: tenant.records,
      mark: newMark(),
      spare: async (family) => String((await make(tenant, family)).json.id),
    }),
  };
}

const tenantIds = { own: 'tenant-own', other: 'tenant-other', parent: 'tenant-parent', child: 'tenant-child' };

/** Slugs of the world's tenants. */
export type TenantIds = typeof tenantIds;

async function makeTenants({ client, service, description }: WatchedService): Promise<void> {
  const creator = description.operations.find((operation) => operation.tag === 'tenants' && isCreate(operation));
  const properties: object = description.resolve(creator?.body?.schema ?? {})['properties'] ?? {};
  const parents: readonly (readonly [string, string | undefined])[] = [
    [tenantIds.parent, undefined],
    [tenantIds.own, tenantIds.parent],
    [tenantIds.child, tenantIds.own],
    [tenantIds.other, undefined],
  ];
  for (const [id, parent] of parents) {
    // The own tenant may have children, its parent may not: so the parent's administrators do not see it either.
    const grants = { can_create_tenant: true, tenant_quota: 10_000 };
    const body = {
      name: `Name of ${id}`,
      slug: id,
      ...(parent !== undefined && 'parent_id' in properties && { parent_id: parent }),
      ...(id === tenantIds.own && 'can_create_tenant' in properties && grants),
    };
    const reply = await client.send({ method: 'POST', path: '/api/v1/admin/tenants', token: service.token, body });
    if (reply.status !== 201) throw new Error(`tenant ${id}: ${reply.status} ${reply.text}`);
  }
}

async function fill(world: WatchedService, id: string, make: IsolationWorld['make']): Promise<FilledTenant> {
  const tenant: FilledTenant = {
    id,
    records: { tenants: id },
    shown: {},
    sent: {},
    node: undefined,
    unfilled: [],
    shared: new Set(),
  };
  for (const family of catalogue) {
    if (family.name === 'tenants') continue;
    if (!creatorOf(world, family.name)) {
      // Those that exist for everybody can still be read.
      const list = await world.client.send({
        method: 'GET',
        path: `/api/v1/admin/${family.name}?tenant_id=${id}`,
        token: world.service.token,
      });
      tenant.records[family.name] = String(list.json?.items?.[0]?.id ?? 'none');
      tenant.shared.add(family.name);
      continue;
    }
    try {
      const { json } = await make(tenant, family.name);
      tenant.records[family.name] = String(json.id);
      tenant.shown[family.name] = json;
      if (family.name === 'data-planes') tenant.node = String(json.token);
    } catch (error) {
      // One family that cannot be made must not hide what is wrong with the others; a test looks at this list.
      tenant.unfilled.push(String(error));
      tenant.records[family.name] = 'none';
    }
  }
  return tenant;
}

/** Looks for what nobody of the own tenant may be shown, in every answer that they get. */
function leakWatch() {
  const leaks: string[] = [];
  let tokens: ReadonlySet<string | undefined> = new Set();
  let ids: readonly string[] = [];
  const onReply = (reply: Reply, request: SentRequest): void => {
    const sent = `${request.path} ${JSON.stringify(request.body) ?? ''} ${JSON.stringify(request.headers ?? {})}`;
    const got = `${JSON.stringify(reply.headers)} ${reply.text}`;
    const note = (what: string): void =>
      void leaks.push(`${request.method} ${request.path} → ${reply.status}: ${what}`);
    const secret = secretText.exec(got)?.[0];
    // Nodes get their gateway's configuration with its secrets opened.
    const isForNode = request.path === '/api/v1/data-plane/config';
    if (secret !== undefined && !sent.includes(secret) && !isForNode) note(`the secret ${secret}`);
    if (!tokens.has(request.token)) return;
    if (got.includes(canary) && !sent.includes(canary))
      note(`the text ${got.slice(got.indexOf(canary) - 40, got.indexOf(canary) + 40)}`);
    // Labels of metrics carry IDs, never texts; who may scrape is the network's matter (decisions, 18).
    if (request.path === '/metrics') return;
    for (const id of ids) if (got.includes(id) && !sent.includes(id)) note(`the ID ${id}`);
  };
  return {
    onReply,
    begin(principals: readonly TestPrincipal[], otherIds: readonly string[]): void {
      tokens = new Set(principals.filter((who) => who.belongsTo === 'own').map((who) => who.token));
      ids = otherIds.filter((id) => /^[0-9a-f-]{36}$/.test(id));
    },
    take: (): readonly string[] => [...new Set(leaks.splice(0))],
  };
}
