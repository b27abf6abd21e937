import { fieldOf, isObject, pointerTo, textField } from '@portcullis/openapi';
import type { JsonObject, Referred } from '@portcullis/openapi';
import type { SdkProperty } from '../../model/named-types.ts';
import { joinedWords } from '../../names/joined-words.ts';
import { UniqueWords } from '../../names/unique-words.ts';
import { wordsOf, type Words } from '../../names/words.ts';
import { sdkLimits } from '../limits.ts';
import { describedBy, isMarked } from './descriptions.ts';
import { isMeaningful } from './schema-view.ts';
import type { SchemaSource } from './schema-source.ts';

/** A property of an object that is put together of parts. */
export interface MergedProperty {
  readonly wireName: string;
  readonly schema: unknown;
  readonly pointer: string;
  readonly isRequired: boolean;
}

/** The properties of all parts, each once. A later part says it more closely, unless it says nothing of the type. */
export function mergedProperties(source: SchemaSource, parts: readonly Referred[]): readonly MergedProperty[] {
  const merged = new Map<string, { readonly schema: unknown; readonly pointer: string }>();
  const required = new Set<string>();
  for (const { value, pointer } of parts) {
    const properties = fieldOf(value, 'properties');
    const at = pointerTo(pointer, 'properties');
    for (const [wireName, schema] of isObject(properties) ? Object.entries(properties) : []) {
      if (merged.has(wireName) && !isMeaningful(schema)) continue;
      merged.set(wireName, { schema, pointer: pointerTo(at, wireName) });
    }
    for (const name of requiredOf(value)) {
      required.add(name);
      if (!merged.has(name)) merged.set(name, { schema: true, pointer: pointerTo(pointer, 'required') });
    }
  }
  return [...merged].flatMap(([wireName, { schema, pointer }]) => {
    // `false`: there must be none.
    if (schema === false || !isUsableName(source, wireName, pointer)) return [];
    return [{ wireName, schema, pointer, isRequired: required.has(wireName) }];
  });
}

/** The schema of the fields beside the known ones: nothing where none is asked for, `true` where they may be anything. */
export function additionalOf(
  parts: readonly Referred[],
): { readonly schema: unknown; readonly pointer: string } | undefined {
  for (const { value, pointer } of parts.toReversed()) {
    for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
      const schema = fieldOf(value, keyword);
      if (schema !== undefined && schema !== false) return { schema, pointer: pointerTo(pointer, keyword) };
    }
    const patterns = fieldOf(value, 'patternProperties');
    const [first, ...others] = isObject(patterns) ? Object.entries(patterns) : [];
    if (first === undefined) continue;
    const at = pointerTo(pointer, 'patternProperties');
    return { schema: others.length === 0 ? first[1] : true, pointer: pointerTo(at, first[0]) };
  }
  return undefined;
}

/** The fields of an object. @param typeOf type of a property, by the words it gets a name of */
export function sdkProperties(
  source: SchemaSource,
  merged: readonly MergedProperty[],
  owner: Words,
  read: (property: MergedProperty, words: Words) => Pick<SdkProperty, 'type' | 'part'>,
): readonly SdkProperty[] {
  const unique = new UniqueWords();
  return merged.map((property) => {
    const { wireName, schema, pointer, isRequired } = property;
    const words = unique.take(wordsOf(wireName));
    const own = isObject(schema) ? schema : undefined;
    const referred = own && source.refer(own, pointer)?.value;
    const isReadOnly = isMarked('readOnly', own, referred);
    return {
      wireName,
      words,
      ...read(property, joinedWords(owner, words)),
      isRequired,
      description: describedBy(own, referred),
      isDeprecated: isMarked('deprecated', own, referred),
      isReadOnly,
      isWriteOnly: !isReadOnly && isMarked('writeOnly', own, referred),
    };
  });
}

/** Whether a name can stand in every language's source text and on the wire. */
export function isUsableName(source: SchemaSource, name: string, pointer: string): boolean {
  if (name.length <= sdkLimits.nameLengthMax && name.isWellFormed()) return true;
  const rule = `must have a name of at most ${sdkLimits.nameLengthMax} characters, without half a surrogate pair`;
  source.findings.refuse(pointer, rule);
  return false;
}

/** Description and mark of a type, of the schema that it is named after. */
export function namedAfter(schema: JsonObject): {
  readonly description: string | undefined;
  readonly isDeprecated: boolean;
} {
  return {
    description: textField(schema, 'description')?.trim() || textField(schema, 'title')?.trim() || undefined,
    isDeprecated: isMarked('deprecated', schema),
  };
}

function requiredOf(schema: JsonObject): readonly string[] {
  const required = fieldOf(schema, 'required');
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}
