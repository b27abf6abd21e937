import type { Generated, GeneratedAlways } from 'kysely';
import type {
  AuditCheckpointRow,
  AuditHeadRow,
  AuditKeyRow,
  AuditNodeRow,
  AuditRetentionRow,
  AuditRetentionRuleRow,
  AuditRow,
} from './audit-tables.ts';
import type { EpochMs, JsonText } from './column-values.ts';
import type { ApiDescriptionRow } from './description-tables.ts';
import type { IntegrationStateRow, IntegrationSyncRow } from './integration-tables.ts';
import type {
  ObservationArrivalRow,
  ObservationBatchPartRow,
  ObservationCounterRow,
  ObservationDropRow,
  ObservationRecordRow,
  ObservationRetentionRuleRow,
} from './observation-tables.ts';
import type { SloStateRow, SloTimelineRow } from './slo-tables.ts';

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
  /** The tenant's revision with which the record last changed; 0 when that was before revisions were noted here. */
  tenant_revision: number;
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
  /** What the configuration is at that revision; see `ConfigurationTotals`. */
  config_hash: string;
  config_bytes: number;
  config_counts: JsonText;
  /** The revision at which those were last kept: another one than `revision` after a write of a release that does not know them. */
  config_revision: number;
  /** The newest revision of which there is a snapshot; -1 for none. */
  snapshot_revision: number;
  /** 1 when earlier states of records may be left that no snapshot needs any more. */
  history_to_free: number;
}

/** A snapshot of a tenant's configuration: the revision at which it stood, and what it then was. ADR 0024. */
export interface ConfigSnapshotRow {
  tenant_id: string;
  id: string;
  revision: number;
  reason: 'manual' | 'pre_sync' | 'pre_import' | 'pre_rollback';
  note: string | null;
  created_by: string;
  created_at: EpochMs;
  config_hash: string;
  /** Collection of bundles → number of records. */
  counts: JsonText;
  size_bytes: number;
}

/** A record as it was from one revision of its tenant until before another one: a snapshot in between needs it. */
export interface ResourceHistoryRow extends Omit<ResourceRow, 'tenant_revision'> {
  /** The first revision at which it was so. */
  from_revision: number;
  /** The first revision at which it was not so any more. */
  until_revision: number;
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

/** What a data plane says of one target of its gateway. */
export interface TargetReportRow {
  tenant_id: string;
  gateway_id: string;
  target_id: string;
  /** Of the data plane: always `data-planes`. */
  family: string;
  /** Of the data plane. */
  id: string;
  /** 0 is the worst. */
  severity: number;
  /** Some of the target's addresses with their health. */
  addresses: JsonText;
}

/** Rows of which only some columns must be given. */
type WithDefaults<Row, Given extends keyof Row> = Pick<Row, Given> & {
  [Column in Exclude<keyof Row, Given>]: Generated<Row[Column]>;
};

/** All tables by name. */
export interface Tables {
  resources: ResourceRow & GeneratedResourceColumns;
  resource_keys: ResourceKeyRow;
  resource_references: ResourceReferenceRow;
  resource_states: ResourceStateRow;
  target_reports: TargetReportRow;
  retired_keys: RetiredKeyRow;
  tenant_revisions: WithDefaults<TenantRevisionRow, 'tenant_id' | 'revision'>;
  config_snapshots: ConfigSnapshotRow;
  resource_history: ResourceHistoryRow;
  gateway_revisions: GatewayRevisionRow;
  changes: ChangeRow;
  audit_records: AuditRow;
  audit_heads: AuditHeadRow;
  audit_nodes: AuditNodeRow;
  audit_checkpoints: AuditCheckpointRow;
  audit_retention: AuditRetentionRow;
  audit_retention_rules: AuditRetentionRuleRow;
  audit_keys: AuditKeyRow;
  sessions: SessionRow;
  idempotency_keys: IdempotencyKeyRow;
  signing_keys: SigningKeyRow;
  tenant_keys: TenantKeyRow;
  observation_batch_parts: ObservationBatchPartRow;
  observation_counters: ObservationCounterRow;
  observation_records: ObservationRecordRow;
  observation_arrivals: ObservationArrivalRow;
  observation_drops: ObservationDropRow;
  observation_retention_rules: ObservationRetentionRuleRow;
  slo_states: SloStateRow;
  slo_timeline: SloTimelineRow;
  integration_states: IntegrationStateRow;
  integration_syncs: IntegrationSyncRow;
  api_descriptions: ApiDescriptionRow;
}
