import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  eventually,
  startProcess,
  startUpstream,
  temporaryFolder,
  type RunningProcess,
  type TemporaryFolder,
} from '@portcullis/testkit';

/** `npm start` from its settings on, over stand-in apps that keep the contract of the real ones. */

const testdata = fileURLToPath(new URL('./testdata/', import.meta.url));
const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const anyPorts = {
  PORTCULLIS_ADMIN_PORT: '0',
  PORTCULLIS_PROXY_PORT: '0',
  PORTCULLIS_PROXY_TLS_PORT: '0',
  PORTCULLIS_STATUS_PORT: '0',
  PORTCULLIS_SAMPLE_PORT: '0',
};

let root: TemporaryFolder;
let started: RunningProcess[];

beforeEach(async () => {
  root = await temporaryFolder();
  started = [];
  for (const [from, to] of [
    [join(testdata, 'admin-api.mjs'), 'apps/admin-api/dist/main.js'],
    [join(testdata, 'gateway.mjs'), 'apps/gateway/dist/main.js'],
    [join(repository, 'examples/echo-upstream.mjs'), 'examples/echo-upstream.mjs'],
    [join(repository, 'examples/quickstart.yaml'), 'examples/quickstart.yaml'],
  ] as const) {
    await mkdir(join(root.path, to, '..'), { recursive: true });
    await copyFile(from, join(root.path, to));
  }
  await mkdir(root.join('apps/node_modules'), { recursive: true });
  await writePackageType(root.path);
});

afterEach(async () => {
  for (const child of started) await child.kill('SIGKILL');
  await root.remove();
});

describe('npm start', () => {
  it('shows the password once as the last word of its line, and three commands that work', async () => {
    const first = await start();
    const password = passwordIn(first.stdout());
    expect(password).toMatch(/^[A-Za-z0-9]{24}$/);
    const commands = first
      .stdout()
      .split('\n')
      .filter((line) => line.startsWith('curl'));
    expect(commands).toHaveLength(3);
    for (const command of commands) {
      expect(execFileSync('sh', ['-c', `${command} -s`], { encoding: 'utf8' })).toMatch(/^HTTP\/1.1 200/);
    }
    expect((await store()).password).toBe(password);
    await first.kill('SIGINT');

    const second = await start();
    expect(second.stdout()).not.toContain(password);
    expect(passwordIn(second.stdout())).toBeUndefined();
    expect(await filesWith(password ?? '')).toEqual(['portcullis.db']);
  });

  it('does the steps of the first start once, and keeps keys and token for the second', async () => {
    const first = await start();
    const keys = (await logged('admin-api')).keys;
    expect(keys).toMatch(/^[\w-]+:[A-Za-z0-9+/]{43}=$/);
    await first.kill('SIGTERM');
    const callsBefore = (await setUpCalls()).length;
    expect(callsBefore).toBeGreaterThan(3);
    await start();
    expect(await setUpCalls()).toHaveLength(callsBefore);
    expect((await logged('admin-api')).keys).toBe(keys);
    expect(await logged('gateway')).toMatchObject({ token: 'gwdp_g-1', secrets: [] });
  });

  it('points the sample at the port its upstream really has, and keeps that port', async () => {
    const first = await start();
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec((await store()).bundle)?.[1];
    expect(await (await fetch(`http://127.0.0.1:${port}/x?y=1`)).json()).toMatchObject({
      method: 'GET',
      path: '/x?y=1',
    });
    await first.kill('SIGINT');
    const second = await start();
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    await second.kill('SIGINT');
    const moved = await startFailing({ ...anyPorts, PORTCULLIS_SAMPLE_PORT: '1' });
    expect(moved).toMatch(/^The sample was applied with its upstream on port \d+: .* anew with port 1\.$/);
  });

  it('keeps a copy of the applied sample that can be changed and applied again, on the port of the upstream', async () => {
    const first = await start();
    expect(await readFile(data('quickstart.yaml'), 'utf8')).toBe((await store()).bundle);
    await writeFile(data('quickstart.yaml'), 'changed');
    await first.kill('SIGINT');
    const second = await start();
    expect(await readFile(data('quickstart.yaml'), 'utf8')).toBe('changed');
    await second.kill('SIGINT');
    await rm(data('quickstart.yaml'));
    await start();
    expect(await readFile(data('quickstart.yaml'), 'utf8')).toBe((await store()).bundle);
  });

  it('listens for the status page where PORTCULLIS_STATUS_HOST says', async () => {
    const running = await start({ PORTCULLIS_STATUS_HOST: '127.0.0.2' });
    const url = /Gateway status +(\S+)/.exec(running.stdout())?.[1] ?? '';
    expect(url).toMatch(/^http:\/\/127\.0\.0\.2:/);
    expect((await fetch(url)).status).toBe(200);
  });

  it("leaves the sample's port alone when the first start was without the sample", async () => {
    await using other = await startUpstream();
    const port = { PORTCULLIS_SAMPLE_PORT: String(other.port) };
    const first = await start({ ...port, PORTCULLIS_SAMPLE: 'off' });
    await first.kill('SIGINT');
    expect((await start(port)).stdout()).not.toContain('X-API-Key');
  });

  it('keeps keys, token, state and logs from other users', async () => {
    await start();
    for (const file of [
      'quickstart.yaml',
      'secret-keys',
      'data-plane-token',
      'start-state.json',
      'logs/admin-api.log',
    ]) {
      expect([file, (await stat(data(file))).mode & 0o777]).toEqual([file, 0o600]);
    }
    expect((await stat(data('.'))).mode & 0o777).toBe(0o700);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends with 0 on %s and leaves no process', async (signal) => {
    const running = await start();
    const pids = await childPids();
    expect(await running.kill(signal)).toEqual({ code: 0, signal: null });
    expect(pids.filter(alive)).toEqual([]);
  });

  it('leaves no process when it is killed itself', async () => {
    const running = await start();
    const pids = await childPids();
    expect(pids.filter(alive)).toEqual(pids);
    await running.kill('SIGKILL');
    await eventually(() => pids.every((pid) => !alive(pid)));
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('leaves no process when the npm that started it gets %s', async (signal) => {
    const npm = await startUnderNpm();
    const pids = [...(await childPids()), Number(await readFile(data('runner.pid'), 'utf8'))];
    expect(pids.filter(alive)).toEqual(pids);
    await npm.kill(signal);
    await eventually(() => pids.every((pid) => !alive(pid)));
  });

  it('ends under npm on Ctrl-C with 0 or 130, as a terminal sends it to the whole group', async () => {
    const npm = await startUnderNpm();
    const pids = await childPids();
    process.kill(-npm.pid, 'SIGINT');
    const { code, signal } = await npm.exited;
    expect([0, 130]).toContain(signal === 'SIGINT' ? 130 : code);
    expect(pids.filter(alive)).toEqual([]);
  });

  it('goes on where an interrupted first start ended, also with a token that was lost', async () => {
    const broken = await startFailing({ ...anyPorts, FAKE_CRASH_ON: '/data-planes' });
    expect(broken).toMatch(/The control plane (did not answer on .*data-planes|stopped unexpectedly \(exit code 3\))/);
    const { bundle } = await store();
    const resumed = await start();
    expect(passwordIn(resumed.stdout())).toBe((await store()).password);
    expect((await store()).bundle).toBe(bundle);
    await resumed.kill();

    const state = JSON.parse(await readFile(data('start-state.json'), 'utf8'));
    await writeJson(data('start-state.json'), {
      ...state,
      dataPlane: undefined,
      adminPassword: (await store()).password,
    });
    await rm(data('data-plane-token'));
    await start();
    expect((await store())['data-planes']).toHaveLength(1);
  });

  it('says in one sentence which child ended and where its log is, and ends with 1', async () => {
    const running = await start();
    const pids = await childPids();
    const gateway = /Gateway +(\S+)/.exec(running.stdout())?.[1];
    await fetch(`${gateway}/die`).catch(() => undefined);
    expect(await running.exited).toEqual({ code: 1, signal: null });
    // What it logged last is no reason: it served.
    expect(running.stderr().trim()).toMatch(
      /^The gateway stopped unexpectedly \(exit code 7\) \(its log is .*gateway\.log\)\.$/,
    );
    expect(pids.filter(alive)).toEqual([]);
  });

  it('uses and does not print a password that the user chose', async () => {
    const running = await start({ PORTCULLIS_ADMIN_USERNAME: 'root', PORTCULLIS_ADMIN_PASSWORD: 'chosen-by-me-1' });
    expect(running.stdout()).not.toContain('chosen-by-me-1');
    expect(await store()).toMatchObject({ username: 'root', password: 'chosen-by-me-1' });
  });

  it('starts empty with PORTCULLIS_SAMPLE=off', async () => {
    const running = await start({ PORTCULLIS_SAMPLE: 'off' });
    expect((await store()).bundle).toBeUndefined();
    expect((await store()).gateways).toMatchObject([{ name: 'default', tenant_id: 'default' }]);
    expect(running.stdout().match(/^curl/gm)).toHaveLength(3);
  });

  it('starts anew when the database was deleted', async () => {
    const first = await start();
    await first.kill();
    await rm(data('portcullis.db'));
    const second = await start();
    expect(passwordIn(second.stdout())).toBe((await store()).password);
  });

  it.each([
    ['PORTCULLIS_ADMIN_PORT', 'the control plane'],
    ['PORTCULLIS_PROXY_PORT', 'the gateway'],
    ['PORTCULLIS_PROXY_TLS_PORT', "the gateway's port for TLS"],
    ['PORTCULLIS_STATUS_PORT', "the gateway's status page"],
    ['PORTCULLIS_SAMPLE_PORT', "the sample's upstream"],
  ])('says in one sentence that the port of %s is in use', async (variable, name) => {
    await using other = await startUpstream();
    const sentence = await startFailing({ ...anyPorts, [variable]: String(other.port) });
    expect(sentence).toBe(
      `Port ${other.port} on 127.0.0.1 is in use, and ${name} needs it: stop what listens there, or set ${variable} to another port (0 takes any free one).`,
    );
  });

  it('refuses a data folder that another start uses', async () => {
    const first = await start();
    expect(await startFailing(anyPorts)).toBe(
      `${data('.')} is in use by another \`npm start\` (process ${first.pid}): stop that one, or set PORTCULLIS_DATA_DIR.`,
    );
  });

  it('says in one sentence that the data folder is a file, or below one', async () => {
    await writeFile(root.join('file'), '');
    for (const folder of ['file', 'file/below/it']) {
      expect(await startFailing({ ...anyPorts, PORTCULLIS_DATA_DIR: folder })).toBe(
        `${root.join('file')} is not a folder: the database and the logs are kept there, so set PORTCULLIS_DATA_DIR to a folder that you may write to.`,
      );
    }
  });

  it.skipIf(process.getuid?.() !== 0).each([
    ['private', 0o700, 'cannot be written to (EACCES): the database and the logs are kept there, so set'],
    ['private/below/it', 0o700, 'cannot be written to (EACCES): the database and the logs are kept there, so set'],
    ['private', 0o777, 'cannot be made a folder of yours alone (it belongs to another user): set'],
  ])(
    "says in one sentence that %s of mode %o is another user's (needs root to become one)",
    async (folder, mode, rule) => {
      await mkdir(root.join('private'));
      await chmod(root.path, 0o755);
      await chmod(root.join('private'), mode);
      const script = fileURLToPath(new URL('./start-up.mjs', import.meta.url));
      const entry = fileURLToPath(new URL('../run-entry.mjs', import.meta.url));
      // Loaded first: the sources themselves may be out of the other user's reach.
      const program = `const { startUp } = await import(${JSON.stringify(script)});
      const { runEntry } = await import(${JSON.stringify(entry)});
      process.setgroups([]); process.setgid(65534); process.setuid(65534);
      await runEntry(() => startUp({ root: ${JSON.stringify(root.path)}, env: process.env, say: console.log }));`;
      const child = await startProcess({
        args: ['--input-type=module', '-e', program],
        env: { ...anyPorts, PORTCULLIS_DATA_DIR: folder },
      });
      started.push(child);
      expect(await child.exited).toEqual({ code: 1, signal: null });
      expect(child.stderr().trim()).toMatch(/^[^\n]+$/);
      expect(child.stderr()).toContain(`${root.join('private')} ${rule} PORTCULLIS_DATA_DIR to`);
    },
  );

  it('refuses a port that is none', async () => {
    expect(await startFailing({ PORTCULLIS_PROXY_PORT: '80a' })).toBe(
      'PORTCULLIS_PROXY_PORT must be a whole number from 0 (any free port) to 65535, not "80a".',
    );
  });

  it('names the first thing that is wrong with a sample that the control plane refuses', async () => {
    const env = { ...anyPorts, FAKE_REFUSE: 'yes' };
    const sentence = 'The sample could not be applied: routes echo /path: must begin with /.';
    expect(await startFailing(env)).toBe(sentence);
  });

  it('says when the administrator that exists has another password', async () => {
    await mkdir(data('.'), { recursive: true });
    await writeJson(data('portcullis.db'), { calls: [], username: 'admin', password: 'old' });
    expect(await startFailing(anyPorts)).toMatch(/^The database already has an administrator, .*\.$/);
  });
});

async function start(env: Record<string, string> = {}): Promise<RunningProcess> {
  const child = await startProcess({
    args: [join(testdata, 'start.mjs'), root.path],
    env: { ...anyPorts, ...env },
    readyWhen: (running) => running.stdout().includes('Ctrl-C'),
  });
  started.push(child);
  return child;
}

/** `npm start` itself, in a process group of its own as a terminal would put it. */
async function startUnderNpm(): Promise<RunningProcess> {
  const script = `node "${join(testdata, 'start.mjs')}" "${root.path}"`;
  await writeJson(root.join('package.json'), { type: 'module', scripts: { start: script } });
  const npm = await startProcess({
    command: 'setsid',
    args: ['npm', 'start'],
    cwd: root.path,
    env: anyPorts,
    readyWhen: (running) => running.stdout().includes('Ctrl-C'),
  });
  started.push(npm);
  return npm;
}

/** Runs a start that has to fail, and gives the one sentence it printed. */
async function startFailing(env: Record<string, string>): Promise<string> {
  const child = await startProcess({ args: [join(testdata, 'start.mjs'), root.path], env });
  started.push(child);
  expect(await child.exited).toEqual({ code: 1, signal: null });
  return child.stderr().trim();
}

function passwordIn(output: string): string | undefined {
  return output
    .split('\n')
    .find((line) => line.includes('password'))
    ?.split(' ')
    .at(-1);
}

function data(file: string): string {
  return join(root.path, '.portcullis', file);
}

async function store() {
  return JSON.parse(await readFile(data('portcullis.db'), 'utf8'));
}

async function setUpCalls(): Promise<string[]> {
  const { calls } = await store();
  return calls.filter((call: string) => !/ready|health/.test(call));
}

async function logged(app: string) {
  return JSON.parse((await readFile(data(`logs/${app}.log`), 'utf8')).split('\n')[0] ?? '');
}

async function childPids(): Promise<number[]> {
  return [(await logged('admin-api')).pid, (await logged('gateway')).pid];
}

async function filesWith(text: string): Promise<string[]> {
  const found = execFileSync('sh', ['-c', `grep -rl -- "${text}" . || true`], { cwd: data('.'), encoding: 'utf8' });
  return found
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace('./', ''));
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, JSON.stringify(value));
}

async function writePackageType(folder: string): Promise<void> {
  await writeJson(join(folder, 'package.json'), { type: 'module' });
}
