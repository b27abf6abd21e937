import { posix } from 'node:path';
import { packageOf } from '../imports.ts';
import type { Violation, Workspace } from '../repository.ts';
import { SCOPE } from './import-table.ts';

/** Imports that reach past a package's entry points, or out of their own package by a relative path. */
export function reachViolations(from: Workspace, workspaces: readonly Workspace[]): readonly Violation[] {
  return from.sources.flatMap((file) =>
    file.imports.flatMap(({ specifier, line }) => {
      const path = `${file.path}:${line}`;
      if (specifier.startsWith('.')) {
        const target = posix.join(posix.dirname(file.path), specifier);
        if (target.startsWith(`${from.folder}/`)) return [];
        return [{ path, rule: 'relative-escape', message: `${specifier} leaves the package: import it by its name` }];
      }
      return deepImport(specifier, workspaces)
        ? [{ path, rule: 'deep-import', message: `${specifier} is no entry point` }]
        : [];
    }),
  );
}

function deepImport(specifier: string, workspaces: readonly Workspace[]): boolean {
  const name = packageOf(specifier);
  if (name === undefined || !name.startsWith(SCOPE)) return false;
  const target = workspaces.find((workspace) => workspace.manifest.name === name);
  if (target === undefined) return true;
  const subpath = `.${specifier.slice(name.length)}`;
  const { exports } = target.manifest;
  if (exports === undefined) return true;
  return !Object.keys(exports).some((entry) => matchesEntry(entry, subpath));
}

/** An entry may hold one star. */
function matchesEntry(entry: string, subpath: string): boolean {
  const [before, after] = entry.split('*');
  if (after === undefined) return entry === subpath;
  return subpath.startsWith(before ?? '') && subpath.endsWith(after) && subpath.length > entry.length - 1;
}
