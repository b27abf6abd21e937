/**
 * Measures what the README says: `measure.ts write FILE COUNT`, then `measure.ts verify FILE` in a process of its own,
 * and `measure.ts proof`. Run: node --conditions=@portcullis/source scripts/measure.ts …
 */
import { closeSync, createReadStream, openSync, writeFileSync, writeSync } from 'node:fs';
import {
  chainBatch,
  CompactRange,
  contentHash,
  exportLine,
  formatCheckpoint,
  GENESIS,
  inclusionProof,
  leafHash,
  signNote,
  verifyExport,
  verifyInclusion,
  type ChainHeads,
} from '../src/index.ts';
import { ORIGIN, sampleBody, sampleEvents, SIGNER } from '../src/testing/sample-log.test-support.ts';

const BATCH_RECORDS = 1000;
const PROOF_LEAVES = 1_000_000;
const PROOF_CHECKS = 20_000;

const [command = '', file = '', count = '0'] = process.argv.slice(2);
if (command === 'write') write(file, Number(count));
else if (command === 'verify') await verify(file);
else await proof();

function write(path: string, records: number): void {
  const output = openSync(path, 'w');
  const tree = CompactRange.empty();
  let heads: ChainHeads = { global: GENESIS, tenants: new Map() };
  for (let n = 0; n < records; n += BATCH_RECORDS) {
    const events = sampleEvents(Math.min(BATCH_RECORDS, records - n));
    const bodies = events.map((event, index) => sampleBody(event, n + index));
    const pending = bodies.map((body, index) => ({
      tenantId: events[index]?.tenantId ?? '',
      contentHash: contentHash(body.canonical),
    }));
    const batch = chainBatch(heads, pending);
    heads = batch.heads;
    const lines = batch.links.map((links, index) => {
      tree.append(leafHash(links.audit_hash));
      const { canonical = '', disclosures = {} } = bodies[index] ?? {};
      return `${exportLine({ canonical, disclosures, ...links })}\n`;
    });
    writeSync(output, lines.join(''));
  }
  closeSync(output);
  const note = signNote(formatCheckpoint({ origin: ORIGIN, size: tree.size, root: tree.root() }), SIGNER);
  writeFileSync(`${path}.checkpoint`, note);
}

async function verify(path: string): Promise<void> {
  const note = (await createReadStream(`${path}.checkpoint`).toArray()).join('');
  const started = performance.now();
  const options = { scope: { kind: 'global' }, keys: [SIGNER.verifierKey], checkpoints: [note] } as const;
  const verdict = await verifyExport(createReadStream(path, { highWaterMark: 1024 * 1024 }), options);
  const seconds = (performance.now() - started) / 1000;
  const peakMib = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(
    `${JSON.stringify({ outcome: verdict.outcome, checked: verdict.checked, sealed: verdict.sealed, seconds, peakMib })}\n`,
  );
}

async function proof(): Promise<void> {
  const tree = CompactRange.empty();
  const nodes = new Map<string, string>();
  const leaf = leafHash('0'.repeat(64));
  for (let n = 0; n < PROOF_LEAVES; n++)
    tree.append(leaf, (level, position, hash) => nodes.set(`${level}/${position}`, hash));
  const index = PROOF_LEAVES >> 1;
  const hashes = await inclusionProof(
    index,
    PROOF_LEAVES,
    async (level, position) => nodes.get(`${level}/${position}`) ?? '',
  );
  const claim = { leaf, index, size: PROOF_LEAVES, root: tree.root(), proof: hashes };
  let isGood = true;
  const started = performance.now();
  for (let n = 0; n < PROOF_CHECKS; n++) isGood = verifyInclusion(claim) && isGood;
  process.stdout.write(
    `${JSON.stringify({ isGood, hashes: hashes.length, microseconds: ((performance.now() - started) * 1000) / PROOF_CHECKS })}\n`,
  );
}
