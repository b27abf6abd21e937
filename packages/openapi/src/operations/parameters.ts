import { pointerTo } from '../document/json-pointer.ts';
import { fieldOf, isObject, textField } from '../document/json-values.ts';
import type { JsonObject } from '../document/json-values.ts';
import type { FollowReferences } from '../document/references.ts';
import { descriptionLimits } from '../limits.ts';
import type { ProblemList } from '../problem.ts';

const places = ['path', 'query', 'querystring', 'header', 'cookie'] as const;

/** A parameter of an operation, its reference followed. */
export interface Parameter {
  readonly name: string;
  readonly in: (typeof places)[number];
  /** Always true in a path. */
  readonly required: boolean;
  /** The parameter object: `schema`, `style`, `explode` and the rest are as the description has them. */
  readonly definition: JsonObject;
  /** Where the parameter object stands. */
  readonly pointer: string;
}

/** The parameters in the `parameters` of a path item or an operation. */
export function parametersOf(
  follow: FollowReferences,
  object: JsonObject,
  place: string,
  problems: ProblemList,
): readonly Parameter[] {
  const given = fieldOf(object, 'parameters');
  if (given === undefined) return [];
  const pointer = pointerTo(place, 'parameters');
  if (!Array.isArray(given) || given.length > descriptionLimits.parametersMax) {
    problems.add(pointer, 'type', `must be a list of at most ${descriptionLimits.parametersMax} parameters`);
    return [];
  }
  const seen = new Set<string>();
  return given.flatMap((parameter: unknown, index): readonly Parameter[] => {
    const at = pointerTo(pointer, index);
    const read = parameterOf(follow, parameter, at, problems);
    if (read === undefined) return [];
    if (seen.has(keyOf(read))) problems.add(at, 'duplicate', 'is a parameter that this list has already');
    seen.add(keyOf(read));
    return [read];
  });
}

/** The parameters of an operation: its own, and those of its path that it does not have itself. Source: OpenAPI 3.1, Operation. */
export function mergedParameters(ofPath: readonly Parameter[], own: readonly Parameter[]): readonly Parameter[] {
  const keys = new Set(own.map(keyOf));
  return [...ofPath.filter((parameter) => !keys.has(keyOf(parameter))), ...own];
}

function parameterOf(
  follow: FollowReferences,
  given: unknown,
  at: string,
  problems: ProblemList,
): Parameter | undefined {
  if (!isObject(given)) {
    problems.add(at, 'type', 'must be an object');
    return undefined;
  }
  const referred = follow(given, at);
  if (referred === undefined) return undefined;
  const { value: definition, pointer } = referred;
  const name = textField(definition, 'name');
  const place = places.find((known) => known === fieldOf(definition, 'in'));
  if (name === undefined || place === undefined) {
    problems.add(pointer, 'required', `must have a name, and in: ${places.join(', ')}`);
    return undefined;
  }
  return { name, in: place, required: place === 'path' || definition['required'] === true, definition, pointer };
}

/** Header names have no case. */
function keyOf({ name, in: place }: Parameter): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}
