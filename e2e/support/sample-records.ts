import { readFileSync } from 'node:fs';
import { entityFamilies } from '@portcullis/resources';
import type { Family } from '@portcullis/resources';

/** A record of a family as a caller would send it, and a change to it. */
export interface Sample {
  readonly family: Family;
  /** @param ids of records that were made before, by family @param suffix makes unique values unique once more */
  readonly body: (ids: Readonly<Record<string, string>>, suffix: string) => Record<string, unknown>;
  /** Fields of a later update, and what reads then show of them; nothing for a family that cannot be changed. */
  readonly change?: Record<string, unknown>;
}

const pem = (name: string): string => readFileSync(new URL(`../testdata/${name}.pem`, import.meta.url), 'utf8');

/** The suffix of the records that others refer to. */
export const firstSuffix = 'first';

const described = { description: 'changed' };

const samples: Readonly<Record<string, Omit<Sample, 'family'>>> = {
  tenants: {
    body: (_, suffix) => ({ name: `Tenant ${suffix}`, slug: `sample-${suffix}` }),
    change: { name: 'Changed' },
  },
  users: {
    body: (_, suffix) => ({ username: `user-${suffix}`, password: 'correct horse battery', role: 'reader' }),
    change: { role: 'writer' },
  },
  organizations: { body: (_, suffix) => ({ name: `organization-${suffix}` }), change: described },
  teams: {
    body: (ids, suffix) => ({
      name: `team-${suffix}`,
      member_ids: [ids['users']],
      roles: ['writer'],
      organization_id: ids['organizations'],
    }),
    change: { roles: ['reader'] },
  },
  'api-tokens': { body: (_, suffix) => ({ name: `token-${suffix}`, scopes: ['admin:read'] }) },
  'plugin-packages': {
    body: (_, suffix) => ({
      name: `package_${suffix}`,
      config_schema: { type: 'object', additionalProperties: false },
    }),
  },
  workspaces: { body: (_, suffix) => ({ name: `workspace-${suffix}`, metadata: { cost: '7' } }), change: described },
  gateways: {
    body: (_, suffix) => ({ name: `gateway-${suffix}`, hosts: ['shop.example'] }),
    change: { hosts: ['other.example'] },
  },
  vaults: {
    body: (_, suffix) => ({ name: `vault-${suffix}`, prefix: `v${suffix}`, driver: 'env', config: {} }),
    change: described,
  },
  'cache-store-configs': { body: (_, suffix) => ({ name: `cache-${suffix}`, driver: 'memory' }), change: described },
  'ai-records': {
    body: (_, suffix) => ({ name: `policy-${suffix}`, kind: 'policy', config: { allowed_models: ['*'] } }),
    change: { enabled: false },
  },
  certificates: {
    body: (_, suffix) => ({ name: `certificate-${suffix}`, cert: pem('leaf.cert'), key: pem('leaf.key') }),
    change: described,
  },
  'ca-certificates': {
    body: (_, suffix) => ({
      name: `authority-${suffix}`,
      // One certificate is one record of a gateway.
      cert: pem(suffix === firstSuffix ? 'authority.cert' : 'other-authority.cert'),
    }),
    change: described,
  },
  realms: { body: (ids, suffix) => ({ name: `realm-${suffix}`, gateway_ids: [ids['gateways']] }), change: described },
  consumers: { body: (_, suffix) => ({ username: `consumer-${suffix}` }), change: described },
  upstreams: { body: (_, suffix) => ({ name: `upstream-${suffix}` }), change: described },
  snis: {
    body: (ids, suffix) => ({ name: `s${suffix}.shop.example`, certificate_id: ids['certificates'] }),
    change: { labels: { stage: 'test' } },
  },
  services: {
    body: (ids, suffix) => ({ name: `service-${suffix}`, upstream_id: ids['upstreams'] }),
    change: { retries: 2 },
  },
  'consumer-credentials': {
    body: (ids, suffix) => ({ consumer_id: ids['consumers'], type: 'api_key', name: `key-${suffix}` }),
    change: { enabled: false },
  },
  'consumer-groups': {
    body: (ids, suffix) => ({ name: `group-${suffix}`, consumers: [ids['consumers']] }),
    change: described,
  },
  routes: {
    body: (ids, suffix) => ({ name: `route-${suffix}`, path: `/r${suffix}`, service_id: ids['services'] }),
    change: { methods: ['GET'] },
  },
  targets: {
    body: (ids, suffix) => ({ target: `t${suffix}.internal:8080`, upstream_id: ids['upstreams'] }),
    change: { weight: 7 },
  },
  plugins: {
    body: (ids) => ({ name: 'correlation_id', scope: 'gateway', gateway_id: ids['gateways'], config: {} }),
    change: { priority: 5 },
  },
  'data-planes': {
    body: (ids, suffix) => ({ name: `node-${suffix}`, gateway_id: ids['gateways'] }),
    change: { labels: { zone: 'a' } },
  },
};

/** A sample of every family that callers can create, in the order of the catalogue. @throws Error for a family without one */
export const sampleRecords: readonly Sample[] = entityFamilies
  // Packages are installed by an operation beside those that the catalogue declares.
  .filter((family) => family.methods.includes('POST') || family.name === 'plugin-packages')
  .map((family) => {
    const sample = samples[family.name];
    if (!sample) throw new Error(`there is no sample record of ${family.name}: add one`);
    return { family, ...sample };
  });

/** Where the family's collection answers. @param gatewayId of the gateway that records of a gateway's families lie in */
export function collectionPath(family: Family, gatewayId: string | undefined): string {
  if (family.scope === 'gateway') return `/api/v1/admin/gateways/${gatewayId}/${family.name}`;
  const declared = family.collectionPaths?.find((path) => path.startsWith('/admin/'));
  return `/api/v1${declared ?? `/admin/${family.name}`}`;
}

/** The query that names the tenant; records of the system have none. */
export function tenantQuery(family: Family, tenantId: string): string {
  return family.scope === 'system' ? '' : `tenant_id=${tenantId}`;
}
