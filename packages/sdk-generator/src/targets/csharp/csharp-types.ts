import type { TypeRef } from '../../model/type-refs.ts';
import type { CsharpContext } from './csharp-context.ts';

/** Types as one namespace writes them: models have their namespace in front outside of it, so that `Version` is ours. */
export class CsharpTypes {
  readonly #context: CsharpContext;
  readonly #prefix: string;
  readonly #members: ReadonlySet<string>;

  /** @param members of the class that is written: within it, what is called like one of them means the member */
  constructor(context: CsharpContext, subNamespace: 'Api' | 'Models', members: Iterable<string> = []) {
    this.#context = context;
    this.#prefix = subNamespace === 'Models' ? '' : 'Models.';
    this.#members = new Set(members);
  }

  /** How a type is written where there always is a value. */
  typeOf(type: TypeRef): string {
    switch (type.kind) {
      case 'string':
        return 'string';
      case 'number':
        return 'double';
      case 'boolean':
        return 'bool';
      case 'integer':
        return type.bits === 32 ? 'int' : 'long';
      case 'date':
        return 'DateTime';
      case 'dateTime':
        return 'DateTimeOffset';
      case 'bytes':
        return 'byte[]';
      case 'binary':
        return 'FilePart';
      case 'any':
        return 'JToken';
      case 'list':
        return `IReadOnlyList<${this.typeOf(type.items)}>`;
      case 'map':
        return `IReadOnlyDictionary<string, ${this.typeOf(type.values)}>`;
      case 'named':
        return this.#prefix + (this.#context.names.get(type.id)?.type ?? '');
      case 'nullable':
        return this.nullableTypeOf(type.type);
    }
  }

  /** How it is written where there may be none. */
  nullableTypeOf(type: TypeRef): string {
    return isValueType(type) ? `${this.typeOf(type)}?` : this.typeOf(type);
  }

  /** An expression that reads a type: a function of a `JToken`. */
  readerOf(type: TypeRef): string {
    switch (type.kind) {
      case 'list':
        return `Read.ListOf<${this.typeOf(type.items)}>(${this.readerOf(type.items)})`;
      case 'map':
        return `Read.MapOf<${this.typeOf(type.values)}>(${this.readerOf(type.values)})`;
      case 'nullable':
        return `Read.Nullable${isValueType(type.type) ? 'Value' : ''}Of<${this.typeOf(type.type)}>(${this.readerOf(type.type)})`;
      case 'named':
        return `${this.readerClassOf(type.id)}.FromJson`;
      default:
        return `Read.${scalarMethod(type)}`;
    }
  }

  /** The class with `FromJson`, in expressions. */
  readerClassOf(id: string): string {
    const name = this.#context.names.get(id)?.reader ?? '';
    return this.#members.has(name) ? `global::${this.#context.namespaceName}.Models.${name}` : this.#prefix + name;
  }

  /** An expression that writes a value which is there, as a `JToken`. */
  written(type: TypeRef, value: string): string {
    return `${this.#writerOf(type)}(${value})`;
  }

  #writerOf(type: TypeRef): string {
    switch (type.kind) {
      case 'list':
        return `Write.ListOf<${this.typeOf(type.items)}>(${this.#writerOf(type.items)})`;
      case 'map':
        return `Write.MapOf<${this.typeOf(type.values)}>(${this.#writerOf(type.values)})`;
      case 'nullable':
        return `Write.Nullable${isValueType(type.type) ? 'Value' : ''}Of<${this.typeOf(type.type)}>(${this.#writerOf(type.type)})`;
      case 'named':
        return 'Write.Model';
      default:
        return `Write.${scalarMethod(type)}`;
    }
  }
}

/** Whether C# keeps it as a value, so that null needs a type of its own. */
export function isValueType(type: TypeRef): boolean {
  return ['number', 'boolean', 'integer', 'date', 'dateTime'].includes(type.kind);
}

function scalarMethod(type: TypeRef): string {
  switch (type.kind) {
    case 'string':
      return 'String';
    case 'number':
      return 'Number';
    case 'boolean':
      return 'Boolean';
    case 'integer':
      return type.bits === 32 ? 'Int32' : 'Int64';
    case 'date':
      return 'Date';
    case 'dateTime':
      return 'Instant';
    case 'bytes':
      return 'Bytes';
    default:
      return 'Any';
  }
}
