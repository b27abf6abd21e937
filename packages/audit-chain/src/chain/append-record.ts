import { contentHash, tenantLinkHash } from '../hashing/framing.ts';
import { canonicalRecord } from '../records/canonical-json.ts';
import { GENESIS, type ChainHead } from './heads.ts';

/** What a record gets when it is chained, beside its own members. */
export interface ChainMembers {
  readonly tenant_sequence: number;
  readonly previous_hash: string;
  readonly audit_hash: string;
}

/** A record of one chain. */
export type Chained<T extends object = Readonly<Record<string, unknown>>> = T & ChainMembers;

/** Where a chain stands: its last record, its head, or nothing before the first record. */
export type Previous = ChainMembers | ChainHead | null | undefined;

/**
 * Chains a record to the one before it: a copy with `tenant_sequence`, `previous_hash` and `audit_hash`. The chain is that
 * of the record's `tenant_id`; a record without one belongs to the chain of no tenant. All other members are hashed.
 * Throws a CanonicalError for members that have no canonical form.
 */
export function appendRecord<T extends object>(previous: Previous, record: T): Chained<T> {
  const head = headOf(previous);
  const content = contentHash(canonicalRecord(withoutLinks(record)));
  const sequence = head.sequence + 1;
  const link = { tenantId: tenantOf(record), sequence, previousHash: head.hash, contentHash: content };
  return { ...record, tenant_sequence: sequence, previous_hash: head.hash, audit_hash: tenantLinkHash(link) };
}

/** The head that a record or a head stands for. */
export function headOf(previous: Previous): ChainHead {
  if (previous === null || previous === undefined) return GENESIS;
  if ('audit_hash' in previous) return { sequence: previous.tenant_sequence, hash: previous.audit_hash };
  return previous;
}

/** A record without what chaining added. */
export function withoutLinks(record: object): Readonly<Record<string, unknown>> {
  const {
    tenant_sequence: _sequence,
    previous_hash: _previous,
    audit_hash: _hash,
    ...own
  } = record as Partial<ChainMembers>;
  return own;
}

/** The tenant whose chain a record belongs to: its `tenant_id`, '' for none. */
export function tenantOf(record: object): string {
  const tenantId = 'tenant_id' in record ? record.tenant_id : undefined;
  return typeof tenantId === 'string' ? tenantId : '';
}
