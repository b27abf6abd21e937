import { familyNamed } from '@portcullis/resources';
import { effectiveGroups, groupsByMember } from '../consumers/effective-groups.ts';
import type { Executor } from '../database/database.ts';
import { isValues } from '../resources/values.ts';
import { currentRevision } from '../revisions/changes-since.ts';
import type { TenantSecrets } from '../secrets/tenant-secrets.ts';
import { thresholdsOfGateway } from '../slos/slo-thresholds.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import {
  ConfigurationImage,
  delivering,
  withholding,
  type Audience,
  type ImageChange,
  type RecordKey,
} from './configuration-image.ts';
import {
  configurationFamilyOf,
  deliveredRecord,
  gatewayFamilies,
  tenantFamilies,
  type DeliveredFamily,
} from './delivered-record.ts';
import { gatewayRevision } from './gateway-revision.ts';
import { selectorsOf, type KnownValues } from './known-values.ts';

/** Where an image is read from: one consistent view of the database. */
export interface ImageView {
  readonly store: ResourceStore;
  readonly secrets: TenantSecrets;
  readonly executor: Executor;
  readonly tenantId: string;
  readonly gatewayId: string;
}

/**
 * Reads a gateway's whole configuration. Secrets are opened: the image is for the gateway's own processes and nobody else.
 * @returns `undefined` when the gateway is gone
 */
export async function readImage(view: ImageView): Promise<ConfigurationImage | undefined> {
  const { store, executor, tenantId, gatewayId } = view;
  const gateway = await store.get(executor, tenantId, 'gateways', gatewayId);
  if (!gateway) return undefined;
  const to = await revisionsOf(view);
  const thresholds = await thresholdsOfGateway(executor, { tenantId, gatewayId });
  const own = {
    ...deliveredRecord(view.secrets, familyNamed('gateways').name, gateway),
    // What objectives of latency compare with. A change of it is noted as a change of the gateway.
    ...(thresholds.length > 0 && { latency_thresholds_us: thresholds }),
  };
  const offers = [`gateway_id ${gatewayId}`, `workspace_id ${String(workspaceOf(own))}`];
  const image = new ConfigurationImage({ tenantId, gatewayId }, { audience: await readAudience(view), offers });
  const changes: ImageChange[] = [delivering('gateway', own, undefined)];
  const { known } = image;
  const draft = known.draft();
  const collect = async (family: DeliveredFamily, ofGateway?: string): Promise<void> => {
    for await (const page of store.scan(executor, tenantId, family, ofGateway)) {
      for (const record of page) {
        const change = changeOf(view, image.audience, draft, family, record);
        for (const selector of change.delivered?.offers ?? []) draft.add(selector, 1);
        changes.push(change);
      }
    }
  };
  for (const family of gatewayFamilies) await collect(family, gatewayId);
  for (const family of tenantFamilies) await collect(family);
  image.apply(changes, to);
  return image;
}

/** Which revisions a view shows. */
export async function revisionsOf(view: ImageView): Promise<{ revision: number; logRevision: number }> {
  return {
    revision: await gatewayRevision(view.executor, view.tenantId, view.gatewayId),
    logRevision: await currentRevision(view.executor, view.tenantId),
  };
}

/**
 * Whether and how a gateway gets a record. A record of the tenant is for the gateway when everything that it names is delivered
 * too: so a credential stays away with its consumer, and a plugin of another gateway's route with its secrets. Credentials that are
 * disabled, and consumers of a realm of other gateways, stay away as well. Disabled consumers are delivered: the gateway has to
 * refuse who is called like one.
 */
export function changeOf(
  view: ImageView,
  { realmIds, groups }: Audience,
  known: KnownValues,
  family: DeliveredFamily,
  record: StoredRecord,
): ImageChange {
  const name = configurationFamilyOf(family);
  const key: RecordKey = `${name}/${record.id}`;
  if (isOfGateways(family)) {
    if (record.gatewayId !== view.gatewayId) return withholding(key, undefined);
    return delivering(name, deliveredRecord(view.secrets, family, record), undefined);
  }
  const selects = selectorsOf(record.body);
  if (!selects.every((selector) => known.has(selector))) return withholding(key, selects);
  // To have one at all asks gateways for a newer form, so those that are disabled, and left out there, stay away.
  if (family === 'ai-records' && !record.enabled) return withholding(key, undefined);
  if (family === 'plugins' || family === 'vaults' || family === 'ai-records')
    return delivering(name, deliveredRecord(view.secrets, family, record), selects);
  const realmId = record.body['realm_id'] ?? undefined;
  const isDisabledCredential = family === 'consumer-credentials' && record.body['enabled'] === false;
  const isElsewhere = realmId !== undefined && !realmIds.has(realmId);
  if (isDisabledCredential || isElsewhere) return withholding(key, selects);
  const whole = deliveredRecord(view.secrets, family, record);
  if (!('groups' in whole)) return delivering(name, whole, selects);
  const effective = effectiveGroups(whole['groups'], groups.get(record.id));
  return delivering(name, { ...whole, groups: effective }, selects);
}

function isOfGateways(family: DeliveredFamily): boolean {
  return (gatewayFamilies as readonly string[]).includes(family);
}

async function readAudience({ store, executor, tenantId, gatewayId }: ImageView): Promise<Audience> {
  const realms = await all(store.scan(executor, tenantId, 'realms'));
  const groups = await all(store.scan(executor, tenantId, 'consumer-groups'));
  const isOfGateway = ({ body }: StoredRecord): boolean => {
    const gatewayIds = body['gateway_ids'];
    return Array.isArray(gatewayIds) && gatewayIds.includes(gatewayId);
  };
  return { realmIds: new Set(realms.filter(isOfGateway).map(({ id }) => id)), groups: groupsByMember(groups) };
}

async function all(pages: AsyncIterable<readonly StoredRecord[]>): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const page of pages) records.push(...page);
  return records;
}

/** The workspace that a gateway's requests belong to: the one that it names, else its own generated one. */
function workspaceOf(gateway: Readonly<Record<string, unknown>>): unknown {
  const own = gateway['workspace'];
  return gateway['workspace_id'] ?? (isValues(own) ? own['id'] : undefined);
}
