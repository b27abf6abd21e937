import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { CommandFailure } from './failure.ts';

/** What a file is to hold. */
type Content = string | Uint8Array;

/** Mode of a file that was not there before: what gwctl writes may tell more than everybody should know. */
const ownerOnly = 0o600;

/**
 * Writes a file as a whole: beside it first, then renamed, so that nobody ever reads half of it and a failure leaves the old
 * one. One that exists keeps its mode, a link leads to where it led, and what is no file, a pipe say, is written to.
 * @throws CommandFailure when it cannot be written
 */
export function replaceFile(file: string, content: Content): void {
  orNotWritten(file, () => {
    const existing = statSync(file, { throwIfNoEntry: false });
    if (existing && !existing.isFile()) writeFileSync(file, content);
    else replace(existing ? realpathSync(file) : file, content, existing ? existing.mode & 0o777 : ownerOnly);
  });
}

/**
 * Writes a file that is not there as a whole: beside it first, then under its name, so that nobody ever reads half of it. One that appears
 * meanwhile is left alone.
 * @throws CommandFailure when it cannot be written, or is there
 */
export function createFile(file: string, content: Content): void {
  orNotWritten(file, () => {
    const draft = writeDraft(file, content, ownerOnly);
    try {
      // Unlike renaming, this fails where the name is taken.
      linkSync(draft, file);
    } catch (error) {
      // Some file systems have no links.
      if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) throw error;
      renameSync(draft, file);
    } finally {
      rmSync(draft, { force: true });
    }
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

function replace(file: string, content: Content, mode: number): void {
  const draft = writeDraft(file, content, mode);
  try {
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Writes what a file is to hold beside it, on the same file system. @returns the draft; none is left behind by an error */
function writeDraft(file: string, content: Content, mode: number): string {
  const draft = `${file}.${process.pid}.new`;
  const descriptor = openSync(draft, 'wx', ownerOnly);
  try {
    try {
      writeFileSync(descriptor, content);
      // Not on opening: the umask would take from it.
      fchmodSync(descriptor, mode);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return draft;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
