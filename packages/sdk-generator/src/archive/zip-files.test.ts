import { spawnSync } from 'node:child_process';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { isSafePath, zipFiles } from './zip-files.ts';

const files = [
  { path: 'src/b.ts', text: 'b ü\n' },
  { path: 'a.md', text: 'a\n' },
];

describe('archives', () => {
  it('hold each file below one folder', () => {
    const entries = unzipSync(zipFiles('root', files));
    const texts = Object.entries(entries).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]);
    expect(texts).toEqual([
      ['root/a.md', 'a\n'],
      ['root/src/b.ts', 'b ü\n'],
    ]);
  });

  it('are the same bytes for the same files, in whatever order they come and wherever the clock is', () => {
    const bytes = Buffer.from(zipFiles('root', files)).toString('hex');
    expect(Buffer.from(zipFiles('root', files.toReversed())).toString('hex')).toBe(bytes);
    const program = `import { zipFiles } from ${JSON.stringify(new URL('zip-files.ts', import.meta.url).href)};
      process.stdout.write(Buffer.from(zipFiles('root', ${JSON.stringify(files)})).toString('hex'));`;
    for (const TZ of ['Pacific/Auckland', 'America/Los_Angeles']) {
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ['--conditions=@portcullis/source', '--input-type=module-typescript', '--eval', program],
        { encoding: 'utf8', env: { ...process.env, TZ }, cwd: import.meta.dirname },
      );
      expect([stderr, stdout]).toEqual(['', bytes]);
    }
  });

  it.each(['/a', '../a', 'a/../b', 'a//b', './a', 'a\\b', 'C:/a', 'a b', 'a\n', '', '...', 'a/', 'a'.repeat(241)])(
    'never have the path %j',
    (path) => {
      expect(isSafePath(path)).toBe(false);
      expect(() => zipFiles('root', [{ path, text: '' }])).toThrow('no path for an archive');
    },
  );

  it('never have two files that are one where case does not count', () => {
    expect(() =>
      zipFiles('r', [
        { path: 'A.ts', text: '' },
        { path: 'a.ts', text: '' },
      ]),
    ).toThrow('no path');
  });
});
