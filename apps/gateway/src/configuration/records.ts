import { deliveredAiRecord, deliveredVault, observationLimits, serviceProtocols } from '@portcullis/resources';
import * as v from 'valibot';
import { healthCheckRecord } from '../health/health-check-record.ts';

/**
 * What the gateway needs of each record, with the defaults of the catalogue. Fields that it does not know are left out:
 * the control plane has checked them, and a newer one may send more.
 */

const texts = v.optional(v.array(v.string()), []);
const milliseconds = v.pipe(v.number(), v.integer(), v.minValue(1));
const valueLists = v.optional(v.record(v.string(), v.array(v.string())), {});
const enabled = v.optional(v.boolean(), true);

/** The gateway itself. */
export const gatewayRecord = v.object({
  id: v.string(),
  name: v.string(),
  hosts: texts,
  allow_encoded_slashes: v.optional(v.boolean(), true),
  /** Whole microseconds, ascending: requests that take longer than each of them are counted. */
  latency_thresholds_us: v.optional(
    v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(0))), v.maxLength(observationLimits.thresholdsMax)),
    [],
  ),
  workspace_id: v.nullish(v.string()),
  workspace: v.nullish(v.object({ id: v.string() })),
});

/** A service. */
export const serviceRecord = v.object({
  id: v.string(),
  name: v.string(),
  enabled,
  url: v.nullish(v.string()),
  upstream_id: v.nullish(v.string()),
  retries: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 5),
  connect_timeout: v.optional(milliseconds, 60_000),
  read_timeout: v.optional(milliseconds, 60_000),
  write_timeout: v.optional(milliseconds, 60_000),
  tls_verify: v.optional(v.boolean(), true),
  tls_verify_depth: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0))),
  client_certificate_id: v.nullish(v.string()),
  ca_certificate_ids: texts,
});

/** One end of a connection; the control plane has checked it. */
const connectionEnds = v.optional(
  v.array(v.object({ ip: v.nullish(v.string()), port: v.nullish(v.pipe(v.number(), v.integer())) })),
  [],
);

/** A plugin of a route. Its own schema is checked by the plugin. */
const inlinePlugin = v.looseObject({ name: v.string() });

/** A route. */
export const routeRecord = v.object({
  id: v.string(),
  name: v.string(),
  enabled,
  created_at_ms: v.optional(v.number(), 0),
  service_id: v.nullish(v.string()),
  path: v.nullish(v.string()),
  paths: texts,
  path_type: v.optional(v.picklist(['prefix', 'exact', 'regex']), 'prefix'),
  hosts: texts,
  methods: texts,
  headers: valueLists,
  query: valueLists,
  snis: texts,
  protocols: texts,
  sources: connectionEnds,
  destinations: connectionEnds,
  https_redirect_status_code: v.optional(v.number(), 426),
  priority: v.optional(v.number(), 0),
  regex_priority: v.optional(v.number(), 0),
  strip_path: v.optional(v.boolean(), true),
  preserve_host: v.optional(v.boolean(), false),
  request_buffering: v.optional(v.boolean(), false),
  response_buffering: v.optional(v.boolean(), false),
  plugins: v.optional(v.array(inlinePlugin), []),
  timeout_ms: v.nullish(
    v.object({
      connect: v.optional(milliseconds),
      read: v.optional(milliseconds),
      write: v.optional(milliseconds),
    }),
  ),
});

const hashInput = v.optional(
  v.picklist(['none', 'consumer', 'ip', 'header', 'cookie', 'path', 'query_arg', 'uri_capture']),
  'none',
);

/** A pool of targets. */
export const upstreamRecord = v.object({
  id: v.string(),
  name: v.string(),
  host_header: v.nullish(v.string()),
  protocol: v.optional(v.picklist(serviceProtocols), 'http'),
  client_certificate_id: v.nullish(v.string()),
  algorithm: v.optional(
    v.picklist(['round-robin', 'least-connections', 'consistent-hashing', 'latency']),
    'round-robin',
  ),
  hash_on: hashInput,
  hash_fallback: hashInput,
  hash_on_header: v.nullish(v.string()),
  hash_fallback_header: v.nullish(v.string()),
  hash_on_cookie: v.nullish(v.string()),
  hash_on_cookie_path: v.optional(v.string(), '/'),
  hash_on_query_arg: v.nullish(v.string()),
  hash_fallback_query_arg: v.nullish(v.string()),
  hash_on_uri_capture: v.nullish(v.string()),
  hash_fallback_uri_capture: v.nullish(v.string()),
  slots: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_536)), 10_000),
  healthchecks: v.nullish(healthCheckRecord),
});

/** A target of an upstream: `host` and `port`, or a `name` that reads `host:port`. */
export const targetRecord = v.object({
  id: v.string(),
  upstream_id: v.string(),
  name: v.nullish(v.string()),
  host: v.nullish(v.string()),
  port: v.nullish(v.number()),
  weight: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 100),
  priority: v.optional(v.pipe(v.number(), v.integer()), 0),
  enabled,
});

/** A consumer. */
export const consumerRecord = v.object({
  id: v.string(),
  username: v.nullish(v.string()),
  custom_id: v.nullish(v.string()),
  groups: texts,
  gateway_id: v.nullish(v.string()),
  enabled,
});

/** A credential of a consumer; what belongs to its type is read by the directory. */
export const credentialRecord = v.looseObject({ id: v.string(), consumer_id: v.string(), type: v.string(), enabled });

/** A plugin instance. Its config's own schema is checked by the plugin. */
export const pluginRecord = v.looseObject({ id: v.string(), name: v.string(), enabled });

/** A certificate with its key, and perhaps a second one with a key of another type. */
export const certificateRecord = v.object({
  id: v.string(),
  name: v.nullish(v.string()),
  cert: v.string(),
  key: v.string(),
  cert_alt: v.nullish(v.string()),
  key_alt: v.nullish(v.string()),
});

/** A server name, what is presented for it, and what its clients are asked for. */
export const sniRecord = v.object({
  id: v.string(),
  name: v.string(),
  certificate_id: v.string(),
  client_certificate_mode: v.optional(v.picklist(['none', 'request', 'require']), 'none'),
  client_ca_certificate_ids: texts,
});

/** An authority. */
export const caCertificateRecord = v.object({ id: v.string(), cert: v.string() });

/** A vault. What its driver needs is in its config. */
export const vaultRecord = deliveredVault;

/** An AI record. What it says is checked by the plugins that read it. */
export const aiRecord = deliveredAiRecord;

/** See {@link gatewayRecord}. */
export type GatewayRecord = v.InferOutput<typeof gatewayRecord>;
/** See {@link serviceRecord}. */
export type ServiceRecord = v.InferOutput<typeof serviceRecord>;
/** See {@link routeRecord}. */
export type RouteRecord = v.InferOutput<typeof routeRecord>;
/** See {@link upstreamRecord}. */
export type UpstreamRecord = v.InferOutput<typeof upstreamRecord>;
/** See {@link targetRecord}. */
export type TargetRecord = v.InferOutput<typeof targetRecord>;
/** See {@link consumerRecord}. */
export type ConsumerRecord = v.InferOutput<typeof consumerRecord>;
/** See {@link credentialRecord}. */
export type CredentialRecord = v.InferOutput<typeof credentialRecord>;
/** See {@link pluginRecord}. */
export type PluginRecord = v.InferOutput<typeof pluginRecord>;
/** See {@link certificateRecord}. */
export type CertificateRecord = v.InferOutput<typeof certificateRecord>;
/** See {@link sniRecord}. */
export type SniRecord = v.InferOutput<typeof sniRecord>;
/** See {@link caCertificateRecord}. */
export type CaCertificateRecord = v.InferOutput<typeof caCertificateRecord>;
/** See {@link vaultRecord}. */
export type VaultRecord = v.InferOutput<typeof vaultRecord>;
/** See {@link aiRecord}. */
export type DeliveredAiRecord = v.InferOutput<typeof aiRecord>;
