import { chainBatch } from '../chain/chain-batch.ts';
import { GENESIS, type ChainHead } from '../chain/heads.ts';
import { contentHash } from '../hashing/framing.ts';
import { canonicalRecord } from '../records/canonical-json.ts';
import { commitField } from '../records/commitment.ts';
import type { Disclosure } from '../records/export-line.ts';
import { CompactRange } from '../tree/compact-range.ts';
import { leafHash } from '../tree/hashes.ts';
import { GLOBAL_CHAIN, tenantChain, type LogAppend, type StoredHead, type StoredNode } from './log-storage.ts';

/** What is logged. */
export interface LogEntry {
  /** Whose chain it belongs to; '' for nobody's. Becomes the record's `tenant_id`, null for ''. */
  readonly tenantId: string;
  /** A plain object of JSON values, hashed as it is but for its committed members. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** An entry in its canonical form, before it has a place. */
export interface PreparedEntry {
  readonly tenantId: string;
  readonly canonical: string;
  readonly contentHash: string;
  readonly disclosures: Readonly<Record<string, Disclosure>>;
}

/** Replaces the members that may be erased by commitments. Throws a CanonicalError for what has no canonical form. */
export function prepare(
  { tenantId, record }: LogEntry,
  redactable: readonly string[],
  salt: () => string,
): PreparedEntry {
  const names = redactable.filter((name) => Object.hasOwn(record, name));
  const disclosures = Object.fromEntries(names.map((name) => [name, { salt: salt(), value: record[name] }]));
  const commitments = Object.fromEntries(
    names.map((name) => [name, commitField(record[name], disclosures[name]?.salt ?? '')]),
  );
  const canonical = canonicalRecord({ ...record, ...commitments, tenant_id: tenantId === '' ? null : tenantId });
  return { tenantId, canonical, contentHash: contentHash(canonical), disclosures };
}

/** What to store for entries behind those heads: records, the new heads, the nodes that become complete. */
export function planAppend(heads: ReadonlyMap<string, StoredHead>, entries: readonly PreparedEntry[]): LogAppend {
  const before: StoredHead = heads.get(GLOBAL_CHAIN) ?? { ...GENESIS, subtrees: [] };
  const tenants = new Map<string, ChainHead>();
  for (const { tenantId } of entries) tenants.set(tenantId, heads.get(tenantChain(tenantId)) ?? GENESIS);
  const { links, heads: after } = chainBatch({ global: before, tenants }, entries);
  const tree = CompactRange.from(before.sequence, before.subtrees);
  const nodes: StoredNode[] = [];
  for (const link of links)
    tree.append(leafHash(link.audit_hash), (level, position, hash) => nodes.push({ level, position, hash }));
  const next = new Map<string, StoredHead>([[GLOBAL_CHAIN, { ...after.global, subtrees: tree.hashes }]]);
  for (const [tenantId, head] of after.tenants) next.set(tenantChain(tenantId), { ...head, subtrees: [] });
  const records = entries.flatMap(({ canonical, disclosures }, index) => {
    const link = links[index];
    return link === undefined ? [] : [{ canonical, disclosures, ...link }];
  });
  return { expected: before.sequence, heads: next, records, nodes };
}
