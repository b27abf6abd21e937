import { cp, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { scratchFolder } from '../machine/scratch-folder.ts';

/** A copy of a built app. Disposing of it deletes the copy. */
export interface FrozenApp extends AsyncDisposable {
  /** Its `main.js`. */
  readonly entry: string;
}

/**
 * Copies a built app, so that a build which somebody starts during a run changes nothing of what is measured.
 * @param entry `main.js` in a folder of built files, beside which are `package.json` and `node_modules`
 */
export async function freezeApp(entry: string): Promise<FrozenApp> {
  const built = dirname(entry);
  const app = dirname(built);
  const folder = await scratchFolder();
  try {
    await cp(built, join(folder.path, 'dist'), { recursive: true });
    await cp(join(app, 'package.json'), join(folder.path, 'package.json'));
    await symlink(join(app, 'node_modules'), join(folder.path, 'node_modules'));
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
  const frozen = join(folder.path, 'dist', basename(entry));
  return { entry: frozen, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}
