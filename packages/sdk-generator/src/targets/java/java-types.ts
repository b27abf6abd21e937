import type { ParameterStyle } from '../../model/operations.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import type { JavaFile } from './java-file.ts';

/** How a type is written. Everything but what always has a value is boxed, so that null can stand for absence inside of classes. */
export function typeOf(file: JavaFile, type: TypeRef): string {
  switch (type.kind) {
    case 'string':
      return 'String';
    case 'number':
      return 'Double';
    case 'boolean':
      return 'Boolean';
    case 'integer':
      return type.bits === 32 ? 'Integer' : 'Long';
    case 'date':
      return file.use('java.time.LocalDate');
    case 'dateTime':
      return file.use('java.time.OffsetDateTime');
    case 'bytes':
      return 'byte[]';
    case 'binary':
      return file.useOwn('', 'FilePart');
    case 'any':
      return file.use('com.fasterxml.jackson.databind.JsonNode');
    case 'list':
      return `${file.use('java.util.List')}<${typeOf(file, type.items)}>`;
    case 'map':
      return `${file.use('java.util.Map')}<String, ${typeOf(file, type.values)}>`;
    case 'named':
      return file.useModel(type.id);
    case 'nullable':
      return typeOf(file, type.type);
  }
}

const primitives: ReadonlyMap<string, string> = new Map([
  ['Double', 'double'],
  ['Boolean', 'boolean'],
  ['Integer', 'int'],
  ['Long', 'long'],
]);

/** The same, without a box where there is always a value. */
export function requiredTypeOf(file: JavaFile, type: TypeRef): string {
  const boxed = typeOf(file, type);
  return type.kind === 'nullable' ? boxed : (primitives.get(boxed) ?? boxed);
}

/** An expression that reads a type: a `JsonReader.Read`. */
export function readerOf(file: JavaFile, type: TypeRef): string {
  const reader = file.useOwn('internal', 'JsonReader');
  switch (type.kind) {
    case 'list':
      return `${reader}.listOf(${readerOf(file, type.items)})`;
    case 'map':
      return `${reader}.mapOf(${readerOf(file, type.values)})`;
    case 'nullable':
      return `${reader}.nullableOf(${readerOf(file, type.type)})`;
    case 'named':
      return `${file.useModel(type.id)}::fromJson`;
    default:
      return `${reader}::${scalarMethod(type)}`;
  }
}

/** An expression that writes a type: a `JsonWriter.Write`. */
function writerOf(file: JavaFile, type: TypeRef): string {
  const writer = file.useOwn('internal', 'JsonWriter');
  switch (type.kind) {
    case 'list':
      return `${writer}.listOf(${writerOf(file, type.items)})`;
    case 'map':
      return `${writer}.mapOf(${writerOf(file, type.values)})`;
    case 'nullable':
      return writerOf(file, type.type);
    case 'named':
      return `${file.useModel(type.id)}::toJson`;
    default:
      return `${writer}::${scalarMethod(type)}`;
  }
}

/** An expression that writes a value. Where it may be null, null becomes the null of JSON. */
export function written(file: JavaFile, type: TypeRef, value: string, mayBeNull: boolean): string {
  const writer = file.useOwn('internal', 'JsonWriter');
  if (mayBeNull || type.kind === 'list' || type.kind === 'map' || type.kind === 'nullable') {
    return `${writer}.write(${value}, ${writerOf(file, type)})`;
  }
  return type.kind === 'named' ? `${value}.toJson()` : `${writer}.${scalarMethod(type)}(${value})`;
}

function scalarMethod(type: TypeRef): string {
  switch (type.kind) {
    case 'boolean':
      return 'bool';
    case 'integer':
      return type.bits === 32 ? 'int32' : 'int64';
    case 'string':
    case 'number':
    case 'date':
    case 'dateTime':
    case 'bytes':
      return type.kind;
    default:
      return 'any';
  }
}

/** An expression for a value that nobody can change any more; lists and maps are copied in their order. */
export function copied(file: JavaFile, type: TypeRef, value: string): string {
  const inner = type.kind === 'nullable' ? type.type : type;
  if (inner.kind === 'bytes') return `${value}.clone()`;
  if (inner.kind !== 'list' && inner.kind !== 'map') return value;
  const collections = file.use('java.util.Collections');
  return inner.kind === 'list'
    ? `${collections}.unmodifiableList(new ${file.use('java.util.ArrayList')}<>(${value}))`
    : `${collections}.unmodifiableMap(new ${file.use('java.util.LinkedHashMap')}<>(${value}))`;
}

export function isCopied(type: TypeRef): boolean {
  const inner = type.kind === 'nullable' ? type.type : type;
  return inner.kind === 'bytes' || inner.kind === 'list' || inner.kind === 'map';
}

/** A constant of `ParameterStyle`. */
export function styleOf(file: JavaFile, style: ParameterStyle): string {
  const constants = {
    simple: 'SIMPLE',
    form: 'FORM',
    spaceDelimited: 'SPACE_DELIMITED',
    pipeDelimited: 'PIPE_DELIMITED',
    deepObject: 'DEEP_OBJECT',
    json: 'JSON',
  } as const;
  return `${file.useOwn('internal', 'ParameterStyle')}.${constants[style]}`;
}
