import type { AuditEntry } from '../audit-port.ts';

/** What becomes of an act in the audit log. */
export type Recording =
  /** In the transaction of the act: both are there, or neither. */
  | 'with_the_act'
  /** Right after it, within bounds for each actor and tenant: there is nothing that it could be in one transaction with. */
  | 'bounded'
  /** Not at all. */
  | 'never';

/** One row of the policy. */
export interface AuditRule {
  readonly act: string;
  /** Values of `action` in its records; none for acts without records. */
  readonly actions: readonly string[];
  /** Value of `entity_type`; that of the record's family when not given. */
  readonly entityType?: string;
  readonly recording: Recording;
  readonly remark: string;
}

/**
 * Which acts leave a record. The operating guide shows this table, and a test sees each row happen. Sources: spec, Audit
 * record; Events; decisions, 10.
 */
export const auditPolicy: readonly AuditRule[] = [
  {
    act: 'Creating, changing or deleting a record of any family, also by a bundle, an effect or a rollback',
    actions: ['create', 'update', 'delete'],
    recording: 'with_the_act',
    remark: 'one for each record; making an API token or a credential is one of them',
  },
  {
    act: 'Activating or deactivating a tenant',
    actions: ['activate', 'deactivate'],
    entityType: 'tenant',
    recording: 'with_the_act',
    remark: 'in the log of that tenant',
  },
  {
    act: 'Taking or deleting a snapshot',
    actions: ['create', 'delete'],
    entityType: 'config_snapshot',
    recording: 'with_the_act',
    remark: 'what the snapshot holds is a record of its own kind',
  },
  {
    act: 'Rolling a configuration back',
    actions: ['rollback'],
    entityType: 'config_snapshot',
    recording: 'with_the_act',
    remark: 'beside one for each record that it changes',
  },
  {
    act: 'Acknowledging the alert of an objective',
    actions: ['acknowledge'],
    entityType: 'slo',
    recording: 'with_the_act',
    remark: 'shows the alert before and after; the timeline of the objective has it too',
  },
  {
    act: 'Syncing an integration',
    actions: ['sync'],
    entityType: 'integration',
    recording: 'with_the_act',
    remark: 'with the result it is kept with, also of a sync that failed; what the external system said is not in it',
  },
  {
    act: 'Superseding the key that signs access tokens',
    actions: ['rotate'],
    entityType: 'signing_key',
    recording: 'with_the_act',
    remark: 'in the log of the system',
  },
  {
    act: 'Logging in and out',
    actions: ['login', 'logout'],
    entityType: 'session',
    recording: 'with_the_act',
    remark: 'in the log of the tenant of the user',
  },
  {
    act: 'A refresh token that comes a second time',
    actions: ['revoke'],
    entityType: 'session',
    recording: 'with_the_act',
    remark: 'the actor is the service: who sent it is not known',
  },
  {
    act: 'Beginning an impersonation',
    actions: ['impersonate'],
    entityType: 'tenant',
    recording: 'with_the_act',
    remark: 'all that is done with it carries `metadata.impersonation`',
  },
  {
    act: 'A login that is refused, of a user that exists',
    actions: ['login_refused'],
    entityType: 'user',
    recording: 'bounded',
    remark: 'a name that nobody has leaves nothing: people type passwords into the wrong field',
  },
  {
    act: 'A write that is refused with 401 or 403, of a caller who is known',
    actions: ['refused'],
    entityType: 'operation',
    recording: 'bounded',
    remark: 'names operation, path and code; nothing of the query or the body',
  },
  {
    act: 'Any call across tenants that is refused as such',
    actions: ['refused'],
    entityType: 'operation',
    recording: 'bounded',
    remark: 'reads too',
  },
  {
    act: 'Erasing values of an audit record',
    actions: ['redact'],
    entityType: 'audit_record',
    recording: 'with_the_act',
    remark: 'in the log of the record; names the fields, not the values',
  },
  {
    act: 'Deleting old audit records by retention, and changing its rules',
    actions: ['prune', 'update'],
    remark: 'entity types `audit_log` and `audit_retention`',
    recording: 'with_the_act',
  },
  {
    act: 'Setting how long observations are kept',
    actions: ['update'],
    entityType: 'observation_retention',
    recording: 'with_the_act',
    remark: 'deleting by it is no act',
  },
  {
    act: 'Superseding the key that signs checkpoints',
    actions: ['rotate'],
    entityType: 'audit_key',
    recording: 'with_the_act',
    remark: 'in the log of the system',
  },
  {
    act: 'Reading, exporting, verifying; a dry run',
    actions: [],
    recording: 'never',
    remark: 'no read shows a secret: lists, exports and snapshots hold masks',
  },
  {
    act: 'Refreshing a session, the heartbeat of a data plane, observations, what health checks and evaluations of objectives find',
    actions: [],
    recording: 'never',
    remark: 'no administrative write',
  },
];

/** Whether the policy has a rule by which an act leaves records. */
export function isRecordedAct({ action, entityType }: Pick<AuditEntry, 'action' | 'entityType'>): boolean {
  return auditPolicy.some(
    (rule) => rule.actions.includes(action) && (rule.entityType === undefined || rule.entityType === entityType),
  );
}
