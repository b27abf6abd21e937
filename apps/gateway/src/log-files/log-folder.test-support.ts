import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@portcullis/testkit';
import { LogFolder, type LogFolderSettings } from './log-folder.ts';

/** A log folder in a place of its own, and what a reader finds there. */
export interface TestLogFolder extends AsyncDisposable {
  /** What lies around the log folder: nothing may come to it. */
  readonly place: string;
  readonly root: string;
  readonly folder: LogFolder;
  readonly clock: FakeClock;
  /** Another process at the same folder. */
  another(): LogFolder;
  /** Text of a file below the root. */
  text(path: string): Promise<string>;
  /** Names in a folder below the root, sorted. */
  names(path: string): Promise<readonly string[]>;
}

export async function makeLogFolder(settings: Partial<LogFolderSettings> = {}): Promise<TestLogFolder> {
  const place = await mkdtemp(join(tmpdir(), 'log-folder-'));
  const root = join(place, 'logs');
  const clock = new FakeClock();
  const folders: LogFolder[] = [];
  const another = (): LogFolder => {
    const made = new LogFolder(
      { folder: root, fileBytesMax: 1000, kept: 2, tenantBytesMax: 10_000, ...settings },
      clock,
    );
    folders.push(made);
    return made;
  };
  return {
    ...{ place, root, clock, another },
    folder: another(),
    text: (path) => readFile(join(root, path), 'utf8'),
    names: async (path) => (await readdir(join(root, path))).toSorted(),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(folders.map((folder) => folder.reopen()));
      await rm(place, { recursive: true, force: true });
    },
  };
}

/** Lines as bytes. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
