import { makeCertificate } from './der-certificates.test-support.ts';

/** What a sample is made from. */
export interface SampleContext {
  /** 3 to 40 of a-z and 0-9, beginning with a letter; stands in every text field, so that no two samples collide. */
  readonly mark: string;
  /** The ID of a record of the place that the sample is for. */
  idOf(family: string): string;
}

/** Text of a secret field of a sample: it may never be seen again. */
export function secretOf(mark: string): string {
  return `${mark}-SECRET-0123456789`;
}

type Body = Readonly<Record<string, unknown>>;

const texts = ({ mark }: SampleContext): Body => ({
  name: mark,
  description: `about ${mark}`,
  labels: { [`k-${mark}`]: `v-${mark}` },
});

/**
 * A valid body to create a record, by family. Every free text holds the mark; a family that is not here makes the tests
 * of isolation and of bad input fail.
 */
export const familySamples: Readonly<Record<string, (context: SampleContext) => Body>> = {
  tenants: ({ mark }) => ({ name: `Name ${mark}`, slug: mark, metadata: { note: mark } }),
  users: (context) => ({
    username: context.mark,
    password: secretOf(context.mark),
    role: 'reader',
    description: `about ${context.mark}`,
    labels: { [`k-${context.mark}`]: `v-${context.mark}` },
  }),
  organizations: ({ mark }) => ({ name: mark, description: `about ${mark}` }),
  teams: (context) => ({
    ...texts(context),
    member_ids: [context.idOf('users')],
    roles: ['reader'],
    organization_id: context.idOf('organizations'),
  }),
  'api-tokens': ({ mark }) => ({ name: mark, description: `about ${mark}`, scopes: ['admin:write'] }),
  'plugin-packages': ({ mark }) => ({
    name: `p_${mark}`,
    version: '1.0.0',
    config_schema: {
      type: 'object',
      properties: { [`f_${mark}`]: { type: 'string' } },
      additionalProperties: false,
    },
  }),
  workspaces: (context) => ({ ...texts(context), metadata: { [`m-${context.mark}`]: context.mark } }),
  gateways: (context) => ({
    ...texts(context),
    hosts: [`${context.mark}.test`],
    proxy_url: `https://${context.mark}.test`,
  }),
  vaults: (context) => ({
    ...texts(context),
    prefix: context.mark,
    driver: 'hashicorp',
    config: { address: `https://${context.mark}.test`, token: secretOf(context.mark) },
  }),
  'cache-store-configs': (context) => ({
    ...texts(context),
    driver: 'redis',
    url: `redis://${context.mark}.test:6379/0`,
    username: context.mark,
    password: secretOf(context.mark),
    prefix: `${context.mark}:`,
  }),
  'ai-records': (context) => ({ ...texts(context), kind: 'cache', config: {} }),
  certificates: (context) => ({ ...texts(context), ...makeCertificate(context.mark, 'leaf') }),
  'ca-certificates': (context) => ({ ...texts(context), cert: makeCertificate(context.mark, 'authority').cert }),
  realms: (context) => ({ ...texts(context), gateway_ids: [context.idOf('gateways')] }),
  consumers: (context) => ({
    username: context.mark,
    custom_id: `custom-${context.mark}`,
    groups: [`g-${context.mark}`],
    description: `about ${context.mark}`,
    labels: { [`k-${context.mark}`]: `v-${context.mark}` },
    gateway_id: context.idOf('gateways'),
  }),
  upstreams: (context) => ({ ...texts(context), host_header: `${context.mark}.test` }),
  snis: ({ mark, idOf }) => ({
    name: `${mark}.test`,
    labels: { [`k-${mark}`]: `v-${mark}` },
    certificate_id: idOf('certificates'),
  }),
  services: (context) => ({ ...texts(context), url: `http://${context.mark}.test/${context.mark}` }),
  'service-versions': ({ mark, idOf }) => ({
    service_id: idOf('services'),
    version: mark,
    description: `about ${mark}`,
    labels: { [`k-${mark}`]: `v-${mark}` },
    spec: {
      openapi: '3.1.0',
      info: { title: mark, version: mark },
      paths: { [`/${mark}`]: { get: { operationId: mark, responses: { 204: { description: mark } } } } },
    },
  }),
  'consumer-credentials': ({ mark, idOf }) => ({
    consumer_id: idOf('consumers'),
    type: 'api_key',
    name: mark,
    key: secretOf(mark),
    labels: { [`k-${mark}`]: `v-${mark}` },
  }),
  'consumer-groups': (context) => ({ ...texts(context), consumers: [context.idOf('consumers')] }),
  routes: (context) => ({
    ...texts(context),
    service_id: context.idOf('services'),
    path: `/${context.mark}`,
    hosts: [`${context.mark}.test`],
    headers: { 'x-mark': [context.mark] },
    plugins: [{ name: 'api_key_auth', config: { valid_keys: [secretOf(context.mark)] } }],
  }),
  targets: ({ mark, idOf }) => ({
    name: mark,
    upstream_id: idOf('upstreams'),
    host: `${mark}.test`,
    port: 8080,
    labels: { [`k-${mark}`]: `v-${mark}` },
  }),
  plugins: (context) => ({
    name: 'api_key_auth',
    description: `about ${context.mark}`,
    labels: { [`k-${context.mark}`]: `v-${context.mark}` },
    scope: 'service',
    service_id: context.idOf('services'),
    config: { valid_keys: [secretOf(context.mark)] },
  }),
  'data-planes': ({ mark, idOf }) => ({
    gateway_id: idOf('gateways'),
    name: mark,
    labels: { [`k-${mark}`]: `v-${mark}` },
  }),
  slos: ({ mark, idOf }) => ({
    name: mark,
    description: `about ${mark}`,
    gateway_id: idOf('gateways'),
    objective: { type: 'latency', target_percent: 99.5, latency_threshold_ms: 250 },
    evaluation_window_minutes: 60,
    alert_policy: { enabled: true, warning_burn_rate: 1, critical_burn_rate: 2 },
  }),
  integrations: (context) => ({
    ...texts(context),
    workspace_id: context.idOf('workspaces'),
    driver: 'api_registry',
    // An address that no test may call: syncs fail at once.
    config: { base_url: 'https://10.0.0.1', owner: context.mark },
    secrets: { api_key: secretOf(context.mark) },
  }),
  // No family: what its one PUT takes.
  audits: () => ({ days: 36_500 }),
  observability: () => ({ request_days: 30, rollup_days: 400 }),
};

/** A valid body to create a record of a family. @throws RangeError for a family without a sample: add one above */
export function sampleOf(family: string, context: SampleContext): Record<string, unknown> {
  const make = familySamples[family];
  if (!make) throw new RangeError(`no sample for the family ${family}: add it to families-samples.test-support.ts`);
  return { ...make(context) };
}
