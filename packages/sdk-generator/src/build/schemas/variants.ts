import { fieldOf, isObject, pointerTo, textField } from '@portcullis/openapi';
import type { JsonObject, Referred } from '@portcullis/openapi';
import { wordsOf, type Words } from '../../names/words.ts';
import { sdkLimits } from '../limits.ts';
import type { Choice } from './composition.ts';
import { discriminatorOf, type Discriminator } from './discriminators.ts';
import type { SchemaSource } from './schema-source.ts';
import { hasShape, isMeaningful, isNullOnly, schemasOf, takesNull } from './schema-view.ts';

/** One schema of a choice, choices inside of it taken apart. */
export interface Leaf {
  /** As it is written: it may be a reference. */
  readonly schema: unknown;
  readonly pointer: string;
  /** Where it ends, for discriminators. Empty where it comes out of another choice. */
  readonly places: readonly string[];
  /** What it is called where it has no name of its own. */
  readonly words: Words;
  /** The object of a schema whose discriminator leads to others: itself, without those. */
  readonly isBase: boolean;
}

export interface Leaves {
  readonly leaves: readonly Leaf[];
  readonly takesNull: boolean;
}

/** Words of a title in the name of a variant. */
const titleWordsMax = 3;

/** The schemas of a choice. */
export function leavesOf(source: SchemaSource, choice: Choice): Leaves {
  const leaves: Leaf[] = [];
  const seen = new Set<string>();
  let hasNull = false;
  const add = (schema: unknown, pointer: string, number: number, level: number, isNested: boolean): void => {
    if (isNullOnly(schema)) {
      hasNull = true;
      return;
    }
    if (!source.step()) return;
    const referred = isObject(schema) ? source.refer(schema, pointer) : undefined;
    if (isObject(schema) && referred === undefined) return;
    if (referred) {
      if (seen.has(referred.pointer)) return;
      seen.add(referred.pointer);
    }
    const inner = referred && innerLeaves(source, referred);
    if (inner !== undefined && level >= sdkLimits.depthMax) {
      source.findings.refuse(pointer, `must not nest more than ${sdkLimits.depthMax} choices`);
      return;
    }
    if (inner === undefined) {
      leaves.push({
        schema,
        pointer,
        places: referred && !isNested ? [referred.pointer] : [],
        words: variantWords(schema, number),
        isBase: false,
      });
      return;
    }
    hasNull ||= takesNull(referred?.value ?? {});
    if (referred && inner.base) {
      leaves.push({
        schema: referred.value,
        pointer: referred.pointer,
        places: [referred.pointer],
        words: ['base'],
        isBase: true,
      });
    }
    for (const [index, one] of inner.members.entries()) add(one.schema, one.pointer, index + 1, level + 1, !inner.base);
  };
  for (const [index, { schema, pointer }] of choice.members.entries()) add(schema, pointer, index + 1, 0, false);
  return { leaves, takesNull: hasNull };
}

/** The members of a schema that is nothing but a choice, or a base whose discriminator leads to others. */
function innerLeaves(source: SchemaSource, place: Referred): { members: Choice['members']; base: boolean } | undefined {
  const based = subtypesOf(source, place);
  if (based) return { members: based.members, base: true };
  const { value, pointer } = place;
  const keywords = ['oneOf', 'anyOf'].filter((keyword) => schemasOf(value, keyword).some(isMeaningful));
  const [keyword] = keywords;
  if (keyword === undefined || keywords.length > 1 || schemasOf(value, 'allOf').length > 0 || hasBase(value))
    return undefined;
  const at = pointerTo(pointer, keyword);
  const members = schemasOf(value, keyword).map((schema, index) => ({ schema, pointer: pointerTo(at, index) }));
  return { members, base: false };
}

/** Whether a schema with a choice has something of its own beside it that all variants get. */
export function hasBase(schema: JsonObject): boolean {
  if (!hasShape(schema)) return false;
  return ['properties', 'additionalProperties', 'patternProperties', 'required', 'items', 'enum', 'const'].some(
    (keyword) => fieldOf(schema, keyword) !== undefined && fieldOf(schema, keyword) !== false,
  );
}

/** A base schema (properties and a discriminator, but no choice) with the schemas that extend it. */
export interface Subtypes {
  readonly members: Choice['members'];
  readonly discriminator: Discriminator;
}

export function subtypesOf(source: SchemaSource, { value, pointer }: Referred): Subtypes | undefined {
  const given = fieldOf(value, 'discriminator');
  if (!isObject(given) || schemasOf(value, 'oneOf').length > 0 || schemasOf(value, 'anyOf').length > 0)
    return undefined;
  const discriminator = discriminatorOf(source, { value: given, pointer: pointerTo(pointer, 'discriminator') });
  if (discriminator === undefined) return undefined;
  const places = new Set([...discriminator.tagsByPlace.keys(), ...source.childrenOf(pointer)]);
  places.delete(pointer);
  const members = [...places].flatMap((place) => {
    const referred = source.refer({ $ref: `#${encodeURI(place)}` }, pointer);
    return referred ? [{ schema: referred.value, pointer: referred.pointer }] : [];
  });
  return members.length === 0 ? undefined : { members, discriminator };
}

function variantWords(schema: unknown, number: number): Words {
  const title = isObject(schema) ? textField(schema, 'title') : undefined;
  return title === undefined || title.trim() === ''
    ? ['option', String(number)]
    : wordsOf(title).slice(0, titleWordsMax);
}
