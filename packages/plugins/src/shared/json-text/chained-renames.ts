import { compileOperation, isMistake } from './compile-operation.ts';
import type { JsonPath } from './json-path.ts';
import type { JsonOperation } from './operations.ts';

/**
 * The entries of a map of renames whose new place is what another entry renames. What such a map does depends on which of them comes first,
 * and tools that write maps may sort them. @param renames from path to new name or path; entries with mistakes are left out
 */
export function chainedRenames(renames: Readonly<Record<string, string>>): readonly string[] {
  const known = Object.entries(renames).flatMap(([path, to]) => {
    const operation = compileOperation({ op: 'rename', path, to });
    const places = isMistake(operation) ? undefined : placesOf(operation);
    return places === undefined ? [] : [{ path, ...places }];
  });
  const from = new Map(known.map((entry) => [entry.from, entry.path]));
  return known.filter((entry) => entry.to !== entry.from && from.has(entry.to)).map(({ path }) => path);
}

/** Where a value was and is, in one form for paths that mean the same. */
function placesOf(operation: JsonOperation): { readonly from: string; readonly to: string } | undefined {
  if (operation.op === 'move') return { from: formOf(operation.path), to: formOf(operation.place.path) };
  if (operation.op !== 'rename') return undefined;
  const { path, name } = operation;
  const last = {
    isDescendant: path.segments.at(-1)?.isDescendant ?? false,
    selectors: [{ kind: 'name', name }],
  } as const;
  return { from: formOf(path), to: formOf({ segments: [...path.segments.slice(0, -1), last] }) };
}

function formOf({ segments }: JsonPath): string {
  return JSON.stringify(segments);
}
