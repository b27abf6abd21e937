import { copyFile, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startProcess } from '@portcullis/testkit';

const source = fileURLToPath(new URL('./durable-files.c', import.meta.url));

/**
 * Compiles what keeps copies of synced files.
 * @param folder where the library goes
 * @returns its path, for `LD_PRELOAD`
 * @throws Error without a C compiler, or on anything but Linux
 */
export async function buildDurableFiles(folder: string): Promise<string> {
  const library = `${folder}/durable-files.so`;
  const compiler = await startProcess({
    command: 'cc',
    args: ['-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-o', library, source, '-ldl'],
  });
  const { code } = await compiler.exited;
  if (code !== 0) throw new Error(`the C compiler failed\n${compiler.stderr()}`);
  return library;
}

/** The environment of a process whose synced files below a folder are kept. */
export function durableEnvironment(library: string, folder: string): Readonly<Record<string, string>> {
  return { LD_PRELOAD: library, DURABLE_FOLDER: folder };
}

/** The files of a SQLite database that are data; the shared memory beside them is made anew. */
const dataFiles = ['', '-wal'] as const;

/** What a power cut leaves: each file as it was when it was last synced, or not at all. To be called when its process is gone. */
export async function cutPower(database: string): Promise<void> {
  await rm(`${database}-shm`, { force: true });
  for (const suffix of dataFiles) {
    const file = `${database}${suffix}`;
    if (existsSync(`${file}.durable`)) await copyFile(`${file}.durable`, file);
    else await rm(file, { force: true });
  }
}

/** Takes the files as they are for synced: after somebody else than the watched process has opened them. */
export async function takeForDurable(database: string): Promise<void> {
  for (const suffix of dataFiles) {
    const file = `${database}${suffix}`;
    if (existsSync(file)) await copyFile(file, `${file}.durable`);
    else await rm(`${file}.durable`, { force: true });
  }
}
