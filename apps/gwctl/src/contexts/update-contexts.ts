import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { CommandFailure } from '../failure.ts';
import { contextFilePath, readContexts } from './context-file.ts';
import type { Context, Contexts } from './context-file.ts';
import { variable, variables } from './environment.ts';
import { errorCode } from './error-code.ts';
import { withFileLock } from './file-lock.ts';

/**
 * Changes the contexts. The file is read again while no other gwctl writes it, so processes that write at once lose nothing; it
 * is replaced as a whole, readable by its owner only. A symbolic link stays one.
 * @param change gets what is there and gives what is to be there; it may wait
 * @throws CommandFailure when the file cannot be read, understood or written
 */
export async function updateContexts(change: (stored: Contexts) => Contexts | Promise<Contexts>): Promise<void> {
  const named = contextFilePath();
  if (named === undefined) {
    throw new CommandFailure(`there is no home folder to keep contexts in: set HOME or ${variables.config}`);
  }
  const file = target(named);
  try {
    prepareFolder(path.dirname(file));
    await withFileLock(file, async () => replace(file, await change(readContexts())));
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(`${named} cannot be written (${errorCode(error)})`);
  }
}

/** Contexts with one of them changed or added. */
export function withContext(stored: Contexts, name: string, context: Context): Contexts {
  // A computed key makes a field of its own even out of `__proto__`, which an assignment would not.
  return { ...stored, contexts: { ...stored.contexts, [name]: context } };
}

/** The file behind links, also where it does not exist yet. */
function target(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    try {
      return path.resolve(path.dirname(file), readlinkSync(file));
    } catch {
      return file;
    }
  }
}

/** Our own folder is closed to others. One that the user named may be anything, such as the working directory. */
function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (variable(variables.config) !== undefined || path.basename(folder) !== '.gwctl') return;
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

function replace(file: string, contexts: Contexts): void {
  const draft = `${file}.${process.pid}.new`;
  try {
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      writeSync(descriptor, `${JSON.stringify(contexts, null, 2)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    chmodSync(draft, 0o600);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
