import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from '@portcullis/testkit';
import { build } from './build.mjs';
import { findPnpm, lastErrorLine } from './find-pnpm.mjs';
import { fingerprint, resultStamp } from './fingerprint.mjs';
import { install } from './install.mjs';
import { offlineReason } from './offline.mjs';
import { assertWritable } from './writable.mjs';

const PATH = process.env['PATH'] ?? '';

async function write(folder: TemporaryFolder, path: string, content: string, mode = 0o644): Promise<void> {
  await mkdir(dirname(folder.join(path)), { recursive: true });
  await writeFile(folder.join(path), content, { mode });
}

/** A repository with one package, and stand-ins for the tools that note each call in `calls`. */
async function repository(toolScript: string): Promise<TemporaryFolder> {
  const folder = await temporaryFolder();
  await write(folder, 'package.json', '{"packageManager":"pnpm@0.0.0"}');
  await write(folder, 'pnpm-lock.yaml', 'one');
  await write(folder, 'packages/a/package.json', '{"scripts":{"build":"x"}}');
  await write(folder, 'packages/a/src/index.ts', 'one');
  await write(folder, 'packages/a/dist/index.js', 'built');
  for (const tool of ['node_modules/.bin/turbo', 'bin/pnpm', 'bin/npm']) {
    await write(folder, tool, `#!/bin/sh\necho x >> '${folder.path}/calls'\n${toolScript}\n`, 0o755);
  }
  return folder;
}

async function calls(folder: TemporaryFolder): Promise<number> {
  const text = await readFile(folder.join('calls'), 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}

const contextOf = (folder: TemporaryFolder) => ({
  root: folder.path,
  env: { PATH: `${folder.join('bin')}:${PATH}` },
  say: () => undefined,
});

describe('install', () => {
  it('runs once for a lockfile, again when it changes, and again after a failure', async () => {
    await using folder = await repository('exit 0');
    const run = () => install(contextOf(folder), () => Promise.resolve(folder.join('bin')));
    expect([await run(), await run()]).toEqual([true, false]);
    await write(folder, 'pnpm-lock.yaml', 'two');
    expect([await run(), await run(), await calls(folder)]).toEqual([true, false, 2]);
    await write(folder, 'bin/pnpm', '#!/bin/sh\nexit 1\n', 0o755);
    await write(folder, 'packages/a/package.json', '{"dependencies":{}}');
    await expect(run()).rejects.toThrow(/could not be installed/);
    await expect(run()).rejects.toThrow(/could not be installed/);
  });

  it.each([
    [
      'ERR_PNPM_OUTDATED_LOCKFILE  Cannot install',
      'pnpm-lock.yaml does not fit the package.json files: run `npx --yes pnpm@0.0.0 install` and try again.',
    ],
    [
      'getaddrinfo EAI_AGAIN some.host',
      'The npm registry could not be reached (EAI_AGAIN): the first start needs the network, so check the connection or the registry setting and try again.',
    ],
    [
      'ERR_PNPM_ENOSPC no space left on device.',
      'The dependencies could not be installed: ERR_PNPM_ENOSPC no space left on device.',
    ],
  ])('says in one sentence why it failed: %s', async (output, sentence) => {
    await using folder = await repository(`echo '${output}'; exit 1`);
    const failing = install(contextOf(folder), () => Promise.resolve(folder.join('bin')));
    await expect(failing).rejects.toThrow(expect.objectContaining({ message: sentence, code: 'bootstrap_failure' }));
  });
});

describe('build', () => {
  it('starts turbo only when a source or a result changed', async () => {
    await using folder = await repository('exit 0');
    const run = () => build(contextOf(folder), () => Promise.resolve(folder.join('bin')));
    await run();
    await run();
    expect(await calls(folder)).toBe(1);
    await write(folder, 'packages/a/src/index.ts', 'two');
    await run();
    expect(await calls(folder)).toBe(2);
    await utimes(folder.join('packages/a/dist/index.js'), 1, 1);
    await run();
    await write(folder, 'packages/a/src/index.test.ts', 'a test changes no build');
    await run();
    expect(await calls(folder)).toBe(3);
  });

  it('gives the output of a build that failed, and does not remember it as done', async () => {
    await using folder = await repository('echo broken; exit 1');
    const run = () => build(contextOf(folder), () => Promise.resolve(folder.join('bin')));
    expect(await run()).toEqual({ ok: false, output: 'broken\n' });
    expect((await run()).ok).toBe(false);
  });
});

describe('findPnpm', () => {
  it('says that npm is missing', async () => {
    await using folder = await temporaryFolder();
    await expect(findPnpm(folder.path, { PATH: folder.path }, 'pnpm@0.0.0')).rejects.toThrow(
      /^npm was not found on the PATH: .*\.$/,
    );
  });

  it('says that the registry cannot be reached', async () => {
    await using folder = await repository('echo "npm error code ENOTFOUND" >&2; exit 1');
    await expect(findPnpm(folder.path, contextOf(folder).env, 'pnpm@0.0.0')).rejects.toThrow(
      /could not be reached \(ENOTFOUND\)/,
    );
  });
});

describe('fingerprint', () => {
  it('depends on names and contents, and on nothing else', async () => {
    await using folder = await repository('');
    const before = fingerprint(folder.path, ['packages', 'missing']);
    await utimes(folder.join('packages/a/src/index.ts'), 1, 1);
    await write(folder, 'packages/a/dist/other.js', 'results do not count');
    expect(fingerprint(folder.path, ['packages', 'missing'])).toBe(before);
    await write(folder, 'packages/a/src/new.ts', '');
    expect(fingerprint(folder.path, ['packages', 'missing'])).not.toBe(before);
  });

  it('gives no stamp for results that are not there', async () => {
    await using folder = await repository('');
    expect(resultStamp(folder.path, ['packages/a/dist', 'packages/b/dist'])).toBeNull();
  });
});

describe('assertWritable', () => {
  it('lets a folder pass that does not exist yet below one that can be written', async () => {
    await using folder = await temporaryFolder();
    expect(() => assertWritable(folder.join('a/b/c'), 'x')).not.toThrow();
  });

  it('names the folder and the purpose where nothing can be written', () => {
    expect(() => assertWritable('/proc/1/nothing', 'the data are kept there')).toThrow(
      /^\/proc\/1 cannot be written to \(E[A-Z]+\): the data are kept there\.$/,
    );
  });
});

describe('offlineReason and lastErrorLine', () => {
  it('does not blame the network for something else', () => {
    expect(offlineReason('ERR_PNPM_NO_MATCHING_VERSION')).toBeUndefined();
  });

  it('finds the line that says what went wrong', () => {
    const output =
      'npm warn x\nnpm error code E404\nnpm error 404 Not Found.\nnpm error A complete log of this run can be found in: y\n';
    expect(lastErrorLine(output)).toBe('npm error 404 Not Found');
    expect(lastErrorLine('')).toBe('it said nothing');
  });
});
