import { compileJsonPath, isSingular, type JsonPath } from './json-path.ts';
import type { JsonOperation } from './operations.ts';
import { placeOf } from './place.ts';

/** A change as a config says it. */
export interface SaidOperation {
  readonly op: JsonOperation['op'];
  readonly path: string;
  /** For `replace`, `set` and `add`: any JSON value. */
  readonly value?: unknown;
  /** For `rename`: the new name, or as for `move` and `copy` a path. */
  readonly to?: string | undefined;
}

/** What is wrong with an operation, and in which of its fields. */
export interface OperationMistake {
  readonly field: 'path' | 'to' | 'value';
  readonly message: string;
}

/** Compiles an operation once, when the config is read. */
export function compileOperation(said: SaidOperation): JsonOperation | OperationMistake {
  const path = compileJsonPath(said.path);
  if (typeof path === 'string') return { field: 'path', message: path };
  const { op, to } = said;
  if (op === 'remove') {
    return path.segments.length === 0 ? { field: 'path', message: 'is the whole body' } : { op, path };
  }
  if (op === 'rename' || op === 'move' || op === 'copy') return compileTransfer(op, path, to);
  if (to !== undefined) return { field: 'to', message: `is no field of ${op}` };
  if (said.value === undefined) return { field: 'value', message: `is required for ${op}` };
  const text = JSON.stringify(said.value);
  if (op === 'replace') return { op, path, text };
  const place = placeOf(path);
  if (place !== undefined) return { op, place, text };
  // A set value takes the place of what is there, wherever that is; but one can only be added where the path says how it is called.
  return op === 'set'
    ? { op: 'replace', path, text }
    : { field: 'path', message: 'has to end in one name or index, to add there' };
}

/** Whether compiling found a mistake. */
export function isMistake(compiled: JsonOperation | OperationMistake): compiled is OperationMistake {
  return 'message' in compiled;
}

function compileTransfer(
  op: 'rename' | 'move' | 'copy',
  path: JsonPath,
  to: string | undefined,
): JsonOperation | OperationMistake {
  if (to === undefined || to === '') return { field: 'to', message: `is required for ${op}` };
  if (op === 'rename' && !/^\$|[.[]/.test(to)) {
    const kind = path.segments.at(-1)?.selectors[0]?.kind;
    return kind === undefined || kind === 'index'
      ? { field: 'path', message: 'has to end in a name, to be renamed' }
      : { op, path, name: to };
  }
  const target = compileJsonPath(to);
  if (typeof target === 'string') return { field: 'to', message: target };
  const place = placeOf(target);
  if (place === undefined || !isSingular(target)) return { field: 'to', message: 'has to name one place' };
  if (op === 'copy') return isSingular(path) ? { op, path, place } : { field: 'path', message: ONE };
  if (path.segments.length === 0) return { field: 'path', message: 'is the whole body' };
  if (!isSingular(path)) return { field: 'path', message: ONE };
  if (isPrefix(path, target)) return { field: 'to', message: 'is the value itself, or within it' };
  const { last } = place;
  const isInPlace =
    last.kind === 'name' && path.segments.length === target.segments.length && hasSameHolder(path, target);
  return isInPlace && op === 'rename' ? { op, path, name: last.name } : { op: 'move', path, place };
}

const ONE = 'has to name one place, to be put in another';

function isPrefix({ segments }: JsonPath, target: JsonPath): boolean {
  return JSON.stringify(segments) === JSON.stringify(target.segments.slice(0, segments.length));
}

function hasSameHolder({ segments }: JsonPath, target: JsonPath): boolean {
  return JSON.stringify(segments.slice(0, -1)) === JSON.stringify(target.segments.slice(0, -1));
}
