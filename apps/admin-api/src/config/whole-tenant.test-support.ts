import { testdata } from '../certificates/testdata.test-support.ts';

/** Begins every secret of {@link wholeTenant} that a test can choose. */
export const canary = 'canary-';

/** The secrets that cannot be chosen: keys of certificates. */
export const privateKeys: readonly string[] = ['rsa-leaf.key', 'ecdsa-leaf.key'].map(testdata);

const at = { gateway_name: 'edge' };
let made = 0;
const secret = (): string => `${canary}${(made += 1).toString().padStart(24, '0')}`;

/** A tenant with records in every array of a bundle, with references of every kind, and a secret wherever one can be. */
export function wholeTenant(tenantId: string): Readonly<Record<string, unknown>> & { readonly tenant_id: string } {
  return {
    tenant_id: tenantId,
    gateways: [
      { name: 'inner', hosts: ['b.test', 'a.test'] },
      { name: 'edge', labels: { zone: 'no', at: '2024-01-01' } },
    ],
    certificates: [
      {
        ...at,
        name: 'site',
        cert: testdata('rsa-leaf.pem'),
        key: testdata('rsa-leaf.key'),
        cert_alt: testdata('ecdsa-leaf.pem'),
        key_alt: testdata('ecdsa-leaf.key'),
      },
      { gateway_name: 'inner', cert: testdata('rsa-leaf.pem'), key: testdata('rsa-leaf.key') },
    ],
    ca_certificates: [{ ...at, name: 'root', cert: testdata('root.pem') }],
    snis: [{ ...at, name: 'a.test', certificate_name: 'site' }],
    vaults: [
      {
        name: 'hashi',
        prefix: 'hashi',
        driver: 'hashicorp',
        config: { address: 'https://vault.test', token: secret() },
      },
    ],
    cache_store_configs: [{ name: 'shared', driver: 'redis', url: 'redis://cache.test:6379', password: secret() }],
    ai_records: [{ kind: 'policy', name: 'everyone', config: { rate_limit: 5 } }],
    realms: [{ name: 'both', gateway_ids: ['inner', 'edge'] }],
    consumers: [
      { username: 'ann', realm_name: 'both' },
      { username: 'bob', custom_id: '7' },
      { custom_id: 'nameless' },
    ],
    upstreams: [{ ...at, name: 'pool', client_certificate_name: 'site' }],
    targets: [{ ...at, upstream_name: 'pool', target: '10.1.2.3:80' }],
    services: [
      { ...at, name: 'pooled', upstream_name: 'pool', ca_certificate_ids: ['root'] },
      { ...at, name: 'direct', url: 'https://direct.test/base' },
    ],
    consumer_credentials: [
      { consumer_name: 'ann', type: 'basic', username: 'ann', password: secret() },
      { consumer_name: 'bob', type: 'api_key', name: 'main', key: secret() },
      { consumer_name: 'bob', type: 'hmac', name: 'signer', key_id: 'bob-1', secret: secret() },
      { consumer_name: 'bob', type: 'jwt', key: 'https://bob.test', secret: `${secret()}${secret()}` },
    ],
    consumer_groups: [{ name: 'staff', consumers: ['bob', 'ann'] }],
    routes: [
      {
        ...at,
        name: 'all',
        path: '/',
        methods: ['POST', 'GET'],
        service_name: 'pooled',
        plugins: [{ name: 'api_key_auth', config: { valid_keys: [secret(), secret()] } }],
      },
    ],
    plugins: [
      { name: 'rate_limiter', ...at, config: { minute: 5 } },
      { name: 'rate_limiter', ...at, config: { minute: 7 } },
      { name: 'api_key_auth', consumer_name: 'ann', scope: 'consumer', config: { valid_keys: [secret(), secret()] } },
    ],
  };
}

/** How many records {@link wholeTenant} has. */
export function recordsIn(bundle: object): number {
  return Object.values(bundle).reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}
