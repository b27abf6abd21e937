import type { TypeRef } from '../../model/type-refs.ts';
import type { Imports } from './imports.ts';
import type { PythonTypes } from './names.ts';

const scalars = {
  string: { annotation: 'str', codec: 'STRING' },
  number: { annotation: 'float', codec: 'NUMBER' },
  boolean: { annotation: 'bool', codec: 'BOOLEAN' },
  integer: { annotation: 'int', codec: 'INTEGER' },
  bytes: { annotation: 'bytes', codec: 'BASE64' },
  binary: { annotation: 'bytes', codec: 'BASE64' },
} as const;

/** Types of a description in one module: what they are in Python, and what reads and writes them. */
export class TypeWriter {
  readonly #types: PythonTypes;
  readonly #imports: Imports;
  /** Where the classes are: nothing in the module that defines them. */
  readonly #modelsModule: string | undefined;

  constructor(types: PythonTypes, imports: Imports, modelsModule?: string) {
    this.#types = types;
    this.#imports = imports;
    this.#modelsModule = modelsModule;
  }

  annotation(type: TypeRef): string {
    switch (type.kind) {
      case 'any':
        return this.#typing('Any');
      case 'date':
      case 'dateTime':
        this.#imports.module('datetime');
        return type.kind === 'date' ? 'datetime.date' : 'datetime.datetime';
      case 'list':
        return `${this.#typing('List')}[${this.annotation(type.items)}]`;
      case 'map':
        return `${this.#typing('Dict')}[str, ${this.annotation(type.values)}]`;
      case 'nullable':
        return this.optional(this.annotation(type.type));
      case 'named':
        return this.#named(type.id);
      default:
        return scalars[type.kind].annotation;
    }
  }

  optional(annotation: string): string {
    return annotation === 'Any' || annotation.startsWith('Optional[')
      ? annotation
      : `${this.#typing('Optional')}[${annotation}]`;
  }

  codec(type: TypeRef): string {
    switch (type.kind) {
      case 'any':
        return this.#codec('ANY');
      case 'date':
        return this.#codec('DATE');
      case 'dateTime':
        return this.#codec('DATE_TIME');
      case 'list':
        return `${this.#codec('list_of')}(${this.codec(type.items)})`;
      case 'map':
        return `${this.#codec('map_of')}(${this.codec(type.values)})`;
      case 'nullable':
        return `${this.#codec('nullable')}(${this.codec(type.type)})`;
      case 'named':
        return this.#namedCodec(type.id);
      default:
        return this.#codec(scalars[type.kind].codec);
    }
  }

  /** Of a list that is only sent. */
  sequenceCodec(items: TypeRef): string {
    return `${this.#codec('sequence_of')}(${this.codec(items)})`;
  }

  /** The class or alias itself, without the values that an enum does not know. */
  name(id: string): string {
    const name = this.#types.get(id)?.name ?? '';
    if (this.#modelsModule !== undefined) this.#imports.from(this.#modelsModule, name);
    return name;
  }

  #named(id: string): string {
    const type = this.#types.get(id)?.type;
    if (type?.kind !== 'enum') return this.name(id);
    return `${this.#typing('Union')}[${this.name(id)}, ${enumBases[type.base].annotation}]`;
  }

  #namedCodec(id: string): string {
    const found = this.#types.get(id);
    if (found?.type.kind === 'enum') {
      return `${this.#codec('enum_of')}(${this.name(id)}, ${this.#codec(enumBases[found.type.base].codec)})`;
    }
    if (found?.type.kind === 'object') return `${this.#codec('object_of')}(${this.name(id)})`;
    if (this.#modelsModule !== undefined) this.#imports.from(this.#modelsModule, found?.codec ?? '');
    return found?.codec ?? '';
  }

  #typing(name: string): string {
    return this.#imports.from('typing', name);
  }

  #codec(name: string): string {
    return this.#imports.from('._codec', name);
  }
}

/** What the values of an enum are. */
export const enumBases: Readonly<
  Record<'string' | 'integer' | 'number', { readonly annotation: string; readonly codec: string }>
> = scalars;
