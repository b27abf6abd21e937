import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of one test's own. */
export interface TemporaryFolder extends AsyncDisposable {
  /** Absolute path, without symbolic links in it. */
  readonly path: string;
  /** The absolute path of something inside. */
  join(...parts: readonly string[]): string;
  /** Deletes the folder with all in it; may be called twice. */
  remove(): Promise<void>;
}

/** Makes an empty folder below the system's temporary folder: `await using folder = await temporaryFolder()`. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'portcullis-test-')));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
  return { path, join: (...parts) => join(path, ...parts), remove, [Symbol.asyncDispose]: remove };
}
