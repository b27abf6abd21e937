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
  GENESIS,
  leafHash,
  privateKeyFromSeed,
  signNote,
} from '@portcullis/audit-chain';
import { beforeAll, describe, expect, it } from 'vitest';
import { gwctlHome } from './fake-api.test-support.ts';

const signer = createSigner('log.example.com', privateKeyFromSeed(Buffer.alloc(32, 1)));
const stranger = createSigner('log.example.com', privateKeyFromSeed(Buffer.alloc(32, 2)));

/** A log of some records of two tenants and of none. */
function makeLog(count: number) {
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
    }),
  );
  const pending = texts.map((text, index) => ({ tenantId: tenantIds[index] ?? '', contentHash: contentHash(text) }));
  const { links } = chainBatch({ global: GENESIS, tenants: new Map() }, pending);
  const range = CompactRange.empty();
  for (const { audit_hash } of links) range.append(leafHash(audit_hash));
  const lines = texts.map((canonical, index) => {
    const link = links[index];
    if (!link) throw new Error('unreachable');
    return exportLine({ canonical, ...link });
  });
  return { lines, root: range.root() };
}

describe('gwctl audit verify', () => {
  const log = makeLog(40);
  let home: Awaited<ReturnType<typeof gwctlHome>>;
  const note = (by = signer): string =>
    signNote(formatCheckpoint({ origin: 'log.example.com', size: log.lines.length, root: log.root }), by);
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
      stdout: 'whole: 40 records are good, 40 of them covered by a checkpoint\n',
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
      [['{"base":{}}'], [], /no beginning of an export/],
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

  it('verifies a log whose beginning was deleted by retention, from what the export says of it', async () => {
    const records = log.lines.slice(0, 25).map((line) => JSON.parse(line));
    const range = CompactRange.empty();
    for (const { audit_hash: hash } of records) range.append(leafHash(hash));
    const headOf = (tenantId: string) => {
      const last = records.findLast(({ canonical }) => canonical.includes(`"tenant_id":"${tenantId}"`));
      return { sequence: last.tenant_sequence, hash: last.audit_hash };
    };
    const tenants = { acme: headOf('acme'), globex: headOf('globex') };
    const base = { sequence: 25, hash: records.at(-1).global_hash, subtrees: range.hashes, tenants };
    const lines = [JSON.stringify({ base }), ...log.lines.slice(25)];
    const whole = await verify(lines, '--key', 'key.pub', '--checkpoint', 'note');
    expect(whole).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('15 records are good') });
    const forged = JSON.stringify({ base: { ...base, subtrees: base.subtrees.with(0, '0'.repeat(64)) } });
    const bad = await verify([forged, ...log.lines.slice(25)], '--key', 'key.pub', '--checkpoint', 'note');
    expect(bad).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('rewritten') });
  });
});
