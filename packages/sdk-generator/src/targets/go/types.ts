import type { NamedType } from '../../model/named-types.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import type { GoNames } from './names.ts';

const scalars = {
  string: 'string',
  number: 'float64',
  boolean: 'bool',
  date: 'Date',
  dateTime: 'time.Time',
  bytes: '[]byte',
  binary: '[]byte',
  any: 'any',
} as const;

/** Types of a description in Go. */
export class GoTypes {
  readonly names: GoNames;
  readonly byId: ReadonlyMap<string, NamedType>;

  constructor(names: GoNames) {
    this.names = names;
    this.byId = new Map([...names.types].map(([id, { type }]) => [id, type]));
  }

  /** Where it is there. */
  of(type: TypeRef): string {
    switch (type.kind) {
      case 'integer':
        return type.bits === 32 ? 'int32' : 'int64';
      case 'list':
        return `[]${this.of(type.items)}`;
      case 'map':
        return `map[string]${this.of(type.values)}`;
      case 'nullable':
        return this.orNil(type.type);
      case 'named':
        return this.names.types.get(type.id)?.name ?? '';
      default:
        return scalars[type.kind];
    }
  }

  /** Where nil means that it is not there. */
  orNil(type: TypeRef): string {
    return this.isNilable(type) ? this.of(type) : `*${this.of(type)}`;
  }

  /** Whether a value of it may be nil by itself. */
  isNilable(type: TypeRef): boolean {
    return ['list', 'map', 'any', 'bytes', 'binary', 'nullable'].includes(type.kind);
  }

  /** Whether a struct of the type would hold one of the owner in itself, which no size is enough for. */
  holds(type: TypeRef, owner: string, seen: Set<string> = new Set()): boolean {
    if (type.kind !== 'named' || seen.has(type.id)) return false;
    if (type.id === owner) return true;
    seen.add(type.id);
    const named = this.names.types.get(type.id)?.type;
    return (
      named?.kind === 'object' &&
      named.properties.some((property) => property.isRequired && this.holds(property.type, owner, seen))
    );
  }
}
