import { mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LogFileError, logFileFailure } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { ENTRIES_MAX } from './adapters/folder-bytes.ts';
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
    await using logs = await makeLogFolder({ tenantBytesMax: 25, fileBytesMax: 10 });
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
    expect(await logs.names('acme')).toEqual(['one.log', 'one.log.1']);
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
