import { pointerTo, type FollowReferences, type Operation, type Referred } from '@portcullis/openapi';
import type { SchemaMistake } from '../schemas/check-schemas.ts';
import { isRecord } from '../schemas/keywords.ts';

/** A schema where a message begins to be checked with it. */
export type SchemaRoot = readonly [schema: unknown, pointer: string];

/** The schemas of all parameters, bodies and headers of operations, and the references on the way to them that lead nowhere. */
export function schemaRoots(
  operations: readonly Operation[],
  follow: FollowReferences,
): { readonly roots: readonly SchemaRoot[]; readonly mistakes: readonly SchemaMistake[] } {
  const roots = new Map<string, unknown>();
  const mistakes: SchemaMistake[] = [];
  const seen = new Set<string>();

  const objectIn = ({ value, pointer }: Referred, name: string): Referred | undefined => {
    const inner: unknown = Object.hasOwn(value, name) ? value[name] : undefined;
    const at = pointerTo(pointer, name);
    if (!isRecord(inner)) return undefined;
    const referred = follow(inner, at);
    if (referred === undefined)
      mistakes.push({ pointer: pointerTo(at, '$ref'), message: 'must lead to an object of this description' });
    // What many operations refer to is looked at once.
    if (referred === undefined || (referred.pointer !== at && seen.has(referred.pointer))) return undefined;
    seen.add(referred.pointer);
    return referred;
  };
  const each = (map: Referred | undefined, look: (inner: Referred) => void): void => {
    for (const name of Object.keys(map?.value ?? {})) {
      const inner = map && objectIn(map, name);
      if (inner !== undefined) look(inner);
    }
  };
  const lookAtContent = (holder: Referred): void => each(objectIn(holder, 'content'), lookAtValue);
  const lookAtValue = (holder: Referred): void => {
    if (Object.hasOwn(holder.value, 'schema')) roots.set(pointerTo(holder.pointer, 'schema'), holder.value['schema']);
    lookAtContent(holder);
  };

  for (const { parameters, definition, pointer } of operations) {
    for (const parameter of parameters) lookAtValue({ value: parameter.definition, pointer: parameter.pointer });
    const operation = { value: definition, pointer };
    const body = objectIn(operation, 'requestBody');
    if (body !== undefined) lookAtContent(body);
    each(objectIn(operation, 'responses'), (response) => {
      lookAtContent(response);
      each(objectIn(response, 'headers'), lookAtValue);
    });
  }
  return { roots: [...roots].map(([pointer, schema]) => [schema, pointer] as const), mistakes };
}
