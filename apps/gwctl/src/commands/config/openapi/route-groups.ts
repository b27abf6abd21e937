import type { JsonObject, Operation, TemplateSegment } from '@portcullis/openapi';
import { mergedPlugins, overridesOf } from './extensions.ts';
import type { RefuseExtension } from './extensions.ts';
import { nameOfPath, slug } from './names.ts';

/** Operations that become one route. */
export interface RouteGroup {
  readonly path: string;
  readonly segments: readonly TemplateSegment[];
  readonly service: string;
  readonly operations: readonly Operation[];
  /** A name that the description gives. */
  readonly givenName: string | undefined;
  /** The name that is made, without the service's. */
  readonly madeName: string;
  readonly overrides: JsonObject;
  readonly plugins: readonly JsonObject[];
}

/** Which operations share a route. */
export type RoutesPer = 'path' | 'operation';

/**
 * Groups operations into routes, sorted by path and methods whatever the document's order. One route for each path, unless its
 * operations go to different services or say different things about their route.
 * @param refuse told of extensions with the wrong form
 */
export function routeGroups(
  operations: readonly Operation[],
  routesPer: RoutesPer,
  serviceOf: (operation: Operation) => string | undefined,
  refuse: (pointer: string) => RefuseExtension,
): readonly RouteGroup[] {
  const groups = new Map<string, RouteGroup>();
  for (const operation of operations.toSorted(byPathAndMethod)) {
    const service = serviceOf(operation);
    if (service === undefined) continue;
    const group = groupOf(operation, service, refuse);
    const { givenName, overrides, plugins } = group;
    const shared =
      routesPer === 'operation' ? operation.method : JSON.stringify([givenName, service, overrides, plugins]);
    const key = JSON.stringify([operation.path, shared]);
    const before = groups.get(key);
    groups.set(key, before ? { ...before, operations: [...before.operations, operation] } : group);
  }
  const all = [...groups.values()];
  const perPath = Map.groupBy(all, ({ path }) => path);
  return all.map((group) => ({
    ...group,
    madeName: madeName(group, routesPer === 'path' && perPath.get(group.path)?.length === 1),
  }));
}

function groupOf(operation: Operation, service: string, refuse: (pointer: string) => RefuseExtension): RouteGroup {
  const own = overridesOf(operation.definition, refuse(operation.pointer));
  const ofPath = overridesOf(
    operation.pathItem,
    refuse(operation.pointer.slice(0, operation.pointer.lastIndexOf('/'))),
  );
  return {
    path: operation.path,
    segments: withGreedy(operation),
    service,
    operations: [operation],
    givenName: own.name ?? ofPath.name,
    madeName: '',
    overrides: { ...ofPath.route, ...own.route },
    plugins: mergedPlugins(ofPath.plugins, own.plugins),
  };
}

/** `x-multi-segment` of a parameter says that its values hold slashes, as in GitHub's description. */
function withGreedy({ segments, parameters }: Operation): readonly TemplateSegment[] {
  const greedy = new Set(
    parameters.flatMap(({ name, in: place, definition }) =>
      place === 'path' && definition['x-multi-segment'] === true ? [name] : [],
    ),
  );
  return segments.map((segment) =>
    segment.map((part) => (part.kind === 'parameter' && greedy.has(part.name) ? { ...part, isGreedy: true } : part)),
  );
}

function madeName({ path, operations }: RouteGroup, isWholePath: boolean): string {
  const id = operations.length === 1 && !isWholePath ? slug(operations[0]?.operationId ?? '') : '';
  if (id !== '') return id;
  const methods = operations.map(({ method }) => method.toLowerCase());
  return [nameOfPath(path), ...(isWholePath ? [] : methods)].join('.');
}

function byPathAndMethod(left: Operation, right: Operation): number {
  const [one, other] = [`${left.path} ${left.method}`, `${right.path} ${right.method}`];
  return one < other ? -1 : one > other ? 1 : 0;
}
