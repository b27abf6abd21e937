import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LogFileError, logFileFailure } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { countFolder, ENTRIES_MAX } from './adapters/folder-bytes.ts';
import { WrittenPart } from './adapters/write-whole.ts';
import { logFailure } from './log-failure.ts';
import { bytesOf, makeLogFolder } from './log-folder.test-support.ts';
import { ROOM_COUNT_MS } from './tenant-room.ts';

const tenBytes = bytesOf('123456789\n');

describe('the room of log files', () => {
  it('puts a file aside before it grows beyond its bound, and keeps so many', async () => {
    await using logs = await makeLogFolder({ fileBytesMax: 20, kept: 2 });
    const file = await logs.folder.filesOf('acme').open('x.log');
    for (const letter of 'abcdefg') await file.append(bytesOf(`${letter.repeat(9)}\n`));
    expect(await logs.names('acme')).toEqual(['x.log', 'x.log.1', 'x.log.2']);
    const texts = await Promise.all(['x.log', 'x.log.1', 'x.log.2'].map((name) => logs.text(`acme/${name}`)));
    expect(texts.map((text) => text[0])).toEqual(['g', 'e', 'c']);
    await file.append(bytesOf(`${'h'.repeat(50)}\n`));
    expect(await logs.text('acme/x.log')).toBe(`${'h'.repeat(50)}\n`);
  });

  it('keeps no file that was put aside where the operator wants none', async () => {
    await using logs = await makeLogFolder({ fileBytesMax: 10, kept: 0 });
    const file = await logs.folder.filesOf('acme').open('x.log');
    for (let time = 0; time < 3; time += 1) await file.append(tenBytes);
    expect(await logs.names('acme')).toEqual(['x.log']);
    expect(await logs.text('acme/x.log')).toBe('123456789\n');
  });

  it('loses no line when several processes write to one file and rotate it', async () => {
    await using logs = await makeLogFolder({ fileBytesMax: 60, kept: 100, tenantBytesMax: 1_000_000 });
    const writers = await Promise.all(
      [logs.folder, logs.another(), logs.another()].map((folder) => folder.filesOf('acme').open('x.log')),
    );
    const times = Array.from({ length: 60 }, (_, at) => at);
    await Promise.all(
      writers.map(async (file, writer) => {
        for (const at of times) await file.append(bytesOf(`${writer}:${at}\n`));
      }),
    );
    const names = await logs.names('acme');
    const texts = await Promise.all(names.map((name) => logs.text(`acme/${name}`)));
    const lines = texts.join('').trimEnd().split('\n');
    expect(lines.toSorted()).toEqual([0, 1, 2].flatMap((writer) => times.map((at) => `${writer}:${at}`)).toSorted());
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('refuses a tenant that has no room left, and no other; removed files make room again', async () => {
    await using logs = await makeLogFolder({ tenantBytesMax: 25 });
    const files = logs.folder.filesOf('acme');
    const [one, two] = [await files.open('one.log'), await files.open('deep/two.log')];
    await one.append(tenBytes);
    await two.append(tenBytes);
    const full = await one.append(tenBytes).catch((error: unknown) => error);
    expect([logFileFailure(full), String(full)]).toEqual(['full', expect.not.stringContaining(logs.root)]);
    await (await logs.folder.filesOf('globex').open('x.log')).append(tenBytes);
    await rm(join(logs.root, 'acme/deep'), { recursive: true });
    logs.clock.advance(ROOM_COUNT_MS);
    await one.append(tenBytes);
    expect(await logs.text('acme/one.log')).toBe('123456789\n123456789\n');
  });

  it('lets the oldest of what was put aside go where there is no room, of whichever path, and nothing else', async () => {
    await using logs = await makeLogFolder({ tenantBytesMax: 100, fileBytesMax: 20, kept: 5 });
    const files = logs.folder.filesOf('acme');
    const quiet = await files.open('deep/quiet.log');
    for (let time = 0; time < 3; time += 1) await quiet.append(tenBytes);
    const others = ['mine.2', '.hidden.1', 'deep/notes.1.txt', 'dump.20261101'];
    for (const other of others) writeFileSync(join(logs.root, 'acme', other), 'x');
    const [one, two] = [await files.open('one.log'), await files.open('two.log')];
    utimesSync(join(logs.root, 'acme/deep/quiet.log.1'), 1, 1);
    utimesSync(join(logs.root, 'acme/mine.2'), 2, 2);
    for (let time = 0; time < 50; time += 1) for (const file of [one, two]) await file.append(tenBytes);
    expect(await logs.names('acme/deep')).toEqual(['notes.1.txt', 'quiet.log']);
    const names = await logs.names('acme');
    expect(names).toEqual(expect.arrayContaining(['.hidden.1', 'dump.20261101', 'one.log', 'two.log']));
    expect(names).not.toContain('mine.2');
    expect((await countFolder(join(logs.root, 'acme'))).bytes).toBeLessThanOrEqual(100);
    await expect(one.append(new Uint8Array(101))).rejects.toMatchObject({ code: 'full' });
  });

  it('removes no file that got the name of an older one since it was counted', async () => {
    await using logs = await makeLogFolder({ tenantBytesMax: 50, fileBytesMax: 1000 });
    const file = await logs.folder.filesOf('acme').open('x.log');
    const aside = (name: string) => join(logs.root, 'acme', name);
    writeFileSync(aside('y.log.1'), 'older');
    utimesSync(aside('y.log.1'), 1, 1);
    logs.clock.advance(ROOM_COUNT_MS);
    await file.append(tenBytes);
    renameSync(aside('y.log.1'), aside('y.log.2'));
    writeFileSync(aside('y.log.1'), 'new');
    await file.append(bytesOf('z'.repeat(37)));
    expect(await logs.names('acme')).toEqual(['x.log', 'y.log.1']);
  });

  it('makes no new file where there are more than anybody counts', async () => {
    await using logs = await makeLogFolder();
    mkdirSync(join(logs.root, 'acme', 'many'), { recursive: true });
    for (let at = 0; at <= ENTRIES_MAX; at += 1) writeFileSync(join(logs.root, 'acme', 'many', `${at}`), '');
    await expect(logs.folder.filesOf('acme').open('x.log')).rejects.toMatchObject({ code: 'full' });
    expect(await logs.names('acme')).toEqual(['many']);
  });

  it('counts what another process wrote', async () => {
    await using logs = await makeLogFolder({ tenantBytesMax: 25 });
    const one = await logs.folder.filesOf('acme').open('one.log');
    const other = await logs.another().filesOf('acme').open('other.log');
    await one.append(tenBytes);
    await other.append(tenBytes);
    logs.clock.advance(ROOM_COUNT_MS);
    await expect(one.append(tenBytes)).rejects.toMatchObject({ code: 'full' });
  });

  it.each<[string | undefined, string]>([
    ['ENOSPC', 'full'],
    ['EDQUOT', 'full'],
    ['ELOOP', 'refused'],
    ['ENOTDIR', 'refused'],
    ['EACCES', 'failed'],
    ['EROFS', 'failed'],
    ['EIO', 'failed'],
    ['constructor', 'failed'],
    [undefined, 'failed'],
  ])('says of the system’s %s that it is %s', (code, failure) => {
    const error = Object.assign(new Error('open /srv/logs/acme/x.log'), { code });
    for (const told of [logFailure(error), logFailure(new WrittenPart(3, { cause: error }))]) {
      expect(told).toBeInstanceOf(LogFileError);
      expect([told.code, told.message]).toEqual([failure, expect.not.stringContaining('/srv')]);
    }
  });
});
