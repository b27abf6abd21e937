import { generateKeyPairSync } from 'node:crypto';
import { makeCertificate } from '@portcullis/testkit/certificates';
import type { Admin } from './admin.ts';
import type { Canaries } from './canaries.ts';
import { secretPluginConfigs } from './canary-plugins.ts';
import { collectionPath, firstSuffix, sampleRecords } from './sample-records.ts';
import { fill } from './canary-templates.ts';

/** A record with secrets, as it was made. */
export interface SecretRecord {
  /** What its fields are named by: the family and what kind of record it is. */
  readonly name: string;
  /** The path of its collection, below the administration API. */
  readonly collection: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly secrets: ReadonlyMap<string, string>;
  readonly id: string;
  /** What the control plane answered. */
  readonly shown: Readonly<Record<string, unknown>>;
}

/** A record to make: see {@link fill} for the texts in it. */
interface Order {
  readonly name: string;
  readonly collection: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const gateway = '/gateways/edge';

const integrations: Readonly<Record<string, readonly [object, object]>> = {
  cloud_api_gateway: [
    { region: 'eu-central-1', endpoint_url: '@' },
    { access_key_id: '$', secret_access_key: '$', session_token: '$' },
  ],
  api_registry: [{ base_url: '@' }, { api_key: '$' }],
  it_service_management: [{ instance_url: '@' }, { access_token: '$', username: '$', password: '$' }],
  log_analytics: [{ base_url: '@' }, { token: '$', username: '$', password: '$' }],
  incident_alerting: [{ api_url: '@' }, { api_key: '$' }],
};

/** The records without plugins. */
function plainOrders(): readonly Order[] {
  const [first, second] = [makeCertificate(), makeCertificate({ key: rsaKey() })];
  const credential = (type: string, fields: object): Order => ({
    name: `consumer-credentials of ${type}`,
    collection: '/consumer-credentials',
    body: { consumer_id: 'acme', type, ...fields },
  });
  return [
    { name: 'users', collection: '/users', body: { username: 'kim', password: '$', role: 'reader' } },
    {
      name: 'vaults',
      collection: '/vaults',
      body: { name: 'hash', prefix: 'hash', driver: 'hashicorp', config: { address: '@', token: '$' } },
    },
    {
      name: 'cache-store-configs',
      collection: '/cache-store-configs',
      body: { name: 'redis', driver: 'redis', url: 'redis://127.0.0.1:1', username: 'kim', password: '$' },
    },
    {
      name: 'certificates',
      collection: `${gateway}/certificates`,
      body: { name: 'c', cert: first.pem, key: first.keyPem, cert_alt: second.pem, key_alt: second.keyPem },
    },
    credential('api_key', { key: '$' }),
    credential('basic', { username: 'kim', password: '$' }),
    credential('hmac', { key_id: 'signer', secret: '$' }),
    credential('jwt', { key: 'issuer', secret: '$' }),
    ...Object.entries(integrations).map(([driver, [config, secrets]]) => ({
      name: `integrations of ${driver}`,
      collection: '/integrations',
      body: { name: driver, driver, config, secrets },
    })),
  ];
}

/** Plugins of a route's own, by instances of the collection and in the route itself. */
function pluginOrders(): readonly Order[] {
  const custom = { name: 'custom_of_acme', config: { marked: '$', unread: '$', list: ['$'], open: 'not secret' } };
  const known = Object.entries(secretPluginConfigs).flatMap(([name, configs]) =>
    configs.map((config, index) => ({ name, id: `${name.replaceAll('_', '-')}-${index}`, config })),
  );
  return [...known, { ...custom, id: 'custom' }].flatMap(({ name, id, config }): readonly Order[] => {
    const route = { name: id, path: `/${id}`, service_id: 'echo', plugins: [] };
    const inline = { name: `in-${id}`, path: `/in-${id}`, service_id: 'echo', plugins: [{ name, config }] };
    return [
      { name: 'routes', collection: `${gateway}/routes`, body: { id, ...route } },
      { name: `plugins ${name}`, collection: '/plugins', body: { name, scope: 'route', route_id: id, config } },
      { name: `routes with ${name}`, collection: `${gateway}/routes`, body: inline },
    ];
  });
}

/** Shown when it is made, by design, and never again: only its hash is stored. */
const shownOnce = ['consumer-credentials of api_key/key'];

/** The schema of a tenant's own plugin, with every mark there is. */
export const customPackage = {
  name: 'custom_of_acme',
  config_schema: {
    type: 'object',
    properties: {
      marked: { type: 'string', 'x-secret': true },
      unread: { type: 'string', writeOnly: true },
      list: { type: 'array', items: { type: 'string', format: 'password' } },
      open: { type: 'string' },
    },
    additionalProperties: false,
  },
};

/**
 * Makes records in which every field that holds a secret has one of its own, in a tenant with a gateway `edge`, a service `echo` and a
 * consumer `acme`.
 * @param address of a service that says what it was sent
 * @throws Error when one is refused
 */
export async function makeSecretRecords(
  admin: Admin,
  canaries: Canaries,
  address: string,
): Promise<readonly SecretRecord[]> {
  const records: SecretRecord[] = [];
  for (const { name, collection, body } of [...plainOrders(), ...pluginOrders()]) {
    const { value, secrets } = fill(canaries, name, body, address);
    // The order counts: plugins name routes that were made before.
    const answer = await admin.call('POST', collection, value);
    if (answer.status !== 201) throw new Error(`${name} is refused: ${answer.status} ${JSON.stringify(answer.body)}`);
    canaries.look(`the answer to POST ${collection}`, JSON.stringify(answer.body), shownOnce);
    records.push({ name, collection, body: value, secrets, id: String(answer.body.id), shown: answer.body });
  }
  return records;
}

/**
 * Makes a record of each family that has none yet.
 * @returns IDs by the path parameters that take them
 */
export async function makeOtherRecords(
  admin: Admin,
  canaries: Canaries,
  records: readonly SecretRecord[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  const ids: Record<string, string> = { gateways: 'edge', services: 'echo', consumers: 'acme' };
  for (const { name, id } of records) ids[name.split(' ')[0] ?? ''] ??= id;
  const made: Record<string, readonly string[]> = {};
  for (const { family, body } of sampleRecords.filter((sample) => !(sample.family.name in ids))) {
    const { name, singular, scope } = family;
    if (scope === 'system' || name === 'plugin-packages') continue;
    const path = collectionPath(family, 'edge').slice('/api/v1/admin'.length);
    const answer = await admin.call('POST', path, body(ids, firstSuffix));
    if (answer.status !== 201) throw new Error(`${name} is refused: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (typeof answer.body.token === 'string') canaries.watch(`the token of ${name}`, answer.body.token);
    ids[name] = answer.body.id;
    made[`${singular}_id`] = [answer.body.id];
  }
  const slo = await admin.call('POST', '/slos', objective);
  if (slo.status !== 201) throw new Error(`the SLO is refused: ${JSON.stringify(slo.body)}`);
  return { ...made, slo_id: [slo.body.id] };
}

const objective = { name: 'fast', objective: { type: 'latency', target_percent: 50, latency_threshold_ms: 10 } };

function rsaKey() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}
