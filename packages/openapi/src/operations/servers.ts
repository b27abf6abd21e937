import { pointerTo } from '../document/json-pointer.ts';
import { fieldOf, isObject, textField } from '../document/json-values.ts';
import type { JsonObject } from '../document/json-values.ts';
import { descriptionLimits } from '../limits.ts';
import type { ProblemList } from '../problem.ts';

/** An address where an API is served. */
export interface Server {
  /** With the defaults of its variables put in. May be relative: to the place of the description, which only its reader knows. */
  readonly url: string;
  readonly description: string | undefined;
  /** Where it stands in the description. */
  readonly pointer: string;
}

/**
 * The servers that an object has in its `servers`.
 * @returns nothing where it has none of its own, so that those around it count
 */
export function serversOf(object: JsonObject, place: string, problems: ProblemList): readonly Server[] | undefined {
  const given = fieldOf(object, 'servers');
  const pointer = pointerTo(place, 'servers');
  if (given === undefined) return undefined;
  if (!Array.isArray(given) || given.length > descriptionLimits.listItemsMax) {
    problems.add(pointer, 'type', `must be a list of at most ${descriptionLimits.listItemsMax} servers`);
    return undefined;
  }
  const servers = given.flatMap((server: unknown, index) => serverOf(server, pointerTo(pointer, index), problems));
  return given.length === 0 ? undefined : servers;
}

function serverOf(server: unknown, pointer: string, problems: ProblemList): readonly Server[] {
  const template = isObject(server) ? textField(server, 'url') : undefined;
  if (!isObject(server) || template === undefined) {
    problems.add(pointer, 'required', 'must be an object with a url');
    return [];
  }
  const at = pointerTo(pointer, 'url');
  const { url, missing } = addressOf(template, fieldOf(server, 'variables'));
  if (missing.length > 0) {
    problems.add(at, 'invalid_server', `has the variable ${missing.join(', ')}, which has no default`);
    return [];
  }
  if (url === undefined || /[\s{}]/.test(url)) {
    problems.add(at, 'invalid_server', 'must be a short address without white space and braces');
    return [];
  }
  return [{ url, description: textField(server, 'description'), pointer }];
}

/** A template with the defaults of its variables; without an address when it would be too long, which is found out first. */
function addressOf(template: string, variables: unknown): { url: string | undefined; missing: readonly string[] } {
  if (template.length > descriptionLimits.addressLengthMax) return { url: undefined, missing: [] };
  const parts = template
    .split(/\{([^{}]*)\}/)
    .map((part, index) => (index % 2 === 0 ? part : defaultOf(variables, part)));
  const missing = template.split(/\{([^{}]*)\}/).filter((_, index) => parts[index] === undefined);
  const length = parts.reduce((sum, part) => sum + (part?.length ?? 0), 0);
  return { url: length > descriptionLimits.addressLengthMax ? undefined : parts.join(''), missing };
}

function defaultOf(variables: unknown, name: string): string | undefined {
  const variable = isObject(variables) ? fieldOf(variables, name) : undefined;
  return isObject(variable) ? textField(variable, 'default') : undefined;
}
