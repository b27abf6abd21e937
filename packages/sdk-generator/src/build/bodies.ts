import { fieldOf, isObject, pointerTo, textField } from '@portcullis/openapi';
import type { Operation, Referred } from '@portcullis/openapi';
import type { SdkBody } from '../model/operations.ts';
import { joinedWords } from '../names/joined-words.ts';
import type { Words } from '../names/words.ts';
import { isJsonMedia, isTextMedia, parseMediaType, type MediaType } from './media-types.ts';
import { formTypeOf } from './schemas/form-types.ts';
import { isBinary } from './schemas/schema-view.ts';
import type { SchemaSource } from './schemas/schema-source.ts';
import type { TypeBuilder } from './schemas/type-builder.ts';

/** A media type of a body or an answer, with its object. */
export interface Content {
  readonly type: MediaType;
  readonly media: Referred;
}

/** Methods whose bodies mean nothing, and which HTTP clients do not send. Source: RFC 9110, 9.3. */
const bodilessMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** What an operation sends. */
export function bodyOf(builder: TypeBuilder, operation: Operation, words: Words): SdkBody | undefined {
  const { source } = builder;
  const { findings } = source;
  const body = source.field({ value: operation.definition, pointer: operation.pointer }, 'requestBody');
  if (body === undefined) return undefined;
  const contents = contentsOf(source, body);
  const isRequired = fieldOf(body.value, 'required') === true;
  if (bodilessMethods.has(operation.method)) {
    if (isRequired) findings.refuse(body.pointer, `must not be required: ${operation.method} has no body`);
    else findings.warn(body.pointer, `is left out: ${operation.method} has no body`);
    return undefined;
  }
  if (contents.length === 0) return undefined;
  const description = textField(body.value, 'description')?.trim() || undefined;
  const name = joinedWords(words, ['body']);
  const readers = [jsonBody, multipartBody, formBody, textBody, binaryBody];
  for (const read of readers) {
    for (const content of contents) {
      const found = read(builder, content, name, words);
      if (found) return { ...found, isRequired, description };
    }
  }
  findings.refuse(
    pointerTo(body.pointer, 'content'),
    'has no media type that a client can send: of multipart types that is multipart/form-data, with known fields',
  );
  return undefined;
}

/** The media types of a body or an answer that can stand in a header. */
export function contentsOf(source: SchemaSource, holder: Referred): readonly Content[] {
  const content = fieldOf(holder.value, 'content');
  if (!isObject(content)) return [];
  const at = pointerTo(holder.pointer, 'content');
  return source.entries({ value: content, pointer: at }).flatMap(([name, media]) => {
    const type = parseMediaType(name);
    if (type === undefined) source.findings.warn(pointerTo(at, name), 'is no media type, and is left out');
    return type === undefined ? [] : [{ type, media }];
  });
}

type Read = Pick<SdkBody, 'kind' | 'mediaType' | 'type'> | undefined;

function jsonBody(builder: TypeBuilder, { type, media }: Content, words: Words): Read {
  if (!isJsonContent(builder.source, { type, media })) return undefined;
  const mediaType = type.isRange ? 'application/json' : type.text;
  return {
    kind: 'json',
    mediaType,
    type: builder.typeOf(fieldOf(media.value, 'schema'), pointerTo(media.pointer, 'schema'), words),
  };
}

function multipartBody(builder: TypeBuilder, { type, media }: Content, _: Words, operation: Words): Read {
  if (type.name !== 'multipart/form-data') return undefined;
  const form = formTypeOf(builder, 'multipart', media, operation);
  return form && { kind: 'multipart', mediaType: 'multipart/form-data', type: form };
}

function formBody(builder: TypeBuilder, { type, media }: Content, _: Words, operation: Words): Read {
  if (type.name !== 'application/x-www-form-urlencoded') return undefined;
  const form = formTypeOf(builder, 'form', media, operation);
  if (form) return { kind: 'form', mediaType: type.name, type: form };
  builder.source.findings.warn(media.pointer, 'is a form without known fields: it is sent as the text that is given');
  return { kind: 'text', mediaType: type.name, type: { kind: 'string' } };
}

function textBody(_: TypeBuilder, { type }: Content): Read {
  if (!isTextMedia(type.name)) return undefined;
  return { kind: 'text', mediaType: type.isRange ? 'text/plain' : type.text, type: { kind: 'string' } };
}

function binaryBody(_: TypeBuilder, { type }: Content): Read {
  if (type.name.startsWith('multipart/')) return undefined;
  return { kind: 'binary', mediaType: type.isRange ? 'application/octet-stream' : type.text, type: { kind: 'binary' } };
}

/** JSON by its name; any type (`*` / `*`) is taken for JSON, too, where its schema is not raw bytes. */
export function isJsonContent(source: SchemaSource, { type, media }: Content): boolean {
  if (!type.isRange) return isJsonMedia(type.name);
  if (type.name !== '*/*' && type.name !== 'application/*') return false;
  const schema = source.field(media, 'schema');
  return schema !== undefined && !isBinary(schema);
}
