import { chainBatch, type RecordLinks } from '../chain/chain-batch.ts';
import { GENESIS } from '../chain/heads.ts';
import { formatCheckpoint } from '../checkpoints/checkpoint.ts';
import { createSigner, privateKeyFromSeed, type NoteSigner } from '../checkpoints/note-key.ts';
import { signNote } from '../checkpoints/note.ts';
import { contentHash } from '../hashing/framing.ts';
import { canonicalJson } from '../records/canonical-json.ts';
import { COMMITTED_FIELDS, commitField } from '../records/commitment.ts';
import type { ExportRecord } from '../records/export-line.ts';
import { CompactRange } from '../tree/compact-range.ts';
import { leafHash } from '../tree/hashes.ts';

/** Keys of tests: they sign nothing else. */
export const SIGNER: NoteSigner = createSigner('audit.example', privateKeyFromSeed(Buffer.alloc(32, 7)));
export const OTHER_SIGNER: NoteSigner = createSigner('audit.example', privateKeyFromSeed(Buffer.alloc(32, 9)));
export const ORIGIN = 'audit.example/log';
const EPOCH_MS = Date.UTC(2026, 0, 1);

/** What one record is about. */
export interface SampleEvent {
  readonly tenantId: string;
  readonly entityId: string;
  readonly after: unknown;
}

/** A record of schema version 2 before it is chained. `n` makes it its own. */
export function sampleBody(
  event: SampleEvent,
  n: number,
): Pick<Required<ExportRecord>, 'canonical' | 'disclosures' | 'displayed'> {
  const plain = {
    id: `record-${n}`,
    tenant_id: event.tenantId === '' ? null : event.tenantId,
    actor_id: 'user-1',
    action: 'update',
    entity_type: 'service',
    entity_id: event.entityId,
    request_id: `request-${n}`,
    timestamp: new Date(EPOCH_MS + n * 1000).toISOString(),
    schema_version: 2,
    immutable: true,
  };
  const hidden: Readonly<Record<string, unknown>> = {
    before: null,
    after: event.after,
    metadata: { n },
    source_ip: '192.0.2.1',
    actor_username: 'mallory',
  };
  const disclosures = Object.fromEntries(
    COMMITTED_FIELDS.map((name, index) => {
      const salt = (n * 16 + index).toString(16).padStart(32, '0');
      return [name, { salt, value: hidden[name] }];
    }),
  );
  const commitments = Object.fromEntries(
    Object.entries(disclosures).map(([name, { salt, value }]) => [name, commitField(value, salt)]),
  );
  return { canonical: canonicalJson({ ...plain, ...commitments }), disclosures, displayed: { ...plain, ...hidden } };
}

/** A log of all tenants over these events. */
export function sampleLog(events: readonly SampleEvent[], firstN = 1): ExportRecord[] {
  return chained(events.map((event, index) => ({ tenantId: event.tenantId, body: sampleBody(event, firstN + index) })));
}

/** Chains bodies from the first record on, as who rewrites a whole log would. */
export function chained(
  entries: readonly { readonly tenantId: string; readonly body: Omit<ExportRecord, keyof RecordLinks> }[],
): ExportRecord[] {
  const pending = entries.map(({ tenantId, body }) => ({ tenantId, contentHash: contentHash(body.canonical) }));
  const { links } = chainBatch({ global: GENESIS, tenants: new Map() }, pending);
  return links.map((link, index) => ({ ...(entries[index]?.body ?? { canonical: '' }), ...link }));
}

/** A checkpoint over the first records of a log. */
export function noteOver(
  records: readonly ExportRecord[],
  size: number = records.length,
  signer: NoteSigner = SIGNER,
): string {
  const tree = CompactRange.empty();
  for (const record of records.slice(0, size)) tree.append(leafHash(record.audit_hash));
  return signNote(formatCheckpoint({ origin: ORIGIN, size, root: tree.root() }), signer);
}

/** Events of two tenants and of none, in turn. */
export function sampleEvents(count: number): SampleEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    tenantId: ['acme', 'globex', ''][index % 3] ?? '',
    entityId: `entity-${index}`,
    after: { name: `é ${index}`, enabled: index % 2 === 0 },
  }));
}
