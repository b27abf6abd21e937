import type { GeneratedAlways } from 'kysely';

/** JSON as text: one representation on both databases, byte for byte what was written. */
export type JsonText = string;
/** Milliseconds since 1970-01-01 UTC. */
export type EpochMs = number;

/** A record of any family of the catalogue. ADR 0003 says why all families share these three tables. */
export interface ResourceRow {
  /** The owning tenant's slug; empty for records of the system (tenants, users without a tenant). */
  tenant_id: string;
  family: string;
  id: string;
  /** Parent gateway of gateway-scoped families. */
  gateway_id: string | null;
  /** The record's name, for lists, filters and look-ups by name. */
  name: string | null;
  enabled: number;
  revision: number;
  created_at: EpochMs;
  updated_at: EpochMs;
  /** The record's own fields without secrets. */
  body: JsonText;
  /** JSON Pointer → sealed value; `null` when the record has no secret. */
  secrets: JsonText | null;
}

/** What the database computes for a record. */
export interface GeneratedResourceColumns {
  /** `family/tenant_id`: all records of one list. Lists use it because their indexes begin with it. */
  collection: GeneratedAlways<string>;
}

/** A value that is unique within a scope. The primary key is the constraint. */
export interface ResourceKeyRow {
  family: string;
  key_name: string;
  /** What the value is unique within: empty (everywhere), a tenant, or a tenant and parent record. */
  scope: string;
  value: string;
  tenant_id: string;
  id: string;
}

/** One record refers to another. A foreign key keeps the target alive. */
export interface ResourceReferenceRow {
  tenant_id: string;
  family: string;
  id: string;
  field: string;
  target_family: string;
  target_id: string;
}

/** What changes by itself and is no configuration: a node's heartbeat, a token's last use. No audit, no revision. */
export interface ResourceStateRow {
  tenant_id: string;
  family: string;
  id: string;
  state: JsonText;
  updated_at: EpochMs;
}

/** Unique values that stay taken after their record is gone (tenant slugs). Source: decisions, 3. */
export interface RetiredKeyRow {
  family: string;
  key_name: string;
  value: string;
  retired_at: EpochMs;
}

/** Where each tenant's configuration stands. */
export interface TenantRevisionRow {
  tenant_id: string;
  revision: number;
}

/** The last revision that concerned a gateway; under an empty gateway ID, the last that concerned all of a tenant's. */
export interface GatewayRevisionRow {
  tenant_id: string;
  gateway_id: string;
  revision: number;
}

/** What data planes read to follow a tenant's configuration. Bounded by pruning. */
export interface ChangeRow {
  tenant_id: string;
  revision: number;
  /** Orders the changes of one transaction. */
  position: number;
  gateway_id: string | null;
  family: string;
  id: string;
  action: 'create' | 'update' | 'delete';
  changed_at: EpochMs;
}

/** An audit record. The hash columns are empty until a sequencer chains it. Source: decisions, 16. */
export interface AuditRow {
  id: string;
  tenant_id: string;
  actor_id: string;
  actor_username: string;
  action: string;
  entity_type: string;
  entity_id: string;
  request_id: string;
  source_ip: string;
  occurred_at: EpochMs;
  schema_version: number;
  /** The record in RFC 8785 form: the bytes that are hashed. Columns above are a view of it. */
  canonical: string;
  content_hash: string;
  tenant_sequence: number | null;
  previous_hash: string | null;
  audit_hash: string | null;
  global_sequence: number | null;
  global_previous_hash: string | null;
  global_hash: string | null;
}

/** A login. Access tokens name it, so that ending it ends them. */
export interface SessionRow {
  id: string;
  user_tenant_id: string;
  user_id: string;
  /** SHA-256 of what all refresh tokens of the login begin with; empty for an impersonation, which has none. */
  family_hash: string;
  /** SHA-256 of the refresh token that is valid now; any earlier one revokes the session. */
  refresh_hash: string;
  created_at: EpochMs;
  expires_at: EpochMs;
  revoked_at: EpochMs | null;
  /** The tenant that a super administrator impersonates with this login; empty for a login of one's own. */
  impersonated_tenant_id: string;
  /** The login under which the impersonation was begun, and without which it is over; empty for a login of one's own. */
  parent_session_id: string;
}

/** A POST that was carried out under an `Idempotency-Key`. Source: wire contract, Paths and small rules. */
export interface IdempotencyKeyRow {
  tenant_id: string;
  key: string;
  /** SHA-256, lower-case hex, of who asked what: the same key with another one is refused. */
  fingerprint: string;
  /** The sealed first answer; nothing from the write's commit until the answer was made. */
  answer: string | null;
  created_at: EpochMs;
}

/** A key that signs access tokens. */
export interface SigningKeyRow {
  kid: string;
  public_jwk: JsonText;
  /** Sealed private JWK. */
  private_jwk: string;
  created_at: EpochMs;
  retired_at: EpochMs | null;
}

/** A tenant's data key, sealed under the key ring. */
export interface TenantKeyRow {
  tenant_id: string;
  key_id: string;
  sealed_key: string;
  created_at: EpochMs;
}

/** Batches that were counted, so that a batch sent again is not counted twice. */
export interface ObservationBatchRow {
  tenant_id: string;
  data_plane_id: string;
  boot_id: string;
  sequence: number;
  received_at: EpochMs;
}

/** What a row of counters adds up: one route or the whole gateway, over a minute or an hour. */
export type ObservationGrain = 'route_minute' | 'route_hour' | 'gateway_minute' | 'gateway_hour';

/** Additive counters. Every request is counted once in each grain. Source: decisions, 17; reliability, SLO engine. */
export interface ObservationCounterRow {
  tenant_id: string;
  gateway_id: string;
  grain: ObservationGrain;
  /** The first minute that is counted, in whole minutes since 1970. */
  minute: number;
  /** Empty when no route or service was selected, and in rows of a whole gateway. */
  route_id: string;
  service_id: string;
  requests: number;
  errors_4xx: number;
  errors_5xx: number;
  latency_sum_us: number;
  request_bytes: number;
  response_bytes: number;
  /** `[[status, count], …]`, at most 500 pairs. */
  statuses: JsonText;
  /** `[[bin, count], …]` of the latency histogram, at most one pair for each bin. */
  histogram: JsonText;
  /** `[[threshold in microseconds, requests above it], …]` for thresholds that were registered at the time. */
  over_thresholds: JsonText;
}

/** One observed request. */
export interface ObservationRecordRow {
  id: string;
  tenant_id: string;
  gateway_id: string;
  request_id: string;
  occurred_at: EpochMs;
  service_id: string | null;
  route_id: string | null;
  consumer_id: string | null;
  method: string;
  path: string;
  status: number;
  status_source: string;
  latency_us: number;
  upstream_latency_us: number | null;
  gateway_latency_us: number;
  request_bytes: number;
  response_bytes: number;
  client_ip: string;
  /** `[{name, stage, outcome, duration_us}, …]` */
  plugins: JsonText;
}

/** All tables by name. */
export interface Tables {
  resources: ResourceRow & GeneratedResourceColumns;
  resource_keys: ResourceKeyRow;
  resource_references: ResourceReferenceRow;
  resource_states: ResourceStateRow;
  retired_keys: RetiredKeyRow;
  tenant_revisions: TenantRevisionRow;
  gateway_revisions: GatewayRevisionRow;
  changes: ChangeRow;
  audit_records: AuditRow;
  sessions: SessionRow;
  idempotency_keys: IdempotencyKeyRow;
  signing_keys: SigningKeyRow;
  tenant_keys: TenantKeyRow;
  observation_batches: ObservationBatchRow;
  observation_counters: ObservationCounterRow;
  observation_records: ObservationRecordRow;
}
