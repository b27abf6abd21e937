import { formatCheckpoint } from '../checkpoints/checkpoint.ts';
import { contentHash, globalLinkHash, tenantLinkHash } from '../hashing/framing.ts';
import { canonicalJson } from '../records/canonical-json.ts';
import { commitField } from '../records/commitment.ts';
import { exportLine, type ExportRecord } from '../records/export-line.ts';
import { CompactRange } from '../tree/compact-range.ts';
import { leafHash } from '../tree/hashes.ts';
import { consistencyProof, inclusionProof } from '../tree/proofs.ts';
import type { ReadSubtree } from '../tree/subtrees.ts';
import type { VerifierOptions } from '../verify/create-verifier.ts';
import { verifyExport } from '../verify/verify-export.ts';
import { MUTATIONS, tenantOf } from './mutations.test-support.ts';
import { noteOver, ORIGIN, OTHER_SIGNER, sampleEvents, sampleLog, SIGNER } from './sample-log.test-support.ts';

const LOG_RECORDS = 9;
const MUTATED_AT = 4;
const PROOF_SIZES = [1, 2, 3, 5, 8, 9];

/** The text of `vectors/v1.json`. */
export async function vectorDocument(): Promise<string> {
  const log = sampleLog(sampleEvents(LOG_RECORDS));
  const document = {
    description:
      'Vectors of audit chains, version 1. Hashes are lower-case hex. See README.md of @portcullis/audit-chain.',
    keys: [SIGNER.verifierKey],
    canonical: canonicalVectors(),
    commitments: commitmentVectors(),
    records: log.map(recordVector),
    trees: PROOF_SIZES.map((size) => treeVector(log, size)),
    inclusion: await inclusionVectors(log),
    consistency: await consistencyVectors(log),
    notes: noteVectors(log),
    ...(await logVectors(log)),
  };
  const members = Object.entries(document).map(([name, value]) => `${JSON.stringify(name)}: ${rowsOf(value)}`);
  return `{\n${members.join(',\n')}\n}\n`;
}

/** One line for each vector, so that a change shows. */
function rowsOf(value: unknown): string {
  return Array.isArray(value) ? `[\n${value.map((row) => JSON.stringify(row)).join(',\n')}\n]` : JSON.stringify(value);
}

function canonicalVectors() {
  const values = [
    { b: [1.5, -0, 1e15], a: 'é\n\u2028"\\', 10: null, 9: true },
    { '😀': 1, ﬀ: 2, '€': '\u007f\u0001' },
    [],
    {},
  ];
  return values.map((value) => ({
    value,
    canonical: canonicalJson(value),
    content_hash: contentHash(canonicalJson(value)),
  }));
}

function commitmentVectors() {
  return [null, 'mallory', { b: 1, a: [2] }].map((value, index) => {
    const salt = index.toString(16).padStart(32, 'a');
    return { value, salt, commitment: commitField(value, salt) };
  });
}

function recordVector(record: ExportRecord) {
  const tenantId = tenantOf(record);
  const content = contentHash(record.canonical);
  const link = { tenantId, sequence: record.tenant_sequence, previousHash: record.previous_hash, contentHash: content };
  const auditHash = tenantLinkHash(link);
  const global = { sequence: record.global_sequence, previousHash: record.global_previous_hash, tenantId, auditHash };
  return {
    tenant_id: tenantId,
    line: exportLine(record),
    content_hash: content,
    audit_hash: auditHash,
    global_hash: globalLinkHash(global),
    leaf_hash: leafHash(auditHash),
  };
}

function treeOf(log: readonly ExportRecord[], size: number) {
  const tree = CompactRange.empty();
  const nodes = new Map<string, string>();
  for (const record of log.slice(0, size)) {
    tree.append(leafHash(record.audit_hash), (level, position, hash) => nodes.set(`${level}/${position}`, hash));
  }
  const read: ReadSubtree = async (level, position) => nodes.get(`${level}/${position}`) ?? '';
  return { tree, read };
}

function treeVector(log: readonly ExportRecord[], size: number) {
  const { tree } = treeOf(log, size);
  return { size, subtrees: tree.hashes, root: tree.root() };
}

async function inclusionVectors(log: readonly ExportRecord[]) {
  const claims = PROOF_SIZES.flatMap((size) =>
    [...new Set([0, size >> 1, size - 1])].map((index) => ({ index, size })),
  );
  const good = await Promise.all(
    claims.map(async ({ index, size }) => {
      const { tree, read } = treeOf(log, size);
      const leaf = leafHash(log[index]?.audit_hash ?? '');
      return { leaf, index, size, root: tree.root(), proof: await inclusionProof(index, size, read), valid: true };
    }),
  );
  const bad = good.map((claim) => ({ ...claim, index: claim.index + 1, valid: false }));
  return [...good, ...bad, ...good.map((claim) => ({ ...claim, proof: [...claim.proof, claim.leaf], valid: false }))];
}

async function consistencyVectors(log: readonly ExportRecord[]) {
  const claims = PROOF_SIZES.flatMap((to) => PROOF_SIZES.filter((from) => from <= to).map((from) => ({ from, to })));
  const good = await Promise.all(
    claims.map(async ({ from, to }) => {
      const { tree, read } = treeOf(log, to);
      const fromRoot = treeOf(log, from).tree.root();
      return {
        from,
        from_root: fromRoot,
        to,
        to_root: tree.root(),
        proof: await consistencyProof(from, to, read),
        valid: true,
      };
    }),
  );
  return [...good, ...good.map((claim) => ({ ...claim, from_root: leafHash(claim.from_root), valid: false }))];
}

function noteVectors(log: readonly ExportRecord[]) {
  const { tree } = treeOf(log, LOG_RECORDS);
  const note = noteOver(log);
  const text = formatCheckpoint({ origin: ORIGIN, size: LOG_RECORDS, root: tree.root() });
  return [
    { note, text, size: LOG_RECORDS, root: tree.root(), valid: true },
    { note: note.replace(`\n${LOG_RECORDS}\n`, `\n${LOG_RECORDS + 1}\n`), valid: false },
    { note: noteOver(log, LOG_RECORDS, OTHER_SIGNER), valid: false },
  ];
}

/** Whole logs, clean and tampered with, as indexes into `lines`, and what the verifier of this package says of them. */
async function logVectors(log: readonly ExportRecord[]) {
  const clean = { name: 'clean', scope: null, records: log, checkpoints: [noteOver(log, MUTATED_AT), noteOver(log)] };
  const own = log.filter((record) => tenantOf(record) === 'acme');
  const tenant = { name: 'clean, one tenant', scope: 'acme', records: own, checkpoints: [noteOver(own)] };
  const bare = log.map(({ displayed: _shown, ...record }) => ({
    ...record,
    disclosures: { ...record.disclosures, after: null },
  }));
  const redacted = { name: 'clean, redacted', scope: null, records: bare, checkpoints: [noteOver(log)] };
  const tampered = Object.entries(MUTATIONS).map(([name, mutate]) => {
    const { records, checkpoints = [noteOver(log)], newest } = mutate(log, MUTATED_AT);
    return { name, scope: null, records, checkpoints, ...(newest === undefined ? {} : { newest }) };
  });
  const lines: string[] = [];
  const numberOf = (line: string): number => (lines.includes(line) ? lines.indexOf(line) : lines.push(line) - 1);
  const logs = await Promise.all(
    [clean, tenant, redacted, ...tampered].map(async ({ records, ...rest }) => {
      const texts = records.map(exportLine);
      const numbers = texts.map(numberOf);
      const scope = rest.scope === null ? { kind: 'global' } : { kind: 'tenant', tenantId: rest.scope };
      const options = { ...rest, scope, keys: [SIGNER.verifierKey] } as VerifierOptions;
      const verdict = await verifyExport(
        texts.map((line) => `${line}\n`),
        options,
      );
      const kind = verdict.outcome === 'tampered' ? { kind: verdict.kind, first_bad: verdict.firstBad } : {};
      return { ...rest, lines: numbers, outcome: verdict.outcome, ...kind };
    }),
  );
  return { lines, logs };
}
