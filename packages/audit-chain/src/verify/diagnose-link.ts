import type { ChainHead } from '../chain/heads.ts';
import { contentHash, globalLinkHash, tenantLinkHash } from '../hashing/framing.ts';
import { jsonForm } from '../records/json-form.ts';
import type { RecordProblem } from './problem.ts';
import type { RecordFacts } from './record-facts.ts';
import { isCommitment } from './shown-values.ts';

/** How far away a record's true sequence is looked for. */
const SEQUENCES_AWAY_MAX = 64;

/** What a record is compared with to say what was done to it. */
export interface Surroundings {
  /** The last record of its tenant's chain. */
  readonly tenantHead: ChainHead;
  /** Undefined in a log of one tenant, which has only some records of that chain. */
  readonly globalHead: ChainHead | undefined;
  /** Tenants whose chain it may have been taken from, with their heads. */
  readonly tenants: Iterable<readonly [string, ChainHead]>;
  readonly redactable: ReadonlySet<string>;
}

/** Says what was changed in a record whose `audit_hash` does not fit it: whatever change explains the hash was made. */
export function diagnoseTenantLink(facts: RecordFacts, around: Surroundings): RecordProblem {
  const { record } = facts;
  const home = homeOf(facts, around);
  if (home !== undefined) return { kind: 'moved_tenant', detail: 'the record was hashed for another tenant' };
  const link = { tenantId: facts.tenantId, previousHash: record.previous_hash, contentHash: facts.contentHash };
  const sequence = trueSequence(
    record.tenant_sequence,
    (sequence) => tenantLinkHash({ ...link, sequence }) === record.audit_hash,
  );
  if (sequence !== undefined)
    return renumbered(record.tenant_sequence, sequence, record.previous_hash === around.tenantHead.hash);
  const own = tenantLinkHash({ ...link, sequence: record.tenant_sequence });
  const withHead = { ...link, sequence: record.tenant_sequence, previousHash: around.tenantHead.hash };
  if (tenantLinkHash(withHead) === record.audit_hash)
    return { kind: 'link_edited', detail: 'previous_hash was changed' };
  const global = {
    sequence: record.global_sequence,
    previousHash: record.global_previous_hash,
    tenantId: facts.tenantId,
  };
  if (globalLinkHash({ ...global, auditHash: own }) === record.global_hash) {
    return { kind: 'link_edited', detail: 'audit_hash was changed' };
  }
  const erased = Object.keys(facts.fields).find(
    (name) => !around.redactable.has(name) && isCommitment(facts.fields[name]),
  );
  if (erased !== undefined)
    return { kind: 'not_redactable', detail: `${erased.slice(0, 64)} is no field that may be erased` };
  return { kind: 'edited', detail: 'the record is not the one that was hashed' };
}

/** The same for its `global_hash`. */
export function diagnoseGlobalLink(facts: RecordFacts, { globalHead: head }: Surroundings): RecordProblem {
  const { record, tenantId } = facts;
  const previousHash = head?.hash ?? record.global_previous_hash;
  const link = { tenantId, previousHash: record.global_previous_hash, auditHash: record.audit_hash };
  const sequence = trueSequence(
    record.global_sequence,
    (sequence) => globalLinkHash({ ...link, sequence }) === record.global_hash,
  );
  if (sequence !== undefined) {
    return renumbered(record.global_sequence, sequence, record.global_previous_hash === previousHash);
  }
  const withHead = { ...link, sequence: record.global_sequence, previousHash };
  if (globalLinkHash(withHead) === record.global_hash)
    return { kind: 'link_edited', detail: 'global_previous_hash was changed' };
  return { kind: 'link_edited', detail: 'global_hash does not fit the record' };
}

/** A record that is where it was, or follows what it followed, only has another number; else others were taken out or put in before it. */
function renumbered(stated: number, hashed: number, followsHead: boolean): RecordProblem {
  const detail = `the record was hashed as number ${hashed} and says ${stated}`;
  if (followsHead) return { kind: 'renumbered', detail };
  return stated > hashed ? { kind: 'inserted', detail, back: 1 } : { kind: 'missing', detail };
}

function trueSequence(stated: number, fits: (sequence: number) => boolean): number | undefined {
  for (let away = 1; away <= SEQUENCES_AWAY_MAX; away++) {
    if (Number.isSafeInteger(stated + away) && fits(stated + away)) return stated + away;
    if (stated > away && fits(stated - away)) return stated - away;
  }
  return undefined;
}

/** The tenant that the record was hashed for, if that is another one than it says. */
function homeOf(facts: RecordFacts, around: Surroundings): string | undefined {
  const { record } = facts;
  for (const [tenantId] of around.tenants) {
    if (tenantId === facts.tenantId) continue;
    const content = contentHash(jsonForm({ ...facts.fields, tenant_id: tenantId === '' ? null : tenantId }));
    const place = { tenantId, sequence: record.tenant_sequence, previousHash: record.previous_hash };
    if (tenantLinkHash({ ...place, contentHash: content }) === record.audit_hash) return tenantId;
    if (tenantLinkHash({ ...place, contentHash: facts.contentHash }) === record.audit_hash) return tenantId;
  }
  return undefined;
}
