import { constants, existsSync } from 'node:fs';
import { lstat, mkdir, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** Only the gateway's own user reads what plugins write. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY;

/** A pipe that nobody reads is refused at once, and a link is never followed. */
const FILE_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Linux names what a process has open: with it a name is looked up in the very folder that was opened. */
const DESCRIPTORS = '/proc/self/fd';
const hasDescriptors = existsSync(DESCRIPTORS);

/** A file as the system has it open. */
export type OpenFile = FileHandle;

/** What a name stands for, links not followed. */
export interface FoundFile {
  readonly isFile: boolean;
  readonly dev: number;
  readonly ino: number;
  readonly bytes: number;
  /** When it last changed, in milliseconds since 1970. */
  readonly changedMs: number;
}

/**
 * A folder that is open. Names are looked up in it and not along a path, so that a folder on the way that is exchanged for a link changes
 * nothing (where the system has no `/proc`, each part is checked as it is opened, and the path is walked). Names must be single parts.
 */
export class Folder {
  readonly #handle: FileHandle;
  readonly #path: string;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  /** Opens the operator's own folder, which may be a link, and makes it where it is missing. */
  static async root(path: string): Promise<Folder> {
    const opened = await open(path, FOLDER_FLAGS).catch((error: unknown) => ifMissing(error));
    if (opened !== undefined) return new Folder(opened, path);
    await mkdir(path, { recursive: true, mode: FOLDER_MODE });
    return new Folder(await open(path, FOLDER_FLAGS), path);
  }

  /** Opens a folder in it, and makes it where it is missing. Not through a link. */
  async enter(name: string): Promise<Folder> {
    const at = this.#at(name);
    const flags = FOLDER_FLAGS | constants.O_NOFOLLOW;
    const opened = await open(at, flags).catch((error: unknown) => ifMissing(error));
    if (opened !== undefined) return new Folder(opened, join(this.#path, name));
    await mkdir(at, { mode: FOLDER_MODE }).catch((error: unknown) => {
      // Another worker was faster.
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    return new Folder(await open(at, flags), join(this.#path, name));
  }

  /** Opens a file in it for appending, and makes it where it is missing. Not through a link, and nothing but a file. */
  async openFile(name: string): Promise<OpenFile> {
    const file = await open(this.#at(name), FILE_FLAGS | constants.O_CREAT, FILE_MODE);
    const found = await file.stat();
    if (found.isFile()) return file;
    await file.close();
    throw Object.assign(new Error('not a file'), { code: 'EISDIR' });
  }

  /** Makes a file that must not be there. @returns whether it was not */
  async mark(name: string): Promise<boolean> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    try {
      await (await open(this.#at(name), flags, FILE_MODE)).close();
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    }
  }

  /** What has the name; `undefined` when nothing has. */
  async find(name: string): Promise<FoundFile | undefined> {
    const found = await lstat(this.#at(name)).catch((error: unknown) => ifMissing(error));
    if (found === undefined) return undefined;
    return { isFile: found.isFile(), dev: found.dev, ino: found.ino, bytes: found.size, changedMs: found.mtimeMs };
  }

  /** Gives a file another name, whatever had that. One that is not there is left so. */
  async rename(name: string, to: string): Promise<void> {
    await rename(this.#at(name), this.#at(to)).catch((error: unknown) => ifMissing(error));
  }

  /** Removes a file. One that is not there is left so. */
  async remove(name: string): Promise<void> {
    await unlink(this.#at(name)).catch((error: unknown) => ifMissing(error));
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  #at(name: string): string {
    return hasDescriptors ? `${DESCRIPTORS}/${this.#handle.fd}/${name}` : join(this.#path, name);
  }
}

/** The system's name of an error. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

function ifMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}
