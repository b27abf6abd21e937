import { chmodSync, existsSync, lstatSync, mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { gwctlHome, runGwctl } from './fake-api.test-support.ts';

const contexts = { a: { api_url: 'http://a:1', token: 'token-a' } };

describe('the file of contexts', () => {
  it('is ~/.gwctl/config.json, closed to others with its folder, which an earlier one is made too', async () => {
    await using home = await gwctlHome();
    const login = ['login', '--token', 'abc'];
    expect(await runGwctl(login, { env: { HOME: home.path } })).toMatchObject({ exitCode: 0 });
    const folder = `${home.path}/.gwctl`;
    const modes = () => [folder, `${folder}/config.json`].map((path) => statSync(path).mode & 0o777);
    expect(modes()).toEqual([0o700, 0o600]);
    chmodSync(folder, 0o755);
    chmodSync(`${folder}/config.json`, 0o644);
    const again = await runGwctl(login, { env: { HOME: home.path } });
    expect(again.stderr).toMatch(/^warning: \S+config\.json can be read by others and holds tokens: chmod 600 it\n/);
    expect(modes()).toEqual([0o700, 0o600]);
  });

  it('keeps what a later release wrote into it', async () => {
    await using home = await gwctlHome();
    const later = { theme: 'dark', current: 'a', contexts: { a: { ...contexts.a, proxy: { url: 'x' } } } };
    home.write(later);
    await home.run('login', '--token', 'new', '--context-name', 'b');
    await home.run('context', 'use', 'a');
    await home.run('login', '--token', 'other', '--tenant-id', 'acme', '--context-name', 'a');
    await home.run('context', 'delete', 'b');
    const kept = { api_url: 'http://a:1', token: 'other', tenant_id: 'acme', proxy: { url: 'x' } };
    expect(home.stored()).toEqual({ theme: 'dark', current: 'a', contexts: { a: kept } });
  });

  it('that is a symbolic link stays one, also to a file that is not there yet', async () => {
    await using home = await gwctlHome();
    mkdirSync(`${home.path}/dotfiles`);
    symlinkSync('dotfiles/gwctl.json', home.config);
    expect(await home.run('login', '--token', 'abc')).toMatchObject({ exitCode: 0 });
    expect(await home.run('login', '--token', 'def', '--context-name', 'b')).toMatchObject({ exitCode: 0 });
    expect(lstatSync(home.config).isSymbolicLink()).toBe(true);
    expect(statSync(`${home.path}/dotfiles/gwctl.json`).mode & 0o777).toBe(0o600);
    expect(Object.keys(home.stored().contexts)).toEqual(['default', 'b']);
  });

  it('that cannot be written or read is one sentence', async () => {
    await using home = await gwctlHome();
    writeFileSync(`${home.path}/file`, '');
    const under = { GWCTL_CONFIG: `${home.path}/file/config.json` };
    const written = await home.runWith(under, 'login', '--token', 'abc');
    expect(written).toMatchObject({ exitCode: 1, stdout: '' });
    expect(written.stderr).toMatch(/^gwctl: \S+ cannot be (?:written|read) \(E[A-Z]+\)\n$/);
    mkdirSync(home.config);
    chmodSync(home.config, 0o700);
    expect((await home.run('context', 'list')).stderr).toBe(`gwctl: ${home.config} cannot be read (EISDIR)\n`);
  });

  it('in a folder that may not be written is one sentence', async () => {
    await using home = await gwctlHome();
    chmodSync(home.path, 0o500);
    // Root may write everywhere but into what the kernel shows of itself.
    const folder = process.getuid?.() === 0 ? '/sys/kernel' : home.path;
    const run = await home.runWith({ GWCTL_CONFIG: `${folder}/config.json` }, 'login', '--token', 'abc');
    chmodSync(home.path, 0o700);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toMatch(/^gwctl: \S+config\.json cannot be written \((?:EACCES|EPERM|EROFS)\)\n$/);
  });

  it('is not looked for in the working directory when there is no home folder', async () => {
    await using home = await gwctlHome();
    const options = { cwd: home.path, env: { HOME: '' } };
    expect(await runGwctl(['login', '--token', 'abc'], options)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'gwctl: there is no home folder to keep contexts in: set HOME or GWCTL_CONFIG\n',
    });
    expect(existsSync(`${home.path}/.gwctl`)).toBe(false);
    expect(await runGwctl(['context', 'list', '-o', 'json'], options)).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('processes that write at once', () => {
  it('lose nothing', async () => {
    await using home = await gwctlHome();
    home.write({ current: 'a', contexts });
    const names = Array.from({ length: 6 }, (_, index) => `c${index}`);
    const runs = await Promise.all(
      names.map((name) => home.run('login', '--token', name, '--context-name', name, '--no-use')),
    );
    expect(runs.map(({ exitCode }) => exitCode)).toEqual(names.map(() => 0));
    expect(Object.keys(home.stored().contexts).toSorted()).toEqual(['a', ...names]);
    expect(existsSync(`${home.config}.lock`)).toBe(false);
  });

  it.each([
    ['of a process that is gone', `${hostname()} 2147483646`, 0],
    ['of another machine that is old', 'elsewhere 1', 3600],
  ])('a lock %s is taken over', async (_, owner, ageSeconds) => {
    await using home = await gwctlHome();
    writeFileSync(`${home.config}.lock`, owner);
    const time = Date.now() / 1000 - ageSeconds;
    utimesSync(`${home.config}.lock`, time, time);
    expect(await home.run('login', '--token', 'abc')).toMatchObject({ exitCode: 0 });
    expect(existsSync(`${home.config}.lock`)).toBe(false);
  });
});
