import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import type { Violation, Workspace } from '../repository.ts';

const run = promisify(execFile);

/** A program, and what stands before its arguments. */
type Program = readonly [command: string, ...args: string[]];

/** Packs every library as it would be published and lets publint judge the tarball. Needs a build. */
export async function checkPublished(root: string, workspaces: readonly Workspace[]): Promise<readonly Violation[]> {
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-pack-'));
  try {
    const libraries = workspaces.filter(({ kind }) => kind === 'packages');
    const pnpm = await findPnpm();
    const found = await Promise.all(libraries.map((library) => checkLibrary(root, library, folder, pnpm)));
    return found.flat();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The pnpm on the PATH, where `npm test` puts it; else the one that the repository names, which npm has in its cache. */
async function findPnpm(): Promise<Program> {
  try {
    await run('pnpm', ['--version']);
    return ['pnpm'];
  } catch {
    const manifest = await readFile(new URL('../../../../package.json', import.meta.url), 'utf8');
    const { packageManager } = JSON.parse(manifest) as { readonly packageManager: string };
    return ['npm', 'exec', '--yes', '--prefer-offline', `--package=${packageManager}`, '--', 'pnpm'];
  }
}

async function checkLibrary(
  root: string,
  library: Workspace,
  folder: string,
  [command, ...args]: Program,
): Promise<readonly Violation[]> {
  const path = `${library.folder}/package.json`;
  const destination = join(folder, library.shortName);
  try {
    await run(command, [...args, 'pack', '--pack-destination', destination], { cwd: join(root, library.folder) });
  } catch (error) {
    return [{ path, rule: 'pack', message: error instanceof Error ? error.message : String(error) }];
  }
  const [name] = await readdir(destination);
  const tarball = await readFile(join(destination, name ?? ''));
  const { messages, pkg } = await publint({ pack: { tarball: arrayBufferOf(tarball) }, strict: true });
  return messages.map((message) => ({
    path,
    rule: 'publint',
    message: formatMessage(message, pkg ?? {}) ?? message.code,
  }));
}

function arrayBufferOf(buffer: Buffer): ArrayBuffer {
  const copy = new ArrayBuffer(buffer.byteLength);
  new Uint8Array(copy).set(buffer);
  return copy;
}
