import { readdir, readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startProcess, temporaryFolder } from '@portcullis/testkit';
import type { TemporaryFolder } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startStack, superAdministrator } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sourceFolder = `${root}apps/gwctl`;
const buildMsMax = 240_000;

/** gwctl as somebody got it: a program, and what stands before its arguments. */
interface Installed {
  readonly command: string;
  readonly args: readonly string[];
}

async function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
) {
  await using child = await startProcess({ command, args, ...options });
  const { code } = await child.exited;
  expect(code, `${command} ${args.join(' ')}: ${child.stderr()}`).toBe(0);
  return child.stdout();
}

describe('gwctl as it is handed out', () => {
  let stack: Stack;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
    stack = await startStack();
    await stack.admin.call('POST', '/api/v1/admin/tenants', { name: 'Acme', slug: 'acme' });
  });
  afterAll(async () => {
    await stack[Symbol.asyncDispose]();
    await folder.remove();
  });

  /** What a new user does first, in an environment in which there is nothing else, not even Node. */
  async function isUsable({ command, args }: Installed, name: string): Promise<void> {
    const env = { PATH: '/nonexistent', HOME: folder.join(`home-${name}`) };
    const gwctl = (...words: string[]): Promise<string> => run(command, [...args, ...words], { cwd: folder.path, env });
    const { version } = JSON.parse(await readFile(`${sourceFolder}/package.json`, 'utf8')) as { version: string };
    expect(await gwctl('--version')).toBe(`${version}\n`);
    expect(await gwctl('--help')).toContain('Usage: gwctl');
    const { username, password } = superAdministrator;
    const login = ['login', '--username', username, '--password', password, '--tenant-id', 'acme'];
    await gwctl('--api-url', stack.adminUrl, ...login);
    expect(JSON.parse(await gwctl('version', '-o', 'json'))).toMatchObject({
      gwctl: version,
      server: { release: version },
    });
    expect(await gwctl('get', 'tenants')).toMatch(/^ID +NAME +STATUS/);
    expect(parse(await gwctl('get', 'tenant', 'acme', '-o', 'yaml'))).toMatchObject({ slug: 'acme' });
    expect(await gwctl('validate', `${root}examples/quickstart.yaml`)).toContain('valid');
  }

  it(
    'as a package: it installs without a registry and runs with nothing but Node',
    { timeout: buildMsMax },
    async () => {
      await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder.path], { cwd: sourceFolder });
      const [tarball = ''] = (await readdir(folder.path)).filter((file) => file.endsWith('.tgz'));
      const place = folder.join('project');
      const offline = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-save'];
      await run('npm', ['install', ...offline, '--prefix', place, folder.join(tarball)], { cwd: folder.path });
      expect(await readdir(`${place}/node_modules/@portcullis`)).toEqual(['gwctl']);
      const installed = `${place}/node_modules/@portcullis/gwctl`;
      expect((await readdir(`${installed}/dist`)).filter((file) => file.endsWith('.map'))).toEqual([]);
      expect(await readFile(`${installed}/dist/THIRD-PARTY-NOTICES.txt`, 'utf8')).toContain('commander ');
      await isUsable({ command: process.execPath, args: [`${place}/node_modules/.bin/gwctl`] }, 'package');
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'as one file: it runs where there is no Node',
    { timeout: buildMsMax },
    async () => {
      const target = folder.join('executable');
      await run(process.execPath, ['scripts/build-executable.ts', target], { cwd: sourceFolder });
      const file = `${target}/gwctl-${process.platform}-${process.arch}`;
      expect((await stat(file)).mode & 0o111).toBe(0o111);
      expect((await readdir(target)).toSorted()).toEqual(['THIRD-PARTY-NOTICES.txt', file.split('/').at(-1)]);
      await isUsable({ command: file, args: [] }, 'executable');
    },
  );
});
