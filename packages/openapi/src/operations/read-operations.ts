import { pointerTo } from '../document/json-pointer.ts';
import { fieldOf, isObject, textField } from '../document/json-values.ts';
import type { JsonObject } from '../document/json-values.ts';
import { oncePerPlace } from '../document/once-per-place.ts';
import { referencesOf } from '../document/references.ts';
import { descriptionLimits } from '../limits.ts';
import type { ProblemList } from '../problem.ts';
import { mergedParameters, parametersOf } from './parameters.ts';
import type { Parameter } from './parameters.ts';
import { additionalOperations, fixedOperations, readPathItem } from './path-items.ts';
import type { FoundOperation, PathItem } from './path-items.ts';
import { parsePathTemplate } from './path-template.ts';
import type { TemplateSegment } from './path-template.ts';
import { securityOf } from './security.ts';
import type { SecurityAlternative } from './security.ts';
import { serversOf } from './servers.ts';
import type { Server } from './servers.ts';

/** One operation, with all that its path and the description say about it. */
export interface Operation {
  /** Where the operation object stands. */
  readonly pointer: string;
  /** In upper case. */
  readonly method: string;
  /** The template as it is written, such as `/pets/{petId}`. */
  readonly path: string;
  readonly segments: readonly TemplateSegment[];
  readonly operationId: string | undefined;
  readonly summary: string | undefined;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** Its own, else its path's, else the description's. */
  readonly servers: readonly Server[];
  readonly parameters: readonly Parameter[];
  /** Alternatives, one of which must be satisfied; none: no rule. */
  readonly security: readonly SecurityAlternative[];
  /** The operation object as it is written. */
  readonly definition: JsonObject;
  /** The path item, its reference followed. */
  readonly pathItem: JsonObject;
}

/** What operations inherit of their description. */
export interface Inherited {
  readonly isAtLeast32: boolean;
  readonly servers: readonly Server[];
  readonly security: readonly SecurityAlternative[];
}

/** Every operation below `paths`, in the order of the document. Webhooks and callbacks are none: the API calls those itself. */
export function readOperations(
  document: JsonObject,
  inherited: Inherited,
  problems: ProblemList,
): readonly Operation[] {
  const paths = fieldOf(document, 'paths') ?? {};
  if (!isObject(paths)) {
    problems.add('/paths', 'type', 'must be an object');
    return [];
  }
  const operations: Operation[] = [];
  const ids = new Map<string, string>();
  const readers = readersOf(document, problems);
  for (const [path, given] of Object.entries(paths)) {
    if (path.startsWith('x-')) continue;
    if (problems.isCut) return operations;
    for (const operation of operationsOfPath(readers, path, given, inherited, problems)) {
      if (operations.length === descriptionLimits.operationsMax) {
        problems.add('/paths', 'too_many', `must have at most ${descriptionLimits.operationsMax} operations`);
        return operations;
      }
      operations.push(operation);
      checkUnique(operation, ids, problems);
    }
  }
  return operations;
}

/** What paths and operations have in common, each of it read once for its place. */
function readersOf(document: JsonObject, problems: ProblemList) {
  const follow = referencesOf(document, problems);
  return {
    follow,
    servers: oncePerPlace((object, place) => serversOf(object, place, problems)),
    parameters: oncePerPlace((object, place) => parametersOf(follow, object, place, problems)),
    security: oncePerPlace((object, place) => securityOf(document, object, place, problems)),
    additional: oncePerPlace((object, place) => additionalOperations(object, place, problems)),
  };
}

type Readers = ReturnType<typeof readersOf>;

function operationsOfPath(
  readers: Readers,
  path: string,
  given: unknown,
  inherited: Inherited,
  problems: ProblemList,
): readonly Operation[] {
  const place = pointerTo('/paths', path);
  const template = parsePathTemplate(path);
  if (!template.ok) problems.add(place, 'invalid_path', template.message);
  const item = readPathItem(readers.follow, given, place, problems);
  if (!template.ok || item === undefined) return [];
  const around = {
    servers: readers.servers(item.value, parentOf(item.pointerOf('servers'))) ?? inherited.servers,
    parameters: readers.parameters(item.value, parentOf(item.pointerOf('parameters'))),
    security: inherited.security,
  };
  const additional = inherited.isAtLeast32
    ? readers.additional(item.value, parentOf(item.pointerOf('additionalOperations')))
    : [];
  return [...fixedOperations(item, inherited.isAtLeast32, problems), ...additional].map((found) => ({
    path,
    segments: template.segments,
    ...operationOf(readers, found, item, around),
  }));
}

function operationOf(
  readers: Readers,
  { method, value, pointer }: FoundOperation,
  item: PathItem,
  around: Pick<Operation, 'servers' | 'parameters' | 'security'>,
): Omit<Operation, 'path' | 'segments'> {
  const tags = fieldOf(value, 'tags');
  return {
    pointer,
    method,
    operationId: textField(value, 'operationId'),
    summary: textField(value, 'summary'),
    tags: Array.isArray(tags) ? [...new Set(tags.filter((tag) => typeof tag === 'string'))] : [],
    deprecated: fieldOf(value, 'deprecated') === true,
    servers: readers.servers(value, pointer) ?? around.servers,
    parameters: mergedParameters(around.parameters, readers.parameters(value, pointer)),
    security: readers.security(value, pointer) ?? around.security,
    definition: value,
    pathItem: item.value,
  };
}

/** Two paths may refer to one path item, whose operations then have one ID: that is no mistake. */
function checkUnique(operation: Operation, ids: Map<string, string>, problems: ProblemList): void {
  if (operation.operationId === undefined) return;
  const before = ids.get(operation.operationId);
  if (before !== undefined && before !== operation.pointer) {
    const pointer = pointerTo(operation.pointer, 'operationId');
    problems.add(pointer, 'duplicate', `is the operationId of ${before}, too`);
  }
  ids.set(operation.operationId, operation.pointer);
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}
