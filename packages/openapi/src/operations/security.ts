import { pointerTo } from '../document/json-pointer.ts';
import { fieldOf, isObject, textField } from '../document/json-values.ts';
import type { JsonObject } from '../document/json-values.ts';
import { descriptionLimits } from '../limits.ts';
import type { ProblemList } from '../problem.ts';

/** A scheme that a request must satisfy. */
export interface SecurityScheme {
  /** Its name under `components.securitySchemes`. */
  readonly name: string;
  /** `apiKey`, `http`, `oauth2`, …; nothing when the description does not say. */
  readonly type: string | undefined;
  readonly scopes: readonly string[];
}

/** Schemes that must be satisfied together. None: anonymous requests are allowed. */
export type SecurityAlternative = readonly SecurityScheme[];

/**
 * The alternatives in the `security` of the description or an operation.
 * @returns nothing where it has no `security` of its own; an empty list where it takes back what is around it
 */
export function securityOf(
  document: JsonObject,
  object: JsonObject,
  place: string,
  problems: ProblemList,
): readonly SecurityAlternative[] | undefined {
  const given = fieldOf(object, 'security');
  if (given === undefined) return undefined;
  const pointer = pointerTo(place, 'security');
  if (!Array.isArray(given) || given.length > descriptionLimits.listItemsMax || !given.every(isObject)) {
    problems.add(pointer, 'type', `must be a list of at most ${descriptionLimits.listItemsMax} objects`);
    return undefined;
  }
  const components = fieldOf(document, 'components');
  const schemes = isObject(components) ? fieldOf(components, 'securitySchemes') : undefined;
  return given.map((alternative) =>
    Object.entries(alternative).map(([name, scopes]) => {
      const scheme = isObject(schemes) ? fieldOf(schemes, name) : undefined;
      const type = isObject(scheme) ? textField(scheme, 'type') : undefined;
      return { name, type, scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [] };
    }),
  );
}
