import type { Family, FamilyReference } from '@portcullis/resources';
import { metadataOf } from '@portcullis/resources';
import type { FieldProblem } from '../http/problem.ts';
import type { ReferenceValue } from '../store/resource-store.ts';
import { toPointer } from './json-pointer.ts';
import { resolveMany } from './reference-lists.ts';
import { findById, findByName, missing } from './reference-targets.ts';
import type { ReferenceContext } from './reference-targets.ts';
import { without } from './values.ts';
import type { Values } from './values.ts';

/** Values whose references are IDs of records that exist, or what is wrong. */
export type ResolvedReferences =
  | { readonly ok: true; readonly values: Values; readonly references: readonly ReferenceValue[] }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/**
 * Turns by-name references into IDs and checks that every target is there. A record of another tenant or gateway is
 * answered exactly like one that does not exist. Source: wire contract, Configuration operations.
 */
export async function resolveReferences(
  context: ReferenceContext,
  family: Family,
  values: Values,
): Promise<ResolvedReferences> {
  const problems: FieldProblem[] = [];
  const references: ReferenceValue[] = [];
  const resolved: Record<string, unknown> = { ...values };
  for (const reference of family.references) {
    if (reference.many) {
      const outcome = await resolveMany(context, reference, values[reference.field]);
      if (!outcome.ok) problems.push(...outcome.problems);
      else if (outcome.ids) {
        resolved[reference.field] = outcome.ids;
        const { field, family: targetFamily } = reference;
        references.push(...outcome.ids.map((targetId) => ({ field, targetFamily, targetId })));
      }
      continue;
    }
    const outcome = await resolveOne(context, family, reference, values);
    if ('pointer' in outcome) problems.push(outcome);
    if ('id' in outcome && outcome.id !== undefined) {
      resolved[reference.field] = outcome.id;
      references.push({ field: reference.field, targetFamily: reference.family, targetId: outcome.id });
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  const twins = family.references.flatMap(({ nameField }) => nameField ?? []);
  return { ok: true, values: without(resolved, ...twins), references };
}

async function resolveOne(
  context: ReferenceContext,
  family: Family,
  reference: FamilyReference,
  values: Values,
): Promise<{ readonly id: string | undefined } | FieldProblem> {
  const id = textOf(values[reference.field]);
  const name = reference.nameField ? textOf(values[reference.nameField]) : undefined;
  if (id === undefined && name === undefined) {
    const schema = family.fields[reference.field];
    const isRequired = schema !== undefined && schema.type !== 'optional';
    if (isRequired) return { pointer: toPointer([reference.field]), code: 'required', message: 'is required' };
    return { id: undefined };
  }
  const byId = id === undefined ? undefined : await findById(context, reference, id);
  if (id !== undefined && !byId) return missing(reference, toPointer([reference.field]));
  if (name === undefined) return { id };
  const byName = await findByName(context, reference, name);
  if (!byName) return missing(reference, toPointer([reference.nameField ?? reference.field]));
  if (byId && byId.id !== byName.id) {
    return {
      pointer: toPointer([reference.nameField ?? '']),
      code: 'contradiction',
      message: `names another record than ${reference.field}`,
    };
  }
  return { id: byName.id };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Fields that cannot change and did. */
export function changedImmutables(family: Family, before: Values, after: Values): FieldProblem[] {
  return Object.entries(family.fields)
    .filter(([name, schema]) => metadataOf(schema).immutable === true && before[name] !== after[name])
    .map(([name]) => ({ pointer: toPointer([name]), code: 'immutable', message: 'cannot be changed after creation' }));
}
