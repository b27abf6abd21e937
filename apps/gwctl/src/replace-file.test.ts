import { chmodSync, lstatSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { replaceFile } from './replace-file.ts';

describe('replaceFile', () => {
  it('makes a file that only its owner reads, and leaves nothing else', async () => {
    await using folder = await temporaryFolder();
    replaceFile(folder.join('new.json'), 'text');
    expect(readFileSync(folder.join('new.json'), 'utf8')).toBe('text');
    expect(statSync(folder.join('new.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path)).toEqual(['new.json']);
  });

  it('keeps the mode of a file, and what a link leads to', async () => {
    await using folder = await temporaryFolder();
    const [file, link] = [folder.join('old.json'), folder.join('link.json')];
    writeFileSync(file, 'a longer text than the new one');
    chmodSync(file, 0o640);
    symlinkSync(file, link);
    replaceFile(link, 'text');
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['text', 0o640]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it('keeps the mode of a file whatever the umask is', async () => {
    await using folder = await temporaryFolder();
    const file = folder.join('shared.json');
    writeFileSync(file, '');
    const before = process.umask(0o077);
    try {
      for (const mode of [0o666, 0o664, 0o444]) {
        chmodSync(file, mode);
        replaceFile(file, 'text');
        expect(statSync(file).mode & 0o777).toBe(mode);
      }
    } finally {
      process.umask(before);
    }
  });

  it('writes to what is no file', () => expect(() => replaceFile('/dev/null', 'text')).not.toThrow());

  it('says why it cannot', async () => {
    await using folder = await temporaryFolder();
    const file = folder.join('missing/x.json');
    expect(() => replaceFile(file, 'text')).toThrow(`${file} cannot be written (ENOENT)`);
    expect(() => replaceFile(folder.path, 'text')).toThrow(`${folder.path} cannot be written (EISDIR)`);
  });
});
