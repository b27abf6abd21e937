import type { EpochMs, JsonText } from './column-values.ts';

/** An audit record. The link columns are empty until a sequencer chains it. Source: decisions, 16. */
export interface AuditRow {
  id: string;
  /** Empty for acts outside any tenant. */
  tenant_id: string;
  actor_id: string;
  actor_username: string;
  action: string;
  entity_type: string;
  entity_id: string;
  request_id: string;
  source_ip: string;
  occurred_at: EpochMs;
  /** 1: all values stand in `canonical`. 2: some are commitments there, and stand in `disclosures`. */
  schema_version: number;
  /** The record in RFC 8785 form: the bytes that are hashed. Columns above are a view of it. */
  canonical: string;
  content_hash: string;
  /** From 1 within the tenant, or within the system's chain for acts outside any tenant. */
  tenant_sequence: number | null;
  previous_hash: string | null;
  audit_hash: string | null;
  /** From 1 over all. */
  global_sequence: number | null;
  global_previous_hash: string | null;
  global_hash: string | null;
  /**
   * Of committed fields the values with their salts: `{"before": {"salt", "value"} | null, …}`, null once redacted. Nothing at
   * all in records of schema version 1.
   */
  disclosures: JsonText | null;
}

/** Where a chain stands: `global`, or `tenant:` and the tenant's ID (nothing for the system's). */
export interface AuditHeadRow {
  chain: string;
  /** Of the last record; also how many the chain has had. */
  sequence: number;
  /** Lower-case hex, like all hashes here. */
  hash: string;
  /** JSON array: the roots of the perfect subtrees that make up the chain's tree, left to right. */
  subtree_hashes: JsonText;
}

/** The root of a perfect subtree of 2^`level` leaves, the `position`th of its level. Kept for levels 8, 16 and 24. */
export interface AuditNodeRow {
  chain: string;
  level: number;
  position: number;
  hash: string;
}

/** What was signed of a chain's tree. */
export interface AuditCheckpointRow {
  chain: string;
  /** Leaves of the tree. */
  size: number;
  root: string;
  /** The signed note. */
  note: string;
  created_at: EpochMs;
}

/** How far retention has deleted a chain's records, and what continuing it and proving it takes. */
export interface AuditRetentionRow {
  chain: string;
  /** Sequence in the chain of the last record that is gone. */
  pruned_through: number;
  /** Of that record, so that the next one can be checked. */
  hash: string;
  /** JSON array: the roots of the perfect subtrees over what is gone, left to right. */
  subtree_hashes: JsonText;
  pruned_at: EpochMs;
}

/** A key that signs checkpoints, or did. */
export interface AuditKeyRow {
  /** Eight hex digits. Source: C2SP signed-note. */
  key_id: string;
  /** The log's name. */
  name: string;
  /** The public key, as verifiers take it. */
  verifier_key: string;
  /** The private key where the service made it by itself; nothing for one that the operator gives. */
  sealed_seed: string | null;
  /** A note in which the key before names this one; nothing for the first, and where that key was not at hand. */
  signed_change: string | null;
  /** When it began to sign. The last one signs now. */
  since: EpochMs;
}

/** How long records are kept at least. */
export interface AuditRetentionRuleRow {
  /** Empty: for what belongs to no tenant, and for tenants without a rule of their own. */
  tenant_id: string;
  days: number;
}
