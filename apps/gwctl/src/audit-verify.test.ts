import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  canonicalJson,
  chainBatch,
  CompactRange,
  contentHash,
  createSigner,
  exportLine,
  formatCheckpoint,
  commitField,
  GENESIS,
  leafHash,
  privateKeyFromSeed,
  signNote,
} from '@portcullis/audit-chain';
import { beforeAll, describe, expect, it } from 'vitest';
import { gwctlHome } from './fake-api.test-support.ts';

const signer = createSigner('log.example.com', privateKeyFromSeed(Buffer.alloc(32, 1)));
const stranger = createSigner('log.example.com', privateKeyFromSeed(Buffer.alloc(32, 2)));

const salt = 'a'.repeat(32);
const zeros = '0'.repeat(64);
/** The beginning of a log that never was: a million records have seven perfect subtrees. */
const inventedBase = JSON.stringify({ base: { sequence: 1_000_000, hash: zeros, subtrees: Array(7).fill(zeros) } });

/** Members of a record that says what retention deleted. */
function pruneMembers(metadata: unknown) {
  return { action: 'prune', entity_type: 'audit_log', metadata: commitField(metadata, salt) };
}

/** A log of some records of two tenants and of none, the last but two about what was deleted up to there. */
function makeLog(count: number, prunedThrough = 0) {
  const pruned = { from: 1, through: prunedThrough };
  const isAct = (index: number): boolean => prunedThrough > 0 && index === count - 3;
  const tenantIds = Array.from(
    { length: count },
    (_, index) => (index === 0 ? '' : ['acme', 'globex'][index % 2]) ?? '',
  );
  const texts = tenantIds.map((tenantId, index) =>
    canonicalJson({
      id: randomBytes(8).toString('hex'),
      tenant_id: tenantId === '' ? null : tenantId,
      action: 'create',
      timestamp: new Date(1_750_000_000_000 + index * 1000).toISOString(),
      schema_version: 2,
      immutable: true,
      ...(isAct(index) && pruneMembers(pruned)),
    }),
  );
  const pending = texts.map((text, index) => ({ tenantId: tenantIds[index] ?? '', contentHash: contentHash(text) }));
  const { links } = chainBatch({ global: GENESIS, tenants: new Map() }, pending);
  const range = CompactRange.empty();
  for (const { audit_hash } of links) range.append(leafHash(audit_hash));
  const lines = texts.map((canonical, index) => {
    const link = links[index];
    if (!link) throw new Error('unreachable');
    return exportLine({
      canonical,
      ...link,
      ...(isAct(index) && { disclosures: { metadata: { salt, value: pruned } } }),
    });
  });
  return { lines, root: range.root() };
}

describe('gwctl audit verify', () => {
  const log = makeLog(40);
  let home: Awaited<ReturnType<typeof gwctlHome>>;
  const note = (by = signer, of = log, origin = 'log.example.com'): string =>
    signNote(formatCheckpoint({ origin, size: of.lines.length, root: of.root }), by);
  const verify = (lines: readonly string[], ...options: string[]) => {
    writeFileSync(`${home.path}/log.ndjson`, lines.map((line) => `${line}\n`).join(''));
    writeFileSync(`${home.path}/key.pub`, `# the key of the log\n${signer.verifierKey}\n`);
    writeFileSync(`${home.path}/note`, note());
    writeFileSync(`${home.path}/foreign-note`, note(stranger));
    writeFileSync(
      `${home.path}/saved.ndjson`,
      `{"chain":"tenant:x","note":"other\\n"}\n${JSON.stringify({ note: note() })}\n{"no`,
    );
    return home.run('audit', 'verify', 'log.ndjson', ...options);
  };
  beforeAll(async () => {
    home = await gwctlHome();
  });

  it('says that a log is whole, with and without checkpoints', async () => {
    expect(await verify(log.lines, '--key', 'key.pub', '--checkpoint', 'note')).toEqual({
      exitCode: 0,
      stdout: 'whole: 40 records are good, 40 of them covered by a checkpoint (the log over all tenants)\n',
      stderr: '',
    });
    const saved = await verify(log.lines, '--key', signer.verifierKey, '--checkpoint', 'saved.ndjson', '-o', 'json');
    expect(JSON.parse(saved.stdout)).toMatchObject({ outcome: 'whole', checked: 40, sealed: 40, root: log.root });
    const alone = await verify(log.lines);
    expect([alone.exitCode, alone.stderr]).toEqual([0, expect.stringContaining('no checkpoint was given')]);
  });

  it('names the first bad sequence and what was done', async () => {
    const edited = log.lines.with(9, (log.lines[9] ?? '').replace('create', 'delete'));
    const run = await verify(edited, '--key', 'key.pub', '--checkpoint', 'note', '-o', 'json');
    expect(run.exitCode).toBe(2);
    expect(JSON.parse(run.stdout)).toMatchObject({ outcome: 'tampered', kind: 'edited', first_bad: 10, line: 10 });
    const cut = await verify(log.lines.slice(0, 30), '--key', 'key.pub', '--checkpoint', 'note');
    expect([cut.exitCode, cut.stdout]).toEqual([2, expect.stringMatching(/^tampered: tail_deleted at sequence 31: /)]);
    const missing = await verify(log.lines.toSpliced(4, 1), '--key', 'key.pub');
    expect([missing.exitCode, missing.stdout]).toEqual([2, expect.stringMatching(/^tampered: missing at sequence 5/)]);
    const foreign = await verify(log.lines, '--key', 'key.pub', '--checkpoint', 'foreign-note');
    expect([foreign.exitCode, foreign.stdout]).toEqual([2, expect.stringContaining('foreign_key')]);
  });

  it('says when it cannot decide', async () => {
    const cases: readonly (readonly [readonly string[], readonly string[], RegExp])[] = [
      [log.lines, ['--checkpoint', 'note'], /no_key/],
      [log.lines, ['--key', 'nonsense'], /no public key/],
      [log.lines, ['--key', 'key.pub', '--checkpoint', 'none'], /does not exist/],
      [log.lines.slice(10), ['--key', 'key.pub'], /--all-tenants or --tenant-id/],
      [log.lines.slice(10), ['--all-tenants', '--key', 'key.pub', '--checkpoint', 'note'], /no_base/],
      [log.lines.slice(10), ['--all-tenants', '--key', 'key.pub'], /no_base: .*what comes before them is not here/],
      [log.lines, ['--tenant-id', 'acme', '--key', 'key.pub', '--checkpoint', 'saved.ndjson'], /other_log/],
      [['{"base":{}}'], [], /no beginning of an export/],
      [[`{"base":{"sequence":1000,"hash":"${zeros}","subtrees":["${zeros}"]}}`], [], /malformed.*perfect subtrees/],
      [[inventedBase], ['--key', 'key.pub', '--checkpoint', 'note'], /no_base: .*none vouches/],
    ];
    for (const [lines, options, reason] of cases) {
      const { exitCode, stdout, stderr } = await verify(lines, ...options);
      expect([exitCode, `${stdout}${stderr}`], options.join(' ')).toEqual([3, expect.stringMatching(reason)]);
    }
    await verify(log.lines);
    writeFileSync(`${home.path}/half.ndjson`, readFileSync(`${home.path}/log.ndjson`).subarray(0, -5));
    expect(await home.run('audit', 'verify', 'half.ndjson')).toMatchObject({ exitCode: 3 });
    expect(await home.run('audit', 'verify', 'no-such-file')).toMatchObject({ exitCode: 3 });
  });

  it('verifies a log whose beginning was deleted by retention, from what the export and a record say of it', async () => {
    const cutLog = makeLog(40, 25);
    const cutAt = (of: typeof log, size: number): readonly [string, ...string[]] => {
      const records = of.lines.slice(0, size).map((line) => JSON.parse(line));
      const range = CompactRange.empty();
      for (const { audit_hash: hash } of records) range.append(leafHash(hash));
      const headOf = (tenantId: string) => {
        const last = records.findLast(({ canonical }) => canonical.includes(`"tenant_id":"${tenantId}"`));
        return { sequence: last.tenant_sequence, hash: last.audit_hash };
      };
      const tenants = { acme: headOf('acme'), globex: headOf('globex') };
      const base = { sequence: size, hash: records.at(-1).global_hash, subtrees: range.hashes, tenants };
      return [JSON.stringify({ base }), ...of.lines.slice(size)];
    };
    writeFileSync(`${home.path}/cut-note`, note(signer, cutLog));
    const against = ['--key', 'key.pub', '--checkpoint', 'cut-note'];
    const lines = cutAt(cutLog, 25);
    const whole = await verify(lines, ...against);
    expect(whole).toMatchObject({
      exitCode: 0,
      stdout: 'whole: 15 records are good, 15 of them covered by a checkpoint (the log over all tenants)\n',
      stderr: expect.stringContaining('records 1 to 25 are not in this log'),
    });
    const program = await verify(lines, ...against, '--checkpoint', 'note', '-o', 'json');
    expect([program.exitCode, program.stdout], 'of another log').toEqual([2, expect.stringContaining('forked')]);
    const base = JSON.parse(lines[0]).base;
    const forged = JSON.stringify({ base: { ...base, subtrees: base.subtrees.with(0, zeros) } });
    const bad = await verify([forged, ...cutLog.lines.slice(25)], ...against);
    expect(bad).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('rewritten') });
    for (const size of [26, 39, 40]) {
      const further = await verify(cutAt(cutLog, size), ...against);
      expect(further).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('pruned_unrecorded') });
    }
    const unsaid = await verify(cutAt(log, 30), '--key', 'key.pub', '--checkpoint', 'note');
    expect(unsaid).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('pruned_unrecorded at sequence 1') });
    const known = await verify(cutAt(log, 30), '--key', 'key.pub', '--checkpoint', 'note', '--pruned-through', '30');
    expect(known).toMatchObject({ exitCode: 0 });
  });

  it('follows the keys that took the place of a given one, signed by it, and no others', async () => {
    const change = (by: typeof signer, key = stranger.verifierKey): string =>
      signNote(`portcullis/audit/key-change/v1\n${key}\n`, by);
    const saved = (signedChange: string | null): void => {
      const keys = [
        { verifier_key: stranger.verifierKey, signed_change: signedChange },
        { verifier_key: signer.verifierKey, signed_change: null },
      ];
      writeFileSync(`${home.path}/later.ndjson`, `${JSON.stringify({ note: note(stranger), keys })}\n`);
    };
    const outcomes: string[] = [];
    for (const signed of [change(signer), change(stranger), change(signer, signer.verifierKey), null]) {
      saved(signed);
      const run = await verify(log.lines, '--key', 'key.pub', '--checkpoint', 'later.ndjson', '--checkpoint', 'note');
      outcomes.push(/^whole|foreign_key/.exec(run.stdout)?.[0] ?? run.stdout);
    }
    expect(outcomes).toEqual(['whole', 'foreign_key', 'foreign_key', 'foreign_key']);
  });

  it('shows what stands in a file, and does not do what it says', async () => {
    const member = JSON.stringify('\r\u001B[2K\u001B[32mwhole\u001B[0m\u009B8m');
    const { exitCode, stdout, stderr } = await verify([
      (log.lines[0] ?? '').replace('{', `{${member}:1,`),
      ...log.lines.slice(1),
    ]);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('cannot decide');
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/);
  });
});
