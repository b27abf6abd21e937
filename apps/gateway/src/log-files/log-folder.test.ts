import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { logFileFailure } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { bytesOf, makeLogFolder } from './log-folder.test-support.ts';
import { LOG_FILES_OPEN_MAX } from './log-folder.ts';

const line = bytesOf('a line\n');

/** Opens a path and writes to it. @returns why it was not written */
async function failureOf(write: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await write.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error === undefined ? undefined : (logFileFailure(error) ?? 'another error');
}

describe('the folder of log files', () => {
  it('appends below the folder of the tenant, which nobody else may read', async () => {
    await using logs = await makeLogFolder();
    const file = await logs.folder.filesOf('acme').open('app/requests.log');
    await file.append(line);
    await file.append(line);
    await file.close();
    expect(await logs.text('acme/app/requests.log')).toBe('a line\na line\n');
    const modes = await Promise.all(
      ['acme', 'acme/app', 'acme/app/requests.log'].map(
        async (path) => (await stat(join(logs.root, path))).mode & 0o777,
      ),
    );
    expect(modes).toEqual([0o700, 0o700, 0o600]);
  });

  it.each([
    '',
    '.',
    '..',
    '../x',
    '../../x',
    'a/../../x',
    'a/..',
    './x',
    'a//x',
    '/etc/passwd',
    '/proc/self/fd/1',
    'a/',
    '~/x',
    '.hidden',
    'a/.hidden',
    '-x',
    'a\\..\\x',
    'a\0b',
    'a\nb',
    'a b',
    'a%2f..',
    'é',
    'requests.log.1',
    `${'a/'.repeat(8)}x`,
    'x'.repeat(129),
    Array.from({ length: 8 }, () => 'x'.repeat(100)).join('/'),
  ])('refuses the path %j, and makes nothing', async (path) => {
    await using logs = await makeLogFolder();
    expect(await failureOf(logs.folder.filesOf('acme').open(path))).toBe('refused');
    expect(await readdir(logs.place)).toEqual([]);
  });

  it.each(['', '..', '../acme', 'a/b', '.'])('has no files for the tenant %j', async (tenantId) => {
    await using logs = await makeLogFolder();
    expect(await failureOf(logs.folder.filesOf(tenantId).open('x.log'))).toBe('refused');
    expect(await readdir(logs.place)).toEqual([]);
  });

  it.each<[string, string]>([
    ['the file is one', 'acme/x.log'],
    ['a folder on the way is one', 'acme/app'],
    ['the tenant’s folder is one', 'acme'],
  ])('follows no link: %s', async (_name, link) => {
    await using logs = await makeLogFolder();
    const outside = join(logs.place, 'outside');
    await mkdir(outside);
    const target = link.endsWith('.log') ? join(outside, 'secret') : outside;
    if (link.endsWith('.log')) await writeFile(target, 'kept');
    await mkdir(join(logs.root, link, '..'), { recursive: true });
    await symlink(target, join(logs.root, link));
    const path = link === 'acme/app' ? 'app/x.log' : 'x.log';
    expect(await failureOf(logs.folder.filesOf('acme').open(path))).toBe('refused');
    expect(await readdir(outside)).toEqual(link.endsWith('.log') ? ['secret'] : []);
  });

  it.each<[string, (path: string) => unknown]>([
    ['a folder', (path) => mkdir(path)],
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ])('writes to no %s', async (_name, make) => {
    await using logs = await makeLogFolder();
    await mkdir(join(logs.root, 'acme'), { recursive: true });
    await make(join(logs.root, 'acme', 'x.log'));
    expect(await failureOf(logs.folder.filesOf('acme').open('x.log'))).toBe('refused');
  });

  it('follows no link that takes the place of a file or a folder while it writes', async () => {
    await using logs = await makeLogFolder();
    const outside = join(logs.place, 'outside');
    await mkdir(outside);
    const file = await logs.folder.filesOf('acme').open('app/x.log');
    await file.append(line);
    await rm(join(logs.root, 'acme/app/x.log'));
    await symlink(join(outside, 'x.log'), join(logs.root, 'acme/app/x.log'));
    expect(await failureOf(file.append(line))).toBe('refused');
    await rm(join(logs.root, 'acme/app'), { recursive: true });
    await symlink(outside, join(logs.root, 'acme/app'));
    expect(await failureOf(file.append(line))).toBe('refused');
    expect(await readdir(outside)).toEqual([]);
    await rm(join(logs.root, 'acme/app'));
    await file.append(line);
    expect(await logs.text('acme/app/x.log')).toBe('a line\n');
  });

  it('goes on in a new file when somebody moved the old one, and after a reopening', async () => {
    await using logs = await makeLogFolder();
    const file = await logs.folder.filesOf('acme').open('x.log');
    await file.append(bytesOf('one\n'));
    await rename(join(logs.root, 'acme/x.log'), join(logs.root, 'acme/moved'));
    await logs.folder.reopen();
    await file.append(bytesOf('two\n'));
    expect([await logs.text('acme/moved'), await logs.text('acme/x.log')]).toEqual(['one\n', 'two\n']);
  });

  it('shares a file among those that open one path, and lets go of it after the last', async () => {
    await using logs = await makeLogFolder();
    const files = logs.folder.filesOf('acme');
    const [one, other] = await Promise.all([files.open('x.log'), files.open('x.log')]);
    await Promise.all([one.append(bytesOf('1\n')), other.append(bytesOf('2\n'))]);
    await one.close();
    await one.close();
    expect(await failureOf(one.append(line))).toBe('failed');
    await other.append(bytesOf('3\n'));
    expect(await logs.text('acme/x.log')).toBe('1\n2\n3\n');
    await other.close();
  });

  it('has a bound for open files', async () => {
    await using logs = await makeLogFolder();
    const files = logs.folder.filesOf('acme');
    const open = await Promise.all(Array.from({ length: LOG_FILES_OPEN_MAX }, (_, at) => files.open(`${at}.log`)));
    expect(await failureOf(files.open('more.log'))).toBe('refused');
    await open[0]?.close();
    expect(await failureOf(files.open('more.log'))).toBeUndefined();
    await logs.folder.reopen();
  });
});
