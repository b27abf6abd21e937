import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Results and caches: never part of the repository. */
const SKIPPED = new Set(['node_modules', 'dist', '.git', '.turbo', '.portcullis', 'coverage']);

/** Every file of a tree that belongs to the repository, relative to the root, with forward slashes. */
export function repositoryFiles(root: string, below = ''): readonly string[] {
  return readdirSync(join(root, below), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : repositoryFiles(root, path);
      return entry.isFile() ? [path] : [];
    });
}
