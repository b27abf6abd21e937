import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { chmod, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSecretFile } from '../adapters/read-secret-file.ts';
import { SECRET_BYTES_MAX } from '../secret-content.ts';
import { fileDriver } from './file.ts';

describe('the file driver', () => {
  let folder: TemporaryFolder;
  const at = (name: string): string => folder.join(name);
  const read = async (
    secret: string,
    key?: string,
    directory?: string,
    tenantId = 'acme',
    root: string | null = '',
  ) => {
    const ports = { readFile: readSecretFile, root: root === null ? undefined : folder.join('vaults'), tenantId };
    const content = await fileDriver({ prefix: 'files', driver: 'file', config: { directory } }, ports).read(secret);
    return content.value(key);
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(at('vaults/acme/sub/deeper'), { recursive: true });
    await mkdir(at('vaults/globex'), { recursive: true });
    await mkdir(at('vaults/acme-2'), { recursive: true });
    await writeFile(at('vaults/acme/token'), 'the-token\n');
    await writeFile(at('vaults/acme/crlf'), 'the-token\r\n');
    await writeFile(at('vaults/acme/lines'), 'one\ntwo\n\n');
    await writeFile(at('vaults/acme/db.json'), '{"user":"u","password":"p"}\n');
    await writeFile(at('vaults/acme/sub/deeper/inner'), 'inner');
    await writeFile(at('vaults/acme/empty'), '\n');
    await writeFile(at('vaults/acme/binary'), new Uint8Array([0xff, 0xfe, 0x00]));
    await writeFile(at('vaults/acme/most'), 'a'.repeat(SECRET_BYTES_MAX));
    await writeFile(at('vaults/acme/more'), 'a'.repeat(SECRET_BYTES_MAX + 1));
    await writeFile(at('vaults/globex/token'), 'of-globex');
    await writeFile(at('vaults/acme-2/token'), 'of-acme-2');
    await writeFile(at('outside'), 'outside-of-all');
    await symlink(at('outside'), at('vaults/acme/out'));
    await symlink('../globex', at('vaults/acme/neighbour'));
    await symlink('../acme-2/token', at('vaults/acme/sibling'));
    await symlink('token', at('vaults/acme/alias'));
    await symlink('loop', at('vaults/acme/loop'));
    await symlink('/dev/zero', at('vaults/acme/zero'));
    await symlink('nowhere', at('vaults/acme/dangling'));
    execFileSync('mkfifo', [at('vaults/acme/pipe')]);
  });
  afterAll(() => folder.remove());

  it('reads files of the tenant, one line break at the end cut off', async () => {
    const values = [await read('token'), await read('crlf'), await read('lines'), await read('most')];
    expect(values).toEqual(['the-token', 'the-token', 'one\ntwo\n', 'a'.repeat(SECRET_BYTES_MAX)]);
  });

  it('reads a key of an object in JSON, files of a folder, and through links that stay within', async () => {
    expect(await read('db.json', 'password')).toBe('p');
    expect([await read('inner', undefined, 'sub/deeper'), await read('sub/deeper/inner')]).toEqual(['inner', 'inner']);
    expect(await read('alias')).toBe('the-token');
  });

  it('reads secrets as orchestrators mount them, before and after they rotate', async () => {
    await mkdir(at('vaults/acme/mounted/..1'), { recursive: true });
    await mkdir(at('vaults/acme/mounted/..2'));
    await writeFile(at('vaults/acme/mounted/..1/key'), 'first');
    await writeFile(at('vaults/acme/mounted/..2/key'), 'second');
    await symlink('..1', at('vaults/acme/mounted/..data'));
    await symlink('..data/key', at('vaults/acme/mounted/key'));
    expect(await read('key', undefined, 'mounted')).toBe('first');
    await symlink('..2', at('vaults/acme/mounted/..next'));
    await rename(at('vaults/acme/mounted/..next'), at('vaults/acme/mounted/..data'));
    expect(await read('key', undefined, 'mounted')).toBe('second');
  });

  it.each([
    ['a file that is not there', 'nothing', 'not_found'],
    ['a file below a file', 'token/inner', 'not_found'],
    ['a folder', 'sub', 'not_found'],
    ['a pipe, at once', 'pipe', 'not_found'],
    ['an empty file', 'empty', 'not_found'],
    ['a link to nowhere', 'dangling', 'not_found'],
    ['a link out of the folder', 'out', 'denied'],
    ["a link into another tenant's folder", 'neighbour/token', 'denied'],
    ['a link into a folder whose name begins the same', 'sibling', 'denied'],
    ['a link to a device', 'zero', 'denied'],
    ['a link that leads to itself', 'loop', 'denied'],
    ['dots', '../globex/token', 'denied'],
    ['an absolute path', '/etc/passwd', 'denied'],
    ['what is no text', 'binary', 'unavailable'],
    ['what is too long', 'more', 'unavailable'],
  ])('refuses %s', async (_name, secret, code) => {
    const error: unknown = await read(secret).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'VaultError', code });
    expect(String((error as Error).stack)).not.toContain('outside-of-all');
    expect((error as Error).message).not.toContain(folder.path);
  });

  it.each([
    ['without a folder of the operator', undefined, 'acme', null, 'denied'],
    ['for a tenant whose ID is no name', undefined, '..', '', 'denied'],
    ['in a directory that leads elsewhere', '../globex', 'acme', '', 'denied'],
    ['for a tenant without a folder', undefined, 'initech', '', 'not_found'],
  ])('reads nothing %s', async (_name, directory, tenantId, root, code) => {
    await expect(read('token', undefined, directory, tenantId, root)).rejects.toMatchObject({ code });
  });

  it('refuses a socket, and what the system does not let it read', async () => {
    const server = createServer().listen(at('vaults/acme/socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    await expect(read('socket')).rejects.toMatchObject({ code: 'not_found' });
    await new Promise((resolve) => server.close(resolve));
    await writeFile(at('vaults/acme/locked'), 'locked');
    await chmod(at('vaults/acme/locked'), 0);
    // The super-user reads everything.
    if (process.getuid?.() === 0) expect(await read('locked')).toBe('locked');
    else await expect(read('locked')).rejects.toMatchObject({ code: 'denied' });
  });
});
