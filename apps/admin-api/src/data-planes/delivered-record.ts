import { familyNamed } from '@portcullis/resources';
import type { ConfigurationFamily, DeliveredRecord, Family } from '@portcullis/resources';
import { revealedBody } from '../resources/secret-values.ts';
import { without } from '../resources/values.ts';
import type { TenantSecrets } from '../secrets/tenant-secrets.ts';
import type { StoredRecord } from '../store/resource-store.ts';

/** Families whose records belong to one gateway: it gets all of them. */
export const gatewayFamilies = [
  'services',
  'routes',
  'upstreams',
  'targets',
  'certificates',
  'ca-certificates',
  'snis',
] as const;

/** Families of the whole tenant: a gateway gets those records that count for it. Consumers come before what refers to them. */
export const tenantFamilies = ['consumers', 'consumer-credentials', 'plugins', 'vaults', 'ai-records'] as const;

/** A family whose records configurations hold. */
export type DeliveredFamily = (typeof gatewayFamilies)[number] | (typeof tenantFamilies)[number];

const keys: Readonly<Record<DeliveredFamily, ConfigurationFamily>> = {
  services: 'services',
  routes: 'routes',
  upstreams: 'upstreams',
  targets: 'targets',
  certificates: 'certificates',
  'ca-certificates': 'ca_certificates',
  snis: 'snis',
  consumers: 'consumers',
  'consumer-credentials': 'consumer_credentials',
  plugins: 'plugins',
  vaults: 'vaults',
  'ai-records': 'ai_records',
};

/** What a family is called in configurations. */
export function configurationFamilyOf(family: DeliveredFamily): ConfigurationFamily {
  return keys[family];
}

/** What operators write for themselves, and what only the control plane compares with; gateways never read it. */
const operatorFields = ['description', 'labels', 'key_prefix', 'password_mask', 'issuer'] as const;

/** What the control plane reads out of certificates for people, by family: gateways read the certificates themselves. */
const shownFields: ReadonlyMap<string, readonly string[]> = new Map(
  ['certificates', 'ca-certificates'].map((name) => [name, Object.keys(familyNamed(name).readOnlyFields)]),
);

/** A record as gateways get it, with its secrets opened: for the gateway's own process and for nobody else. */
export function deliveredRecord(secrets: TenantSecrets, familyName: string, record: StoredRecord): DeliveredRecord {
  const family: Family = familyNamed(familyName);
  const body = Object.keys(record.secrets).length === 0 ? record.body : revealedBody(secrets, record);
  return {
    id: record.id,
    ...(family.scope === 'gateway' && { gateway_id: record.gatewayId }),
    ...without(body, ...operatorFields, ...(shownFields.get(familyName) ?? [])),
    created_at_ms: record.createdAtMs,
  };
}
