import { DatabaseSync } from 'node:sqlite';
import {
  eventually,
  startProcess,
  temporaryFolder,
  type RunningProcess,
  type TemporaryFolder,
} from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder: TemporaryFolder;
const key = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const main = ['--conditions=@portcullis/source', new URL('./main.ts', import.meta.url).pathname];

function settings(database: string): Record<string, string> {
  return {
    PORTCULLIS_SECRET_KEYS: key,
    PORTCULLIS_ADMIN_PORT: '0',
    PORTCULLIS_DATABASE_URL: `sqlite:${folder.join(database)}`,
  };
}

function start(env: Record<string, string>): Promise<RunningProcess> {
  return startProcess({ args: main, env, readyWhen: (child) => urlOf(child) !== undefined });
}

function urlOf(child: RunningProcess): string | undefined {
  return /"url":"([^"]+)"/.exec(child.stdout())?.[1];
}

async function ended(
  env: Record<string, string>,
  ...options: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  await using child = await startProcess({ args: [...main, ...options], env });
  const { code } = await child.exited;
  return { code, stdout: child.stdout(), stderr: child.stderr() };
}

// Each case starts whole processes, which takes long on a busy machine.
describe('the process', { timeout: 60_000 }, () => {
  it('starts on an empty file, prints the first password once as the last word of a line, and stops on SIGTERM', async () => {
    await using first = await start(settings('a.sqlite'));
    await eventually(() => expect(first.stdout()).toContain('password'));
    const password = first
      .stdout()
      .split('\n')
      .find((line) => line.includes('password'))
      ?.split(' ')
      .at(-1);
    const login = await fetch(`${urlOf(first)}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    });
    expect(login.status).toBe(200);
    expect((await fetch(`${urlOf(first)}/ready`)).status).toBe(200);
    expect(await first.kill('SIGTERM')).toMatchObject({ code: 0 });
    await using second = await start(settings('a.sqlite'));
    expect(second.stdout()).not.toContain('password');
    expect(await second.kill('SIGINT')).toMatchObject({ code: 0 });
  });

  it('takes the first password from its settings and prints none', async () => {
    await using child = await start({
      ...settings('b.sqlite'),
      PORTCULLIS_ADMIN_USERNAME: 'chief',
      PORTCULLIS_ADMIN_PASSWORD: 'given horse 99',
    });
    const body = JSON.stringify({ username: 'chief', password: 'given horse 99' });
    const login = await fetch(`${urlOf(child)}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(login.status).toBe(200);
    expect(child.stdout() + child.stderr()).not.toContain('given horse');
  });

  it('says in one sentence that the only super administrator is disabled, and another name helps', async () => {
    const database = { ...settings('disabled.sqlite'), PORTCULLIS_ADMIN_PASSWORD: 'given horse 99' };
    await using child = await start(database);
    expect(await child.kill('SIGTERM')).toMatchObject({ code: 0 });
    // The API refuses this; a database that was changed before it did, or by hand, may hold it.
    const file = new DatabaseSync(folder.join('disabled.sqlite'));
    file.exec(
      "update resources set enabled = 0, body = json_set(body, '$.enabled', json('false')) where family = 'users'",
    );
    file.close();
    expect(await ended(database)).toMatchObject({
      code: 1,
      stderr:
        'Cannot start: the only super administrator "admin" is disabled; PORTCULLIS_ADMIN_USERNAME with another name ' +
        'makes a new one, who can enable the old one.\n',
    });
    await using helped = await start({ ...database, PORTCULLIS_ADMIN_USERNAME: 'chief' });
    expect(await helped.kill('SIGTERM')).toMatchObject({ code: 0 });
  });

  it('says in one sentence that the port is in use', async () => {
    await using child = await start(settings('c.sqlite'));
    const port = new URL(urlOf(child) ?? '').port;
    const second = await ended({ ...settings('d.sqlite'), PORTCULLIS_ADMIN_PORT: port });
    expect(second).toMatchObject({
      code: 1,
      stderr: `Cannot start: 127.0.0.1:${port} is in use by another process.\n`,
    });
  });

  it.each([
    [
      'a folder that does not exist',
      { PORTCULLIS_DATABASE_URL: 'sqlite:/nonexistent/x.sqlite' },
      /^Cannot start: cannot open the SQLite file: [^\n]+\.\n$/,
    ],
    ['no key', { PORTCULLIS_SECRET_KEYS: '' }, /^PORTCULLIS_SECRET_KEYS is not set; make a key[^\n]+\n$/],
    [
      'another key than the one that sealed',
      { PORTCULLIS_SECRET_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}` },
      /^Cannot start: PORTCULLIS_SECRET_KEYS does not open this database [^\n]+\n$/,
    ],
  ])('ends with one sentence and code 1 for %s', async (_name, env, sentence) => {
    const outcome = await ended({ ...settings('a.sqlite'), ...env });
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) as unknown });
  });

  it('prints help and version, and refuses unknown options', async () => {
    expect(await ended({}, '--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('PORTCULLIS_SECRET_KEYS') as unknown,
    });
    expect((await ended({}, '--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    for (const word of ['--dry-run', 'now']) {
      const refused = { code: 1, stdout: '', stderr: 'Nothing may follow rotate-secrets; try --help.\n' };
      expect(await ended({}, 'rotate-secrets', word)).toMatchObject(refused);
    }
    expect((await ended({}, 'rotate-secrets', '--help')).stdout).toContain('Usage: portcullis-admin-api');
    expect(await ended({}, '--what')).toMatchObject({ code: 1, stderr: 'Unknown option; try --help.\n' });
  });
});
