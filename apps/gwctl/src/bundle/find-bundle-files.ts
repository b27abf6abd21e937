import { readdirSync, realpathSync, statSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import path from 'node:path';
import { CommandFailure } from '../failure.ts';

/** Standard input among the files of a bundle. */
export const standardInputName = '-';

/** Files of a bundle at most. */
const filesMax = 10_000;

const bundleSuffix = /\.(?:ya?ml|json)$/i;

/**
 * The files that a command line names: each file itself, and of a folder every `.yaml`, `.yml` and `.json` file in it and
 * below, ordered by path. What begins with a dot or is a pipe or a device is left out, links to folders are not followed, and a file that is named
 * twice is read once. @throws CommandFailure for a folder without such files, or that cannot be read
 */
export function findBundleFiles(given: readonly string[]): readonly string[] {
  const found = new Map<string, string>();
  for (const name of given) {
    for (const file of name !== standardInputName && isFolder(name) ? filesOfFolder(name) : [name]) {
      const identity = identityOf(file);
      if (!found.has(identity)) found.set(identity, file);
      if (found.size > filesMax) throw new CommandFailure(`more than ${filesMax} files`);
    }
  }
  return [...found.values()];
}

function filesOfFolder(folder: string): readonly string[] {
  const files = entriesBelow(folder, filesMax + 1);
  if (files.length === 0) throw new CommandFailure(`${folder} holds no .yaml, .yml or .json files`);
  return files.sort();
}

function entriesBelow(folder: string, max: number): string[] {
  const files: string[] = [];
  for (const entry of readFolder(folder)) {
    if (entry.name.startsWith('.')) continue;
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) files.push(...entriesBelow(place, max - files.length));
    else if (bundleSuffix.test(entry.name) && isReadable(entry, place)) files.push(place);
    if (files.length >= max) break;
  }
  return files;
}

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new CommandFailure(`${folder} cannot be read (${String(code)})`);
  }
}

/** A pipe that nobody writes to would be waited for for ever. A link that leads nowhere is a mistake, which reading tells. */
function isReadable(entry: Dirent, place: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile();
  try {
    return statSync(place).isFile();
  } catch {
    return true;
  }
}

/** Whether there is a folder of that name; whoever reads it as a file says what else is wrong with it. */
function isFolder(name: string): boolean {
  try {
    return statSync(name).isDirectory();
  } catch {
    return false;
  }
}

function identityOf(file: string): string {
  if (file === standardInputName) return file;
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}
