import type { Trigger } from '@portcullis/plugin-runtime';
import type { JsonSchema } from '../json-schema.ts';

/** How a test brings one instance to call the address in one of its fields. */
export interface CalledField {
  readonly plugin: string;
  /** Pointer in the schema, with `*` for items. */
  readonly field: string;
  /** @param url the whole address, @param host of it, and its port */
  readonly config: (url: string, host: string, port: number) => object;
  readonly trigger?: Trigger;
  /** Default: `http`. `host` is for fields that hold no more than a host: spellings that are none are left out. */
  readonly takes?: 'http' | 'host';
  /** Default: TCP. */
  readonly isDatagram?: boolean;
  /** Whether addresses that the operator lists want TLS nonetheless. */
  readonly isTlsOnly?: boolean;
}

const model = { guardrail_id: 'gr1abc2def3', region: 'us-east-1', access_key_id: 'i', secret_access_key: 's' };
const provider = { name: 'p', type: 'openai_compatible', api_key: 'k' };
const sink = (plugin: string, field: string, more: object = {}): CalledField => ({
  plugin,
  field: `/${field}`,
  config: (url) => ({ [field]: url, fail_on_error: true, ...more }),
});

const brokers = (of: unknown) => ({ bootstrap_servers: of, topic: 't', timeout: 1, fail_on_error: true });

/** Every field of a built-in plugin whose address the plugin itself calls. */
export const calledFields: readonly CalledField[] = [
  {
    plugin: 'ai_proxy',
    field: '/providers/*/base_url',
    trigger: 'before_request',
    config: (url) => ({ providers: [{ ...provider, base_url: url }], default_provider: 'p' }),
  },
  // Without vectors nothing is asked of the provider: what arrives, the field led there.
  ...['embedding', 'embedding_provider'].map((field): CalledField => ({
    plugin: 'ai_proxy',
    field: `/semantic_cache/${field}/base_url`,
    trigger: 'before_request',
    config: (url) => ({
      providers: [{ ...provider, base_url: 'https://provider.test/v1' }],
      default_provider: 'p',
      semantic_cache: { mode: 'semantic', embedding_fail_open: false, [field]: { base_url: url, model: 'm' } },
    }),
    isTlsOnly: true,
  })),
  {
    plugin: 'ai_rag_injector',
    field: '/retrieval_url',
    trigger: 'before_request',
    config: (url) => ({ retrieval_url: url }),
  },
  {
    plugin: 'llm_as_judge',
    field: '/judge_url',
    trigger: 'after_response',
    config: (url) => ({ judge_url: url, api_key: 'k', model: 'm' }),
  },
  {
    plugin: 'cloud_guardrails',
    field: '/endpoint_url',
    trigger: 'before_request',
    config: (url) => ({ ...model, endpoint_url: url }),
  },
  ...['endpoint', 'intake_url', 'apm_endpoint'].map((field) => sink('apm_vendor', field, { api_key: 'k' })),
  ...['audit_endpoint', 'endpoint'].map((field) => sink('audit_event_stream', field)),
  ...['http_endpoint', 'endpoint'].map((field) => sink('http_log', field)),
  {
    plugin: 'canary_shadow_traffic',
    field: '/canary_forward_url',
    trigger: 'before_request',
    config: (url) => ({ canary_percentage: 100, canary_forward_url: url }),
    isTlsOnly: true,
  },
  {
    plugin: 'oauth2',
    field: '/introspection_url',
    trigger: 'before_request',
    config: (url) => ({ introspection_url: url, client_id: 'c', client_secret: 's' }),
  },
  { plugin: 'oidc', field: '/public_key', trigger: 'before_request', config: (url) => ({ public_key: url }) },
  {
    plugin: 'ldap_auth',
    field: '/server_url',
    trigger: 'before_request',
    config: (url) => ({
      server_url: url.replace(/^https?:/i, 'ldap:').replace(/\/$/, ''),
      user_dn_template: 'u={username}',
    }),
  },
  {
    plugin: 'stream_log',
    field: '/bootstrap_servers',
    takes: 'host',
    config: (_url, host, port) => brokers(`${host}:${port}`),
  },
  {
    plugin: 'tcp_log',
    field: '/host',
    takes: 'host',
    config: (_url, host, port) => ({ host, port, fail_on_error: true }),
  },
  {
    plugin: 'udp_log',
    field: '/host',
    takes: 'host',
    isDatagram: true,
    config: (_url, host, port) => ({ host, port, fail_on_error: true }),
  },
  {
    plugin: 'daemon_metrics',
    field: '/host',
    takes: 'host',
    isDatagram: true,
    config: (_url, host, port) => ({ host, port }),
  },
];

/** Fields that look like addresses, and why no plugin calls what stands in them. */
export const uncalledFields: ReadonlyMap<string, string> = new Map([
  ['ai_proxy /providers/*/region', 'a word of a host name, by a pattern'],
  ['cloud_guardrails /region', 'a word of a host name, by a pattern'],
  ['apm_vendor /site', 'one of a list'],
  ['stream_log /bootstrap_servers/*', 'the same field, as a list'],
  ['redirect /url', 'the client goes there'],
  ['forward_proxy /forward_url', 'the gateway connects: destination-addresses.test.ts there'],
  ['canary_shadow_traffic /canary_upstream_url', 'the gateway connects: destination-addresses.test.ts there'],
]);

const WORD =
  /(?:^|_)(?:address|broker|domain|endpoint|host|hostname|port|proxy|region|server|site|uri|url|dsn|jwks)e?s?(?:_|$)/;

/** The fields of a schema that hold addresses by their name, mark, pattern or description. */
export function addressLikeFields(schema: unknown, at = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const of = schema as JsonSchema;
  const inner = ['anyOf', 'oneOf', 'allOf'].flatMap((word) =>
    listOf(of[word]).flatMap((branch) => addressLikeFields(branch, at)),
  );
  const children = [
    ...Object.entries(of['properties'] ?? {}).flatMap(([name, field]) => addressLikeFields(field, `${at}/${name}`)),
    ...addressLikeFields(of['items'], `${at}/*`),
    ...addressLikeFields(of['additionalProperties'], `${at}/*`),
    ...inner,
  ];
  const isHeld = of['type'] === 'string' || Array.isArray(of['enum']);
  return isHeld && isAddressLike(of, at) ? [at, ...children] : children;
}

function isAddressLike(schema: JsonSchema, at: string): boolean {
  const name = at.split('/').findLast((part) => part !== '*') ?? '';
  const description = typeof schema['description'] === 'string' ? schema['description'] : '';
  const pattern = typeof schema['pattern'] === 'string' ? schema['pattern'] : '';
  return (
    WORD.test(name) ||
    schema['x-secret'] === 'address' ||
    (pattern.includes(String.raw`:\/\/`) && !pattern.includes('vault')) ||
    /\bhttps?:|\bURL\b|\baddress of a\b/.test(description)
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
