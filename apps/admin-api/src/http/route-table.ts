import type { Operation } from './operation.ts';

/** An operation at one of its paths. */
export interface RoutedOperation {
  readonly operation: Operation;
  /** Names of the path's parameters, from left to right. */
  readonly parameters: readonly string[];
}

/** All operations that share a path, whatever they call its parameters. */
export interface RouteEntry {
  /** The path with numbered parameters (`/admin/gateways/:p0`) and without a trailing slash. */
  readonly pattern: string;
  readonly byMethod: ReadonlyMap<string, RoutedOperation>;
  /** The value of `Allow`. */
  readonly allow: string;
}

/** The literal paths under which a declared path answers. Source: spec, Versioning, 2. */
function expandPath(path: string): readonly string[] {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return plain.startsWith('/admin/') ? [`/api/v1${plain}`, plain] : [plain];
}

/**
 * All paths of the operations, fixed segments before parameters, so that `/tenants/current` is found before
 * `/tenants/{id}`. @throws when two operations share an ID, or a method and path
 */
export function routeTable(operations: readonly Operation[]): readonly RouteEntry[] {
  const byShape = new Map<string, Map<string, RoutedOperation>>();
  const ids = new Set<string>();
  for (const operation of operations) {
    if (ids.has(operation.id)) throw new Error(`two operations have the ID ${operation.id}`);
    ids.add(operation.id);
    for (const path of operation.paths.flatMap(expandPath)) {
      const shape = path.replaceAll(parameterForm, '~');
      const byMethod = byShape.get(shape) ?? new Map<string, RoutedOperation>();
      if (byMethod.has(operation.method)) throw new Error(`two operations answer ${operation.method} ${path}`);
      byMethod.set(operation.method, { operation, parameters: parametersOf(path) });
      byShape.set(shape, byMethod);
    }
  }
  // `~` sorts after every letter, so that at the first difference a fixed segment comes before a parameter.
  const shapes = [...byShape].sort(([a], [b]) => (a < b ? -1 : 1));
  return shapes.map(([shape, byMethod]) => ({ pattern: patternOf(shape), byMethod, allow: allowOf(byMethod) }));
}

/** Names of the parameters of a path template. */
export function parametersOf(path: string): readonly string[] {
  return [...path.matchAll(parameterForm)].map((match) => match[1] ?? '');
}

const parameterForm = /\{([^}]+)\}/g;

function patternOf(shape: string): string {
  let next = 0;
  return shape.replaceAll('~', () => `:p${next++}`);
}

function allowOf(byMethod: ReadonlyMap<string, unknown>): string {
  return [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}
