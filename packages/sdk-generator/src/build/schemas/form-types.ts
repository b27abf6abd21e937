import { fieldOf, isObject, textField } from '@portcullis/openapi';
import type { JsonObject, Referred } from '@portcullis/openapi';
import type { FormPart, NamedType, SdkProperty } from '../../model/named-types.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { joinedWords } from '../../names/joined-words.ts';
import type { Words } from '../../names/words.ts';
import { isJsonMedia, parseMediaType } from '../media-types.ts';
import { compositionOf } from './composition.ts';
import { mergedProperties, namedAfter, sdkProperties, type MergedProperty } from './object-members.ts';
import { isScalar, withoutNull } from './scalar-types.ts';
import { isBinary, typesOf } from './schema-view.ts';
import type { TypeBuilder } from './type-builder.ts';

export type FormKind = 'multipart' | 'form';

/**
 * The type of a form's fields. It is a type of its own even where the same schema is JSON elsewhere: fields of a form may be files, and are
 * written otherwise.
 * @param media the media type object, whose `encoding` says how fields stand in it
 * @returns nothing where the schema knows no fields
 */
export function formTypeOf(builder: TypeBuilder, kind: FormKind, media: Referred, words: Words): TypeRef | undefined {
  const { source, types } = builder;
  const schema = source.field(media, 'schema');
  if (schema === undefined) return undefined;
  const { parts, choices } = compositionOf(source, schema);
  const chosen = choices.flatMap(({ members }) =>
    members.flatMap(({ schema: member, pointer }) =>
      isObject(member) ? compositionOf(source, { value: member, pointer }).parts.map(withoutRequired) : [],
    ),
  );
  if (choices.length > 0)
    source.findings.warn(schema.pointer, 'is a form with a choice: the fields of all are there, and none is required');
  const merged = mergedProperties(source, [...chosen, ...parts]);
  if (merged.length === 0) return undefined;
  const encoding = fieldOf(media.value, 'encoding');
  const id = isObject(encoding) ? `${media.pointer}|${kind}` : `${schema.pointer}|${kind}`;
  const name = types.wordsAt(schema.pointer) ?? words;
  return types.declare(id, name.at(-1) === 'form' ? [...name] : joinedWords(name, ['form']), (unique): NamedType => ({
    kind: 'object',
    id,
    words: unique,
    ...namedAfter(schema.value),
    properties: sdkProperties(source, types.count(merged.length) ? merged : [], unique, (property, inner) => {
      const given = isObject(encoding) ? fieldOf(encoding, property.wireName) : undefined;
      return fieldType(builder, kind, property, isObject(given) ? given : {}, inner);
    }),
    additional: undefined,
    isForm: true,
  }));
}

function withoutRequired({ value, pointer }: Referred): Referred {
  const { required: _, ...rest } = value;
  return { value: rest, pointer };
}

/** The type of a form's field, and how it stands there. Null is no value of a field: it is left out instead. */
function fieldType(
  builder: TypeBuilder,
  kind: FormKind,
  { schema, pointer }: MergedProperty,
  encoding: JsonObject,
  words: Words,
): Pick<SdkProperty, 'type' | 'part'> {
  const { source } = builder;
  const contentType = contentTypeOf(encoding);
  const place = isObject(schema) ? source.refer(schema, pointer) : undefined;
  const items = place && typesOf(place.value).includes('array') ? source.field(place, 'items') : undefined;
  const looksRaw = (one: Referred | undefined): boolean => one !== undefined && isBinary(one);
  if (kind === 'multipart' && (looksRaw(place) || looksRaw(items))) {
    const file: TypeRef = { kind: 'binary' };
    const part: FormPart = {
      kind: 'file',
      style: 'form',
      contentType: contentType ?? mediaTypeOf(place),
      isExploded: true,
    };
    return { type: looksRaw(place) ? file : { kind: 'list', items: file }, part };
  }
  const type = withoutNull(builder.typeOf(schema, pointer, words));
  const inner = type.kind === 'list' ? withoutNull(type.items) : type;
  const isText = isScalar(inner) || isEnum(builder, inner);
  const style = kind === 'form' ? styleOf(encoding) : 'form';
  const isJson = contentType === undefined ? !isText && style !== 'deepObject' : isJsonMedia(contentType);
  if (isJson)
    return {
      type,
      part: { kind: 'json', style: 'form', contentType: contentType ?? 'application/json', isExploded: true },
    };
  const explode = fieldOf(encoding, 'explode');
  const isExploded =
    kind === 'multipart' || (typeof explode === 'boolean' ? explode : style === 'form' || style === 'deepObject');
  if (style === 'deepObject' && isText) {
    source.findings.warn(pointer, 'has the style deepObject and is no object: its items repeat its name');
    return { type, part: { kind: 'text', style: 'form', contentType: undefined, isExploded: true } };
  }
  return {
    type,
    part: { kind: 'text', style, contentType: kind === 'multipart' ? contentType : undefined, isExploded },
  };
}

function isEnum(builder: TypeBuilder, type: TypeRef): boolean {
  return type.kind === 'named' && builder.types.get(type.id)?.kind === 'enum';
}

/** The one content type of a field. Of several, the caller's data decide, which nothing is known of. */
function contentTypeOf(encoding: JsonObject): string | undefined {
  const given = textField(encoding, 'contentType');
  const parsed = given === undefined || given.includes(',') ? undefined : parseMediaType(given);
  return parsed === undefined || parsed.isRange ? undefined : parsed.text;
}

function mediaTypeOf(place: Referred | undefined): string | undefined {
  const given = place && textField(place.value, 'contentMediaType');
  const parsed = given === undefined ? undefined : parseMediaType(given);
  return parsed === undefined || parsed.isRange ? undefined : parsed.text;
}

function styleOf(encoding: JsonObject): FormPart['style'] {
  const styles = ['spaceDelimited', 'pipeDelimited', 'deepObject'] as const;
  return styles.find((style) => style === fieldOf(encoding, 'style')) ?? 'form';
}
