import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createLog,
  leafHash,
  openNote,
  parseCheckpoint,
  parseVerifierKey,
  verifyConsistency,
  verifyExport,
  verifyInclusion,
  type Log,
  type LogRecord,
  type LogStorage,
  type Verdict,
} from '../index.ts';
import { ORIGIN, OTHER_SIGNER, SIGNER } from '../testing/sample-log.test-support.ts';
import { describeOnEachStorage, type OpenStorage } from '../testing/storages.test-support.ts';

const salt = (): string => randomBytes(16).toString('hex');

function entry(tenantId: string, n: number) {
  return {
    tenantId,
    record: { id: `r-${n}`, action: 'update', before: null, after: { n }, text: 'é\n', schema_version: 1 },
  };
}

async function fill(log: Log, count: number, from = 0): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for (let n = from; n < from + count; n++)
    records.push(...(await log.append([entry(['acme', 'globex', ''][n % 3] ?? '', n)])));
  return records;
}

function rootOf(note: string): { size: number; root: string } {
  return parseCheckpoint(openNote(note, [parseVerifierKey(SIGNER.verifierKey)]).text);
}

async function verify(log: Log, checkpoints: readonly string[] = []): Promise<Verdict> {
  const base = await log.base();
  return verifyExport(log.export(), { scope: { kind: 'global' }, base, keys: [SIGNER.verifierKey], checkpoints });
}

describeOnEachStorage((open) => {
  let storage: OpenStorage;
  let log: Log;
  const logOf = (signer = SIGNER) => createLog({ storage: storage.storage, origin: ORIGIN, signer, salt });
  beforeEach(async () => {
    storage = await open();
    log = logOf();
  });
  afterEach(() => storage.close());

  it('keeps what is appended, in order and byte for byte', async () => {
    expect(await verify(log, [await log.checkpoint()])).toMatchObject({ outcome: 'valid', checked: 0, sealed: 0 });
    const [first] = await log.append([entry('acme', 1), entry('globex', 2), entry('acme', 3)]);
    expect(first).toMatchObject({ tenant_sequence: 1, global_sequence: 1, previous_hash: '0'.repeat(64) });
    const stored = await storage.storage.readRecords(1, 10);
    expect(stored[0]).toEqual(first);
    expect(stored.map((record) => record.tenant_sequence)).toEqual([1, 1, 2]);
    expect(await verify(log, [await log.checkpoint()])).toMatchObject({ outcome: 'valid', checked: 3, sealed: 3 });
    expect(await log.append([])).toEqual([]);
  });

  it('lets no two writers make two chains', async () => {
    const writers = Array.from({ length: 8 }, () => logOf());
    await Promise.all(writers.map(async (writer, index) => fill(writer, 5, index * 100)));
    expect(await verify(log, [await log.checkpoint()])).toMatchObject({ outcome: 'valid', checked: 40, sealed: 40 });
    const stale = { expected: 39, heads: new Map(), records: [], nodes: [] };
    expect(await storage.storage.append(stale)).toBe(false);
  });

  it('proves what it has', async () => {
    const records = await fill(log, 7);
    const early = rootOf(await log.checkpoint());
    await fill(log, 6, 7);
    const late = rootOf(await log.checkpoint());
    const proof = await log.proveInclusion(5, late.size);
    const leaf = leafHash(records[4]?.audit_hash ?? '');
    expect(verifyInclusion({ leaf, index: 4, ...late, proof })).toBe(true);
    const between = await log.proveConsistency(early.size, late.size);
    expect(verifyConsistency({ from: 7, fromRoot: early.root, to: 13, toRoot: late.root, proof: between })).toBe(true);
    expect(await log.checkpoints()).toHaveLength(2);
    expect(await log.checkpoints(7)).toHaveLength(1);
    expect(await log.checkpoints(-1, 1)).toHaveLength(1);
    expect(await log.checkpoint()).toBe((await log.checkpoints())[1]);
  });

  it('erases a value and its salt, and nothing else', async () => {
    await fill(log, 3);
    const note = await log.checkpoint();
    await log.redact(2, 'after');
    const [record] = await storage.storage.readRecords(2, 1);
    expect(record?.disclosures).toMatchObject({ after: null, before: { value: null } });
    expect(await verify(log, [note])).toMatchObject({ outcome: 'valid', redacted: 1 });
    await expect(log.redact(2, 'action')).rejects.toMatchObject({ code: 'unknown' });
    await expect(log.redact(9, 'after')).rejects.toMatchObject({ code: 'unknown' });
  });

  it('is pruned up to a checkpoint, and later proofs still work', async () => {
    await fill(log, 7);
    const early = await log.checkpoint();
    await fill(log, 6, 7);
    const late = await log.checkpoint();
    await log.prune(early);
    expect((await storage.storage.readRecords(1, 1))[0]?.global_sequence).toBe(8);
    expect(await verify(log, [early, late])).toMatchObject({ outcome: 'valid', checked: 6, sealed: 13 });
    const [e, l] = [rootOf(early), rootOf(late)];
    const proof = await log.proveConsistency(7, 13);
    expect(verifyConsistency({ from: 7, fromRoot: e.root, to: 13, toRoot: l.root, proof })).toBe(true);
    const [eighth] = await storage.storage.readRecords(8, 1);
    const leaf = leafHash(eighth?.audit_hash ?? '');
    expect(verifyInclusion({ leaf, index: 7, ...l, proof: await log.proveInclusion(8, 13) })).toBe(true);
    await expect(log.proveInclusion(1, 13)).rejects.toMatchObject({ code: 'pruned' });
    await expect(log.prune(early)).rejects.toMatchObject({ code: 'pruned' });
    await fill(log, 4, 13);
    const last = await log.checkpoint();
    expect(await verify(log, [last])).toMatchObject({ outcome: 'valid', checked: 10 });
    await log.prune(late);
    expect(await verify(log, [late, last])).toMatchObject({ outcome: 'valid', checked: 4, sealed: 17 });
  });

  it('is pruned by no note that it did not sign', async () => {
    await fill(log, 4);
    const foreign = await logOf(OTHER_SIGNER).checkpoint();
    await expect(log.prune(foreign)).rejects.toMatchObject({ code: 'unverified' });
    const other = createLog({ storage: storage.storage, origin: 'other', signer: SIGNER, salt });
    await expect(other.prune(foreign)).rejects.toMatchObject({ code: 'unverified' });
  });

  it('signs nothing that does not continue what was signed', async () => {
    await fill(log, 3);
    const note = await log.checkpoint();
    await fill(log, 1, 3);
    const changed: LogStorage = {
      ...storage.storage,
      readNode: async () => '0'.repeat(64),
      readRecords: async (from, limit) =>
        (await storage.storage.readRecords(from, limit)).map((record) => ({
          ...record,
          canonical: record.canonical.replace('r-1', 'r-9'),
        })),
    };
    const damaged = createLog({ storage: changed, origin: ORIGIN, signer: SIGNER, salt });
    await expect(damaged.checkpoint()).rejects.toMatchObject({ code: 'inconsistent' });
    expect(await verify(damaged, [note])).toMatchObject({ outcome: 'tampered', kind: 'edited', firstBad: 2 });
  });
});
