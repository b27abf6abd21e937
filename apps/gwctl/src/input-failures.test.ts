import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startProcess } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { gwctlArgs } from './built-gwctl.test-support.ts';
import { gwctlHome, problem, startFakeApi } from './fake-api.test-support.ts';

const bundle = 'tenant_id: acme\n';

describe('a file that does not help', () => {
  const broken = 'tenant_id: acme\ngateways:\n\t- name: x\n';
  it.each([
    ['missing.yaml', undefined, 'gwctl: missing.yaml does not exist\n'],
    ['broken.yaml', broken, 'gwctl: broken.yaml:3:1: tabs must not indent\n'],
    ['broken.json', '{"a":1,\n"a":2}', 'gwctl: broken.json:2:1: a key is given twice in one object\n'],
    ['twice', 'a: 1\n---\nb: 1\n', 'gwctl: twice:2:1: only one document is allowed\n'],
    ['binary.yaml', Buffer.from([0xff, 0xfe, 0x00]), 'gwctl: binary.yaml is not UTF-8 text\n'],
    ['.', undefined, 'gwctl: . holds no .yaml, .yml or .json files\n'],
  ])('%s', async (file, content, stderr) => {
    await using home = await gwctlHome();
    if (content !== undefined) writeFileSync(`${home.path}/${file}`, content);
    expect(await home.run('validate', file)).toEqual({ exitCode: 1, stdout: '', stderr });
  });
});

describe('what is no regular file', () => {
  it.skipIf(!existsSync('/dev/zero'))('is read up to the bound (needs /dev/zero)', async () => {
    await using home = await gwctlHome();
    expect(await home.run('validate', '/dev/zero')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'gwctl: /dev/zero is larger than 67108864 bytes\n',
    });
  });

  it.skipIf(process.platform === 'win32')('but a pipe that is named is read to its end', async () => {
    await using home = await gwctlHome();
    execFileSync('mkfifo', [`${home.path}/pipe`]);
    const [run] = await Promise.all([home.run('validate', 'pipe'), writeFile(`${home.path}/pipe`, bundle)]);
    expect(run).toEqual({ exitCode: 0, stdout: 'valid (0 records)\n', stderr: '' });
  });

  it.skipIf(process.platform === 'win32')('and one to which nobody writes is waited for until Ctrl-C', async () => {
    await using home = await gwctlHome();
    const pipe = `${home.path}/pipe`;
    execFileSync('mkfifo', [pipe]);
    await using child = await startProcess({ args: [...gwctlArgs, 'validate', pipe] });
    // The writer's end opens as soon as gwctl has the other one.
    const writer = await open(pipe, 'w');
    try {
      expect(await child.kill('SIGINT', 30_000)).toEqual({ code: 130, signal: null });
    } finally {
      await writer.close();
    }
  });
});

describe('standard output that does not take the data', () => {
  it.skipIf(!existsSync('/dev/full'))('is one sentence and exit code 1 (needs /dev/full)', async () => {
    await using home = await gwctlHome();
    writeFileSync(home.config, '{"current":null,"contexts":{}}', { mode: 0o600 });
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const command = `"$0" --conditions=@portcullis/source "$1" context list -o json > /dev/full`;
    await using child = await startProcess({
      command: 'sh',
      args: ['-c', command, process.execPath, main],
      env: { GWCTL_CONFIG: home.config },
    });
    expect(await child.exited).toEqual({ code: 1, signal: null });
    expect(child.stderr()).toBe('gwctl: the output cannot be written (ENOSPC)\n');
  });
});

describe('a command line that is wrong', () => {
  it.each([
    [['frobnicate'], /^gwctl: unknown command 'frobnicate'/],
    [['sync'], /missing required argument 'file'/],
    [['create', 'gateways'], /required option '--file <file>' not specified/],
    [['status', '-o', 'xml'], /Allowed choices are table, json, yaml/],
    [['status', '--timeout', '0'], /a number of seconds above 0/],
    [['status', '--frob'], /unknown option '--frob'/],
  ])('%j ends with 1 and says why', async (args, stderr) => {
    await using home = await gwctlHome();
    const run = await home.run(...args);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toMatch(stderr);
  });

  it('none at all prints the help', async () => {
    await using home = await gwctlHome();
    const help = await home.run('--help');
    expect(await home.run()).toEqual({ exitCode: 0, stdout: help.stdout, stderr: '' });
  });

  it('--help and --version print to standard output and end with 0', async () => {
    await using home = await gwctlHome();
    expect(await home.run('--version')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    const help = await home.run('sync', '--help');
    expect(help).toMatchObject({ exitCode: 0, stderr: '' });
    expect(help.stdout).toContain('--no-overwrite');
  });
});

describe('what others wrote', () => {
  const evil = 'evil\u001B[31m\u001B]0;pwn\u0007\u009B1m\u202E';
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const obeyed = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/;
  const line = /^gwctl: [^\n]*evil[^\n]*\n$/;

  it('is shown on standard error and not obeyed: fields of a bundle, names of files and contexts', async () => {
    await using home = await gwctlHome();
    const folder = `${home.path}/folder`;
    mkdirSync(folder);
    writeFileSync(`${home.path}/evil.yaml`, `tenant_id: ${JSON.stringify(evil)}\n`);
    writeFileSync(`${folder}/${evil}.yaml`, 'a: [\n');
    home.write({ current: null, contexts: { [evil]: { api_url: 'http://127.0.0.1:1', token: 't' } } });
    const compare = ['diff', 'evil.yaml', '--current', 'evil.yaml', '--tenant-id', 'acme'];
    for (const args of [compare, ['validate', 'folder'], ['context', 'use', 'x']]) {
      const { exitCode, stderr } = await home.run(...args);
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(line)]);
      expect(stderr).not.toMatch(obeyed);
    }
  });

  it('nor what a server says, in problems and in warnings', async () => {
    const refused = problem(401, 'unauthenticated', evil);
    await using api = await startFakeApi({
      ...{ 'POST /auth/login': refused, 'GET /api/v1/admin/gateways': refused },
      'GET /api/versions': { current: 'v1', release: evil },
    });
    await using home = await gwctlHome();
    const login = ['login', '--username', 'ada', '--password', 'p'];
    for (const args of [login, ['--token', 't', 'get', 'gateways'], ['--token', 't', 'version', '-v']]) {
      const run = await home.run('--api-url', api.url, ...args);
      expect(run.stderr).toMatch(args.includes('version') ? /^> / : /evil/);
      expect(run.stdout + run.stderr).not.toMatch(obeyed);
    }
  });
});
