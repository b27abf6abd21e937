import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { CommandFailure } from './failure.ts';

/** Mode of a file that was not there before: what gwctl writes may tell more than everybody should know. */
const ownerOnly = 0o600;

/**
 * Writes a file as a whole: beside it first, then renamed, so that nobody ever reads half of it and a failure leaves the old
 * one. One that exists keeps its mode, a link leads to where it led, and what is no file, a pipe say, is written to.
 * @throws CommandFailure when it cannot be written
 */
export function replaceFile(file: string, text: string): void {
  orNotWritten(file, () => {
    const existing = statSync(file, { throwIfNoEntry: false });
    if (existing && !existing.isFile()) writeFileSync(file, text);
    else replace(existing ? realpathSync(file) : file, text, existing ? existing.mode & 0o777 : ownerOnly);
  });
}

/** Finds out whether a file could be replaced, as far as that is known beforehand. @throws CommandFailure when not */
export function checkReplaceable(file: string): void {
  const existing = orNotWritten(file, () => statSync(file, { throwIfNoEntry: false }));
  if (existing?.isDirectory() === true) throw new CommandFailure(`${file} cannot be written: it is a folder`);
  orNotWritten(file, () => {
    if (existing && !existing.isFile()) accessSync(file, constants.W_OK);
    else accessSync(path.dirname(existing ? realpathSync(file) : path.resolve(file)), constants.W_OK);
  });
}

/** Finds out whether a file can be written to, and makes it if it is missing. @throws CommandFailure when not */
export function checkWritable(file: string): void {
  orNotWritten(file, () => closeSync(openSync(file, 'a', ownerOnly)));
}

function orNotWritten<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new CommandFailure(`${file} cannot be written (${String(code)})`);
  }
}

function replace(file: string, text: string, mode: number): void {
  const draft = `${file}.${process.pid}.new`;
  try {
    const descriptor = openSync(draft, 'wx', ownerOnly);
    try {
      writeFileSync(descriptor, text);
      // Not on opening: the umask would take from it.
      fchmodSync(descriptor, mode);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
