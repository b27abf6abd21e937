import { nameFields, writeSchema } from '@portcullis/resources';
import type { Family } from '@portcullis/resources';
import * as v from 'valibot';
import { validate } from '../http/field-problems.ts';
import type { FieldProblem } from '../http/problem.ts';
import { toPointer } from './json-pointer.ts';
import { isEqualJson, without } from './values.ts';
import type { Values } from './values.ts';

/** A checked record, or everything that is wrong with it. */
export type CheckedInput =
  | { readonly ok: true; readonly values: Values }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Where a record belongs; callers may repeat it in the body but not contradict it. */
export interface Place {
  readonly id: string | undefined;
  readonly tenantId: string;
  readonly gatewayId: string | null;
  /** What the path says of the gateway: its ID or name. */
  readonly gatewayInPath?: string | undefined;
}

const serverSet = ['created_at', 'updated_at', 'revision'] as const;

/**
 * Takes what says where a record is out of the sent fields, and what only the server sets; each must agree with what is
 * stored. Source: decisions, 7.
 * @param shown the record as reads show it, when there is one
 */
export function takePlace(family: Family, sent: Values, place: Place, shown: Values | undefined): CheckedInput {
  const expected: Record<string, unknown> = { tenant_id: place.tenantId === '' ? null : place.tenantId };
  if (place.id !== undefined) expected['id'] = place.id;
  const isPathRepeated = place.gatewayInPath !== undefined && sent['gateway_id'] === place.gatewayInPath;
  if (family.scope === 'gateway') expected['gateway_id'] = isPathRepeated ? place.gatewayInPath : place.gatewayId;
  for (const name of [...serverSet, ...Object.keys(family.readOnlyFields)]) expected[name] = shown?.[name];
  const problems: FieldProblem[] = [];
  for (const [name, value] of Object.entries(expected)) {
    if (!Object.hasOwn(sent, name) || isEqualJson(sent[name], value)) continue;
    if (name in family.fields) continue;
    problems.push({ pointer: toPointer([name]), code: 'read_only', message: `is set by the server or the path` });
  }
  const own = new Set(Object.keys(family.fields));
  const values = without(sent, ...Object.keys(expected).filter((name) => !own.has(name)));
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

const nullableFields = new WeakMap<Family, ReadonlySet<string>>();

/**
 * Takes away the family's fields that are `null` in a whole record: they count as not given, as in bundles, where the field
 * does not know `null` itself. What says where a record is stays. Source: wire contract, Configuration operations.
 */
export function withoutNulls(family: Family, sent: Values): Values {
  let nullable = nullableFields.get(family);
  if (!nullable) {
    const names = Object.entries(family.fields).filter(([, schema]) => v.is(schema, null));
    nullableFields.set(family, (nullable = new Set(names.map(([name]) => name))));
  }
  const own = [family.fields, nameFields(family), family.fieldAliases ?? {}].flatMap(Object.keys);
  return without(sent, ...own.filter((name) => sent[name] === null && !nullable.has(name)));
}

/** Gives fields that were sent under another name their own. Source: decisions, 6. */
export function applyAliases(family: Family, sent: Values): CheckedInput {
  const values: Record<string, unknown> = { ...sent };
  const problems: FieldProblem[] = [];
  for (const [alias, name] of Object.entries(family.fieldAliases ?? {})) {
    if (!Object.hasOwn(values, alias)) continue;
    const contradicts = Object.hasOwn(values, name) && !isEqualJson(values[name], values[alias]);
    if (contradicts)
      problems.push({ pointer: toPointer([alias]), code: 'contradiction', message: `contradicts ${name}` });
    else values[name] = values[alias];
    delete values[alias];
  }
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

const schemas = new WeakMap<Family, ReturnType<typeof writeSchema>>();

/** Checks a whole record against its family: every field, then the rules that concern several. Defaults are filled in. */
export function checkRecord(family: Family, sent: Values): CheckedInput {
  let schema = schemas.get(family);
  if (!schema) schemas.set(family, (schema = writeSchema(family)));
  const result = validate(schema, sent);
  if (!result.ok) return result;
  if (!family.rules || family.rules.length === 0) return { ok: true, values: result.value };
  const resolvable: Record<string, unknown> = { ...result.value };
  for (const { nameField, field } of family.references) {
    if (nameField && resolvable[nameField] !== undefined) resolvable[field] ??= resolvable[nameField];
  }
  const problems = family.rules.flatMap((rule) => rule(resolvable));
  return problems.length === 0 ? { ok: true, values: result.value } : { ok: false, problems };
}
