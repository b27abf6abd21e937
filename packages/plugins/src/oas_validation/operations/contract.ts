import type { FollowReferences, JsonObject, Referred } from '@portcullis/openapi';
import { pointerTo } from '@portcullis/openapi';
import type { Direction } from '../schemas/convert-schema.ts';
import { isRecord } from '../schemas/keywords.ts';
import type { SchemaCheck, SchemaChecks } from '../schemas/schema-checks.ts';

/** What the parts of an operation are compiled with. */
export interface ContractParts {
  readonly follow: FollowReferences;
  readonly checks: SchemaChecks;
}

/** How messages are checked. */
export interface ContractSettings {
  /** Whether what is not described is refused. */
  readonly isStrict: boolean;
  readonly bytesMax: number;
}

/** An object in a field, its reference followed. */
export function fieldIn(
  { follow }: Pick<ContractParts, 'follow'>,
  { value, pointer }: Referred,
  name: string,
): Referred | undefined {
  const inner: unknown = Object.hasOwn(value, name) ? value[name] : undefined;
  return isRecord(inner) ? follow(inner, pointerTo(pointer, name)) : undefined;
}

/** The objects in a map, by name, their references followed. */
export function entriesIn(
  parts: Pick<ContractParts, 'follow'>,
  map: Referred | undefined,
): readonly (readonly [string, Referred])[] {
  if (map === undefined) return [];
  return Object.keys(map.value).flatMap((name) => {
    const inner = fieldIn(parts, map, name);
    return inner === undefined ? [] : [[name, inner] as const];
  });
}

/** The schema of a parameter, header or media type; `undefined` where it has none that says anything. */
export function schemaOf(value: JsonObject, pointer: string): Referred | undefined {
  const schema: unknown = Object.hasOwn(value, 'schema') ? value['schema'] : undefined;
  return isRecord(schema) && Object.keys(schema).length > 0
    ? { value: schema, pointer: pointerTo(pointer, 'schema') }
    : undefined;
}

/** The check of such a schema. */
export function checkOf({ checks }: ContractParts, schema: Referred, direction: Direction): SchemaCheck {
  return checks.checkOf(schema, direction);
}
