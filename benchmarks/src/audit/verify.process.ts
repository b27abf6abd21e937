/**
 * Makes an export of so many records in a file and verifies it as `gwctl audit verify` does; then checks inclusion proofs of
 * 20 nodes. Arguments: a folder, records. Prints JSON.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  canonicalJson,
  chainBatch,
  type ChainHeads,
  commitField,
  CompactRange,
  contentHash,
  createSigner,
  exportLine,
  formatCheckpoint,
  GENESIS,
  inclusionProof,
  leafHash,
  nodeHash,
  privateKeyFromSeed,
  signNote,
  verifyExport,
  verifyInclusion,
} from '@portcullis/audit-chain';

const [folder = '.', records = '1000000', mode = 'verify'] = process.argv.slice(2);
const count = Number(records);
const file = join(folder, 'log.ndjson');
const noteFile = join(folder, 'note.json');
const tenants = ['', 'acme', 'globex', 'initech'];
const salt = '0123456789abcdef'.repeat(2);

if (mode === 'make') await make();
else if (mode === 'verify') await verify();
else await proofs();

async function make(): Promise<void> {
  const out = createWriteStream(file);
  const range = CompactRange.empty();
  let heads: ChainHeads = { global: GENESIS, tenants: new Map() };
  for (let index = 0; index < count; index += 1) {
    const tenantId = tenants[index % tenants.length] ?? '';
    const after = { id: `record-${index}`, name: `service ${index}`, description: 'x'.repeat(200), port: 443 };
    const values = { before: null, after, metadata: null, source_ip: '192.0.2.1', actor_username: 'ann' };
    const commitments = Object.entries(values).map(([name, value]) => [name, commitField(value, salt)] as const);
    const canonical = canonicalJson({
      id: `${index}`,
      tenant_id: tenantId === '' ? null : tenantId,
      action: 'create',
      entity_type: 'service',
      entity_id: `record-${index}`,
      timestamp: new Date(1_750_000_000_000 + index).toISOString(),
      schema_version: 2,
      immutable: true,
      ...Object.fromEntries(commitments),
    });
    const batch = chainBatch(heads, [{ tenantId, contentHash: contentHash(canonical) }]);
    heads = batch.heads;
    const [links] = batch.links;
    if (!links) throw new Error('unreachable');
    range.append(leafHash(links.audit_hash));
    const disclosures = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { salt, value }]));
    if (!out.write(`${exportLine({ canonical, ...links, disclosures })}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
  const signer = createSigner('bench', privateKeyFromSeed(Buffer.alloc(32, 1)));
  const note = signNote(formatCheckpoint({ origin: 'bench', size: count, root: range.root() }), signer);
  const { writeFileSync } = await import('node:fs');
  writeFileSync(noteFile, JSON.stringify({ note, key: signer.verifierKey }));
}

async function verify(): Promise<void> {
  const { readFileSync } = await import('node:fs');
  const { note, key } = JSON.parse(readFileSync(noteFile, 'utf8')) as { note: string; key: string };
  const startMs = performance.now();
  const verdict = await verifyExport(createReadStream(file, { highWaterMark: 1024 * 1024 }), {
    scope: { kind: 'global' },
    checkpoints: [note],
    keys: [key],
  });
  const seconds = (performance.now() - startMs) / 1000;
  if (verdict.outcome !== 'valid' || verdict.sealed !== count) throw new Error(JSON.stringify(verdict));
  console.log(JSON.stringify({ seconds, peak_rss_mib: process.resourceUsage().maxRSS / 1024 }));
}

/** Proofs of 20 nodes: a tree of 2^20 leaves of which all but one path are alike. */
async function proofs(): Promise<void> {
  const alike: string[] = [leafHash('0'.repeat(64))];
  for (let level = 1; level <= 20; level += 1) alike.push(nodeHash(alike.at(-1) ?? '', alike.at(-1) ?? ''));
  const proof = await inclusionProof(12_345, 2 ** 20, (level) => Promise.resolve(alike[level] ?? ''));
  const claim = { leaf: alike[0] ?? '', index: 12_345, size: 2 ** 20, root: alike[20] ?? '', proof };
  if (proof.length !== 20 || !verifyInclusion(claim)) throw new Error('the proof does not hold');
  const rounds = 20_000;
  for (let index = 0; index < 2_000; index += 1) verifyInclusion(claim);
  const startMs = performance.now();
  for (let index = 0; index < rounds; index += 1) verifyInclusion(claim);
  console.log(JSON.stringify({ inclusion_check_us: ((performance.now() - startMs) * 1000) / rounds }));
}
