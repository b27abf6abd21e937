import { chainBatch } from '../chain/chain-batch.ts';
import { GENESIS, type ChainHead } from '../chain/heads.ts';
import { contentHash } from '../hashing/framing.ts';
import { canonicalJson } from '../records/canonical-json.ts';
import type { ExportRecord } from '../records/export-line.ts';
import type { TamperKind } from '../verify/verdict.ts';
import { chained, noteOver, OTHER_SIGNER, sampleBody } from './sample-log.test-support.ts';

/** What an attacker leaves behind, and what a verifier has to say of it. */
export interface Tampered {
  readonly records: readonly ExportRecord[];
  readonly checkpoints?: readonly string[];
  readonly newest?: string;
  readonly kind: TamperKind;
  readonly firstBad: number;
}

/** One way to tamper with a log of at least four records; `at` is the index that is tampered with, 1 to length - 3. */
export type Mutation = (log: readonly ExportRecord[], at: number) => Tampered;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(record: ExportRecord): Fields {
  return JSON.parse(record.canonical) as Fields;
}

export function tenantOf(record: ExportRecord): string {
  return (fieldsOf(record)['tenant_id'] ?? '') as string;
}

function recordAt(log: readonly ExportRecord[], at: number): ExportRecord {
  const record = log[at];
  if (record === undefined) throw new RangeError(`the log has no record ${at}`);
  return record;
}

/** Replaces members of one record, its hashes as they were. */
function replace(log: readonly ExportRecord[], at: number, members: Partial<ExportRecord>): ExportRecord[] {
  return log.with(at, { ...recordAt(log, at), ...members });
}

function withFields(record: ExportRecord, fields: Fields): Pick<ExportRecord, 'canonical'> {
  return { canonical: canonicalJson({ ...fieldsOf(record), ...fields }) };
}

/** A change of one record that leaves the others as they were. */
function change(kind: TamperKind, members: (record: ExportRecord) => Partial<ExportRecord>): Mutation {
  return (log, at) => ({ records: replace(log, at, members(recordAt(log, at))), kind, firstBad: at + 1 });
}

/** The log hashed anew with the record at that index changed, as who owns the whole database can do. */
function rehashed(log: readonly ExportRecord[], at: number): ExportRecord[] {
  const edited = replace(log, at, { ...withFields(recordAt(log, at), { entity_id: 'forged' }), displayed: {} });
  return chained(edited.map((record) => ({ tenantId: tenantOf(record), body: bodyOf(record) })));
}

function bodyOf({ canonical, disclosures = {}, displayed = {} }: ExportRecord) {
  return { canonical, disclosures, displayed };
}

/** A record of the attacker, chained behind the first `count` ones. */
function forgedBehind(log: readonly ExportRecord[], count: number, tenantId: string): ExportRecord {
  const last = log[count - 1];
  const global: ChainHead = last === undefined ? GENESIS : { sequence: last.global_sequence, hash: last.global_hash };
  const own = log.slice(0, count).findLast((record) => tenantOf(record) === tenantId);
  const tenant: ChainHead = own === undefined ? GENESIS : { sequence: own.tenant_sequence, hash: own.audit_hash };
  const body = sampleBody({ tenantId, entityId: 'forged', after: null }, 900_000);
  const pending = { tenantId, contentHash: contentHash(body.canonical) };
  const [links] = chainBatch({ global, tenants: new Map([[tenantId, tenant]]) }, [pending]).links;
  if (links === undefined) throw new Error('nothing was chained');
  return { ...body, ...links };
}

function twin(rewrite: (canonical: string) => string): Mutation {
  return change('not_canonical', (record) => ({ canonical: rewrite(record.canonical) }));
}

const flip = (hash: string): string => (hash.startsWith('0') ? '1' : '0') + hash.slice(1);

/** Source: reliability, Audit chain, Tamper matrix. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'edit field': change('edited', (record) => withFields(record, { entity_id: 'forged' })),
  'edit display column': change('display_edited', (record) => ({
    displayed: { ...record.displayed, entity_id: 'forged' },
  })),
  'edit displayed hash': change('display_edited', (record) => ({
    displayed: { ...record.displayed, audit_hash: 'forged' },
  })),
  'delete middle': (log, at) => ({ records: log.toSpliced(at, 1), kind: 'missing', firstBad: at + 1 }),
  'delete first': (log) => ({ records: log.slice(1), kind: 'missing', firstBad: 1 }),
  'delete tail': (log, at) => ({ records: log.slice(0, at + 1), kind: 'tail_deleted', firstBad: at + 2 }),
  'delete all': () => ({ records: [], kind: 'tail_deleted', firstBad: 1 }),
  'delete and renumber': (log, at) => {
    const tenantId = tenantOf(recordAt(log, at));
    const later = log.slice(at + 1).map((record) => ({
      ...record,
      global_sequence: record.global_sequence - 1,
      tenant_sequence: record.tenant_sequence - (tenantOf(record) === tenantId ? 1 : 0),
    }));
    return { records: [...log.slice(0, at), ...later], kind: 'missing', firstBad: at + 1 };
  },
  insert: (log, at) => {
    const forged = forgedBehind(log, at, tenantOf(recordAt(log, at)));
    return { records: log.toSpliced(at, 0, forged), kind: 'inserted', firstBad: at + 1 };
  },
  'insert and renumber': (log, at) => {
    const tenantId = tenantOf(recordAt(log, at));
    const forged = forgedBehind(log, at, tenantId);
    const later = log.slice(at).map((record) => ({
      ...record,
      global_sequence: record.global_sequence + 1,
      tenant_sequence: record.tenant_sequence + (tenantOf(record) === tenantId ? 1 : 0),
    }));
    return { records: [...log.slice(0, at), forged, ...later], kind: 'inserted', firstBad: at + 1 };
  },
  swap: (log, at) => ({
    records: log.with(at, recordAt(log, at + 1)).with(at + 1, recordAt(log, at)),
    kind: 'reordered',
    firstBad: at + 1,
  }),
  'move back': (log, at) => ({
    records: [recordAt(log, at), ...log.toSpliced(at, 1)],
    kind: 'reordered',
    firstBad: 1,
  }),
  duplicate: (log, at) => ({
    records: log.toSpliced(at + 2, 0, recordAt(log, at)),
    kind: 'duplicate',
    firstBad: at + 3,
  }),
  'move to another tenant': (log, at) => {
    const here = tenantOf(recordAt(log, at));
    const before = log.slice(0, at).map(tenantOf);
    const there = before.find((tenantId) => tenantId !== here) ?? 'elsewhere';
    // Of a tenant that the log has not named before nobody can say that the record was its own.
    const isKnown = before.includes(here);
    return change(isKnown || there === 'elsewhere' ? 'moved_tenant' : 'edited', (record) =>
      withFields(record, { tenant_id: there === '' ? null : there }),
    )(log, at);
  },
  'change tenant sequence': change('renumbered', (record) => ({ tenant_sequence: record.tenant_sequence + 3 })),
  'change global sequence': change('renumbered', (record) => ({ global_sequence: record.global_sequence + 3 })),
  'change previous hash': change('link_edited', (record) => ({ previous_hash: flip(record.previous_hash) })),
  'change audit hash': change('link_edited', (record) => ({ audit_hash: flip(record.audit_hash) })),
  'change global hash': change('link_edited', (record) => ({ global_hash: flip(record.global_hash) })),
  'change global previous hash': change('link_edited', (record) => ({
    global_previous_hash: flip(record.global_previous_hash),
  })),
  'rehash one': (log, at) => ({
    records: log.with(at, recordAt(rehashed(log, at), at)),
    kind: 'rehashed',
    firstBad: at + 1,
  }),
  'rehash suffix': (log, at) => ({ records: rehashed(log, at), kind: 'rewritten', firstBad: 1 }),
  'rehash suffix behind a checkpoint': (log, at) => ({
    records: rehashed(log, at),
    checkpoints: [noteOver(log, at), noteOver(log)],
    kind: 'rewritten',
    firstBad: at + 1,
  }),
  'rehash all with a new first record': (log) => ({ records: rehashed(log, 0), kind: 'rewritten', firstBad: 1 }),
  're-sign with another key': (log, at) => {
    const records = rehashed(log, at);
    return {
      records,
      checkpoints: [noteOver(records, records.length, OTHER_SIGNER)],
      kind: 'foreign_key',
      firstBad: 1,
    };
  },
  'change a signed checkpoint': (log) => ({
    records: log.slice(0, -1),
    checkpoints: [noteOver(log).replace(`\n${log.length}\n`, `\n${log.length - 1}\n`)],
    kind: 'foreign_key',
    firstBad: 1,
  }),
  fork: (log, at) => {
    const other = rehashed(log, at);
    const checkpoints = [noteOver(log, at), noteOver(log), noteOver(other)];
    return { records: other, checkpoints, kind: 'forked', firstBad: at + 1 };
  },
  'truncate and grow again': (log, at) => {
    const kept = log.slice(0, at).map((record) => ({ tenantId: tenantOf(record), body: bodyOf(record) }));
    const grown = log.slice(at).map((record, index) => ({
      tenantId: tenantOf(record),
      body: sampleBody({ tenantId: tenantOf(record), entityId: 'grown', after: index }, 800_000 + index),
    }));
    return { records: chained([...kept, ...grown]), kind: 'rewritten', firstBad: 1 };
  },
  'twin: space': twin((canonical) => canonical.replace(',', ', ')),
  'twin: key order': twin((canonical) => canonical.replace(/^\{("action":"[a-z]+"),(.*)\}$/, '{$2,$1}')),
  'twin: escaped character': twin((canonical) => canonical.replace('"update"', String.raw`"\u0075pdate"`)),
  'twin: number': twin((canonical) => canonical.replace('"schema_version":2', '"schema_version":2.0')),
  'twin: duplicate key': twin((canonical) => canonical.replace('"action":', '"action":"delete","action":')),
  'twin: decomposed letters': change('edited', (record) => withFields(record, { action: 'e\u0301dite' })),
  'redact what may not be': change('not_redactable', (record) =>
    withFields(record, { entity_id: fieldsOf(record)['before'] }),
  ),
  'disclose what is no commitment': change('not_redactable', (record) => ({
    disclosures: { ...record.disclosures, entity_id: null },
  })),
  'change a disclosed value': change('disclosure_mismatch', (record) => ({
    disclosures: { ...record.disclosures, after: { salt: record.disclosures?.['after']?.salt ?? '', value: 'forged' } },
  })),
  'change a salt': change('disclosure_mismatch', (record) => ({
    disclosures: {
      ...record.disclosures,
      after: { salt: '0'.repeat(32), value: record.disclosures?.['after']?.value },
    },
  })),
  'replay an older checkpoint': (log, at) => ({
    records: log.slice(0, at),
    newest: noteOver(log, at),
    kind: 'checkpoint_replayed',
    firstBad: at + 1,
  }),
};
