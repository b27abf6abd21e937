import { copyFile, mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { ConfigurationCache } from './configuration-cache.ts';
import { Seal } from './seal.ts';

const lines = (name: string): string[] => [`head of ${name}`, `record of ${name}`, 'end'];

const textOf = (name: string): string => `${lines(name).join('\n')}\n`;

/** Where the caches of a base folder keep the files of a token. */
const owned = (base: string, token = 'gwdp_a'): string => join(base, new Seal(token).owner);

async function loaded(cache: ConfigurationCache): Promise<{ texts: string[]; unreadable: string[] }> {
  const texts: string[] = [];
  const unreadable: string[] = [];
  for await (const { pieces } of cache.load((file, reason) => void unreadable.push(`${file}: ${reason}`))) {
    texts.push([...pieces()].join(''));
  }
  return { texts, unreadable };
}

describe('configurations on disk', () => {
  it('are the last two, newest first, for nobody else to read', async () => {
    await using folder = await temporaryFolder();
    const cache = new ConfigurationCache(folder.join('cache'), new Seal('gwdp_a'));
    for (const name of ['first', 'second', 'third']) await cache.save(lines(name));
    const { texts } = await loaded(cache);
    expect(texts).toEqual(['third', 'second'].map((name) => `${lines(name).join('\n')}\n`));
    const names = await readdir(owned(folder.join('cache')));
    expect(names.toSorted()).toEqual(['configuration-0000000002.sealed', 'configuration-0000000003.sealed']);
    for (const name of names) {
      const path = join(owned(folder.join('cache')), name);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await readFile(path)).includes('record of')).toBe(false);
    }
    expect((await loaded(new ConfigurationCache(folder.join('cache'), new Seal('gwdp_b')))).texts).toEqual([]);
  });

  it('that are cut at any length, or changed in any byte, are left out and told of; the other one is whole', async () => {
    await using folder = await temporaryFolder();
    const cache = new ConfigurationCache(folder.path, new Seal('gwdp_a'));
    await cache.save(lines('older'));
    await cache.save(lines('newer'));
    const newest = join(owned(folder.path), 'configuration-0000000002.sealed');
    const whole = await readFile(newest);
    const older = `${lines('older').join('\n')}\n`;
    for (let at = 0; at < whole.length; at += 1) {
      const flipped = Buffer.from(whole);
      flipped[at] = (flipped[at] ?? 0) ^ 0x41;
      for (const torn of [whole.subarray(0, at), flipped]) {
        await writeFile(newest, torn);
        const { texts, unreadable } = await loaded(cache);
        expect([texts, unreadable.length]).toEqual([[older], 1]);
      }
    }
    await writeFile(newest, Buffer.concat([whole, Buffer.from([0])]));
    expect((await loaded(cache)).texts).toEqual([older]);
  });

  it('cannot be kept where there is no folder to be had, and that is said', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.join('file'), '');
    const cache = new ConfigurationCache(folder.join('file'), new Seal('gwdp_a'));
    await expect(cache.save(lines('lost'))).rejects.toThrow(/EEXIST|ENOTDIR/);
    expect(await loaded(cache)).toEqual({ texts: [], unreadable: [expect.stringContaining('ENOTDIR')] });
  });

  it('that could not be written whole leave the folder as it was', async () => {
    await using folder = await temporaryFolder();
    const cache = new ConfigurationCache(folder.join('cache'), new Seal('gwdp_a'));
    await cache.save(lines('kept'));
    const failing = (function* (): Generator<string> {
      yield 'head';
      throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
    })();
    await expect(cache.save(failing)).rejects.toThrow('no room');
    await mkdir(join(owned(folder.join('cache')), 'configuration-0000000009.sealed'));
    expect((await loaded(cache)).texts).toEqual([textOf('kept')]);
    expect((await readdir(owned(folder.join('cache')))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    // A folder in the place of a file is in nobody's way.
    await cache.save(lines('next'));
    expect((await loaded(new ConfigurationCache(folder.join('cache'), new Seal('gwdp_a')))).texts).toEqual([
      textOf('next'),
      textOf('kept'),
    ]);
  });

  it('of gateways, or tokens, that share a folder are left alone by the others, until nobody used them for three months', async () => {
    await using folder = await temporaryFolder();
    const one = new ConfigurationCache(folder.path, new Seal('gwdp_a'));
    const other = new ConfigurationCache(folder.path, new Seal('gwdp_b'));
    await one.save(lines('mine'));
    for (const name of ['first', 'second', 'third']) await other.save(lines(name));
    expect(await loaded(one)).toEqual({ texts: [textOf('mine')], unreadable: [] });
    expect(await loaded(other)).toEqual({ texts: [textOf('third'), textOf('second')], unreadable: [] });

    const longAgo = Date.now() / 1000 - 100 * 86_400;
    await utimes(owned(folder.path), longAgo, longAgo);
    await one.stillUsed();
    await other.save(lines('fourth'));
    expect((await loaded(one)).texts).toEqual([textOf('mine')]);

    await writeFile(folder.join('notes'), 'of the operator');
    await utimes(owned(folder.path), longAgo, longAgo);
    await other.save(lines('fifth'));
    expect((await readdir(folder.path)).toSorted()).toEqual([new Seal('gwdp_b').owner, 'notes'].toSorted());
  });

  it('are not taken from a file that was given the name of a newer one', async () => {
    await using folder = await temporaryFolder();
    const cache = new ConfigurationCache(folder.path, new Seal('gwdp_a'));
    await cache.save(lines('revoked'));
    const [name = ''] = await readdir(owned(folder.path));
    await copyFile(join(owned(folder.path), name), folder.join('aside'));
    for (const later of ['second', 'third']) await cache.save(lines(later));
    await rename(folder.join('aside'), join(owned(folder.path), 'configuration-0000000009.sealed'));
    const { texts, unreadable } = await loaded(new ConfigurationCache(folder.path, new Seal('gwdp_a')));
    expect([texts, unreadable]).toEqual([
      [textOf('third'), textOf('second')],
      [expect.stringContaining('configuration-0000000009.sealed: ')],
    ]);
  });

  it.each([
    ['that was there before the start', true, '9999999999'],
    ['that came after it', false, '9999999999'],
    ['with more digits than any number has', true, '9'.repeat(60)],
    ['with more digits, later', false, '9'.repeat(60)],
  ])('survive a strange file %s', async (_, isBefore, digits) => {
    await using folder = await temporaryFolder();
    await new ConfigurationCache(folder.path, new Seal('gwdp_a')).save(lines('good'));
    const put = () => writeFile(join(owned(folder.path), `configuration-${digits}.sealed`), 'strange');
    if (isBefore) await put();
    const running = new ConfigurationCache(folder.path, new Seal('gwdp_a'));
    expect((await loaded(running)).texts).toEqual([textOf('good')]);
    if (!isBefore) await put();
    await running.save(lines('next'));
    const started = async () => (await loaded(new ConfigurationCache(folder.path, new Seal('gwdp_a')))).texts;
    expect(await started()).toEqual([textOf('next'), textOf('good')]);
    await running.save(lines('last'));
    expect(await started()).toEqual([textOf('last'), textOf('next')]);
  });

  it('are numbered on from those of another process with the same token', async () => {
    await using folder = await temporaryFolder();
    const one = new ConfigurationCache(folder.path, new Seal('gwdp_a'));
    const other = new ConfigurationCache(folder.path, new Seal('gwdp_a'));
    for (const name of ['first', 'second', 'third']) await one.save(lines(name));
    await other.save(lines('fourth'));
    expect((await loaded(one)).texts[0]).toBe(textOf('fourth'));
  });
});
