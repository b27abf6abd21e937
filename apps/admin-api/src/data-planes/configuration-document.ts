import { createHash } from 'node:crypto';
import { configurationFormat, familyNamed } from '@portcullis/resources';
import type { Family } from '@portcullis/resources';
import { effectiveGroups, groupsByMember } from '../consumers/effective-groups.ts';
import type { Database, Executor } from '../database/database.ts';
import { revealedBody } from '../resources/secret-values.ts';
import { isValues, without } from '../resources/values.ts';
import type { Values } from '../resources/values.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { TenantSecrets } from '../secrets/tenant-secrets.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import { gatewayRevision } from './gateway-revision.ts';

/** A gateway's configuration as text, ready to be sent any number of times. */
export interface ConfigurationText {
  readonly revision: number;
  readonly hash: string;
  readonly text: string;
}

/** What building a document takes. */
export interface ConfigurationSources {
  readonly database: Database;
  readonly store: ResourceStore;
  readonly secrets: SecretBox;
}

/** Families of a document and whose records they hold. The key in the document is the family's bundle key. */
const gatewayFamilies = ['services', 'routes', 'upstreams', 'targets'] as const;
const consumerFamilies = ['consumers', 'consumer-credentials'] as const;

/**
 * Builds what one gateway needs, from one consistent view of the database. Secrets are opened: the document is for the
 * gateway's own process, over its authenticated connection, and for nobody else.
 * @returns `undefined` when the gateway is gone
 */
export async function buildConfiguration(
  sources: ConfigurationSources,
  tenantId: string,
  gatewayId: string,
): Promise<ConfigurationText | undefined> {
  const secrets = await sources.secrets.forTenant(tenantId);
  const view: DocumentView = { store: sources.store, secrets, tenantId };
  return sources.database.snapshot(async (executor) => {
    const gateway = await sources.store.get(executor, tenantId, 'gateways', gatewayId);
    if (!gateway) return undefined;
    const revision = await gatewayRevision(executor, tenantId, gatewayId);
    const resources: Record<string, unknown> = { gateway: delivered(view, familyNamed('gateways'), gateway) };
    for (const name of gatewayFamilies) {
      resources[keyOf(name)] = await collect(view, executor, name, gatewayId);
    }
    const audience = await readAudience(view, executor, gatewayId);
    for (const name of consumerFamilies) {
      const records = await collect(view, executor, name, undefined);
      const isOwn = ownershipOf(gatewayId, resources);
      resources[keyOf(name)] = records.filter(isOwn).flatMap((record) => forGateway(audience, record));
    }
    const plugins = await collect(view, executor, 'plugins', undefined);
    resources['plugins'] = plugins.filter(ownershipOf(gatewayId, resources));
    const resourcesText = JSON.stringify(resources);
    const hash = createHash('sha256').update(resourcesText).digest('hex');
    const head = JSON.stringify({ format: configurationFormat, tenant_id: tenantId, revision, hash });
    return { revision, hash, text: `${head.slice(0, -1)},"resources":${resourcesText}}` };
  });
}

/** What decides which consumers a gateway gets, and with which groups. */
interface Audience {
  readonly realmIds: ReadonlySet<unknown>;
  /** Names of the groups that list a consumer, by its ID. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

async function readAudience(view: DocumentView, executor: Executor, gatewayId: string): Promise<Audience> {
  const { store, tenantId } = view;
  const realms = await all(store.scan(executor, tenantId, 'realms'));
  const groups = await all(store.scan(executor, tenantId, 'consumer-groups'));
  const isOfGateway = ({ body }: StoredRecord): boolean => {
    const gatewayIds = body['gateway_ids'];
    return Array.isArray(gatewayIds) && gatewayIds.includes(gatewayId);
  };
  return { realmIds: new Set(realms.filter(isOfGateway).map(({ id }) => id)), groups: groupsByMember(groups) };
}

/**
 * A consumer or credential as the gateway gets it, or nothing: what is disabled and who belongs to a realm of other gateways
 * stay away, and so do their secrets.
 */
function forGateway({ realmIds, groups }: Audience, record: Values): Values[] {
  const realmId = record['realm_id'] ?? undefined;
  if (record['enabled'] === false || (realmId !== undefined && !realmIds.has(realmId))) return [];
  if (!('groups' in record)) return [record];
  return [{ ...record, groups: effectiveGroups(record['groups'], groups.get(String(record['id']))) }];
}

async function all(pages: AsyncIterable<readonly StoredRecord[]>): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const page of pages) records.push(...page);
  return records;
}

function keyOf(family: string): string {
  return familyNamed(family).bundle?.key ?? family;
}

/**
 * Whether a tenant-wide record is for this gateway: whatever it refers to must be delivered too. So a credential stays away
 * with its consumer, and a plugin of another gateway's service or route with its secrets.
 * @param delivered what the document holds so far, by bundle key
 */
function ownershipOf(gatewayId: string, delivered: Readonly<Record<string, unknown>>): (record: Values) => boolean {
  const selectors = [
    { field: 'gateway_id', known: new Set<unknown>([gatewayId]) },
    { field: 'workspace_id', known: new Set([workspaceOf(delivered['gateway'])]) },
    { field: 'service_id', known: valuesOf(delivered['services'], 'id') },
    { field: 'service_name', known: valuesOf(delivered['services'], 'name') },
    { field: 'route_id', known: valuesOf(delivered['routes'], 'id') },
    { field: 'route_name', known: valuesOf(delivered['routes'], 'name') },
    { field: 'consumer_id', known: valuesOf(delivered['consumers'], 'id') },
  ];
  return (record) =>
    selectors.every(({ field, known }) => {
      const value = record[field];
      return value === undefined || value === null || known.has(value);
    });
}

/** The workspace that a gateway's requests belong to: the one that it names, else its own generated one. */
function workspaceOf(gateway: unknown): unknown {
  if (!isValues(gateway)) return undefined;
  const own = gateway['workspace'];
  return gateway['workspace_id'] ?? (isValues(own) ? own['id'] : undefined);
}

function valuesOf(records: unknown, field: string): ReadonlySet<unknown> {
  return new Set(Array.isArray(records) ? records.map((record: Values) => record[field]) : []);
}

interface DocumentView {
  readonly store: ResourceStore;
  readonly secrets: TenantSecrets;
  readonly tenantId: string;
}

async function collect(
  view: DocumentView,
  executor: Executor,
  familyName: string,
  gatewayId: string | undefined,
): Promise<Values[]> {
  const family = familyNamed(familyName);
  const records: Values[] = [];
  for await (const page of view.store.scan(executor, view.tenantId, familyName, gatewayId)) {
    for (const record of page) records.push(delivered(view, family, record));
  }
  return records;
}

/** What operators write for themselves, and what only the control plane compares with; gateways never read it. */
const operatorFields = ['description', 'labels', 'key_prefix', 'password_mask', 'issuer'] as const;

function delivered(view: DocumentView, family: Family, record: StoredRecord): Values {
  const body = Object.keys(record.secrets).length === 0 ? record.body : revealedBody(view.secrets, record);
  return {
    id: record.id,
    ...(family.scope === 'gateway' && { gateway_id: record.gatewayId }),
    ...without(body, ...operatorFields),
    created_at_ms: record.createdAtMs,
  };
}
