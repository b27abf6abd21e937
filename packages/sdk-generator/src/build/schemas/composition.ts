import { fieldOf, isObject, pointerTo } from '@portcullis/openapi';
import type { JsonObject, Referred } from '@portcullis/openapi';
import { sdkLimits } from '../limits.ts';
import type { SchemaSource } from './schema-source.ts';
import { hasShape, isConstraint, schemasOf, takesNull } from './schema-view.ts';

/** One `oneOf` or `anyOf`. */
export interface Choice {
  readonly pointer: string;
  readonly members: readonly { readonly schema: unknown; readonly pointer: string }[];
  readonly discriminator: Referred | undefined;
}

/** A schema with all that `allOf` and references put into it. */
export interface Composition {
  /** The schemas that say something of the value themselves; later ones say it more closely. */
  readonly parts: readonly Referred[];
  readonly choices: readonly Choice[];
  readonly takesNull: boolean;
}

/** Looks through `allOf` and references, each place once: a schema that is in itself adds nothing. */
export function compositionOf(source: SchemaSource, root: Referred): Composition {
  const parts: Referred[] = [];
  const choices: Choice[] = [];
  const seen = new Set<string>();
  const walk = (schema: unknown, pointer: string, level: number): void => {
    if (!isObject(schema) || seen.has(pointer) || !source.step()) return;
    seen.add(pointer);
    if (level > sdkLimits.depthMax) {
      source.findings.refuse(pointer, `must not nest more than ${sdkLimits.depthMax} allOf`);
      return;
    }
    if (fieldOf(schema, '$ref') !== undefined) {
      const referred = source.refer(schema, pointer);
      if (referred) walk(referred.value, referred.pointer, level + 1);
      if (source.is30) return;
    }
    for (const [index, member] of schemasOf(schema, 'allOf').entries()) {
      walk(member, pointerTo(pointerTo(pointer, 'allOf'), index), level + 1);
    }
    for (const keyword of ['oneOf', 'anyOf']) {
      const choice = choiceOf(schema, pointer, keyword);
      if (choice) choices.push(choice);
    }
    if (hasShape(schema)) parts.push({ value: schema, pointer });
  };
  walk(root.value, root.pointer, 0);
  const takes = takesNull(root.value) || (parts.length > 0 && parts.every(({ value }) => takesNull(value)));
  return { parts, choices, takesNull: takes };
}

function choiceOf(schema: JsonObject, pointer: string, keyword: string): Choice | undefined {
  const members = schemasOf(schema, keyword);
  const at = pointerTo(pointer, keyword);
  // Beside properties, a choice between lists of required names tells nothing of types.
  if (members.length === 0 || (hasShape(schema) && members.every(isConstraint))) return undefined;
  const discriminator = fieldOf(schema, 'discriminator');
  return {
    pointer: at,
    members: members.map((member, index) => ({ schema: member, pointer: pointerTo(at, index) })),
    discriminator: isObject(discriminator)
      ? { value: discriminator, pointer: pointerTo(pointer, 'discriminator') }
      : undefined,
  };
}
