import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logFileFailure } from '@portcullis/plugin-runtime';
import { afterAll, expect, it } from 'vitest';
import { bytesOf, makeLogFolder } from './log-folder.test-support.ts';

/** A disk of 64 KiB; `undefined` where this user may mount none. */
function mountDisk(): string | undefined {
  const path = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path], { stdio: 'ignore' });
    return path;
  } catch {
    rmdirSync(path);
    return undefined;
  }
}

const disk = mountDisk();

afterAll(() => {
  if (disk === undefined) return;
  execFileSync('umount', [disk]);
  rmdirSync(disk);
});

it.skipIf(disk === undefined)(
  'a full disk tears no line but the last, and lines go on when there is room (needs mount)',
  async () => {
    const root = join(disk ?? '', 'logs');
    mkdirSync(join(root, 'acme', 'other'), { recursive: true });
    await using logs = await makeLogFolder({ folder: root, fileBytesMax: 1e6, tenantBytesMax: 1e6 });
    const [file, filler] = await Promise.all(
      ['x.log', 'other/fill.log'].map((path) => logs.folder.filesOf('acme').open(path)),
    );
    await filler?.append(bytesOf('f'.repeat(30_000)));
    const line = bytesOf(`${'x'.repeat(999)}\n`);
    let failure: unknown;
    while (failure === undefined) failure = await file?.append(line).catch((error: unknown) => error);
    expect(logFileFailure(failure)).toBe('full');
    rmSync(join(root, 'acme', 'other'), { recursive: true });
    await logs.folder.reopen();
    await file?.append(bytesOf('after\n'));
    const lines = execFileSync('cat', [join(root, 'acme', 'x.log')], { encoding: 'utf8' }).split('\n');
    expect(lines.slice(-2)).toEqual(['after', '']);
    const torn = lines.filter((text) => text.length !== 999).slice(0, -2);
    expect(torn.length).toBeLessThanOrEqual(1);
    expect(torn.every((text) => /^x*$/.test(text))).toBe(true);
  },
);
