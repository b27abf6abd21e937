import type { TypeRef } from '../../model/type-refs.ts';
import type { PhpTypes } from './names.ts';
import { literal } from './text.ts';

const scalars = {
  string: { native: 'string', codec: 'Codec::string()' },
  number: { native: 'float', codec: 'Codec::number()' },
  boolean: { native: 'bool', codec: 'Codec::boolean()' },
  integer: { native: 'int', codec: 'Codec::integer()' },
  date: { native: '\\DateTimeInterface', codec: 'Codec::date()' },
  dateTime: { native: '\\DateTimeInterface', codec: 'Codec::dateTime()' },
  bytes: { native: 'string', codec: 'Codec::base64()' },
  binary: { native: 'string', codec: 'Codec::base64()' },
  any: { native: 'mixed', codec: 'Codec::any()' },
} as const;

/** What the values of an enum are. */
export const enumBases: Readonly<
  Record<'string' | 'integer' | 'number', { readonly native: string; readonly codec: string }>
> = scalars;

/** Types of one union that PHP is told. Each field would repeat more, and who reads them learns nothing: `mixed` says so. */
const unionPartsMax = 32;

/** Types of a description in PHP, as a file sees them. */
export class TypeWriter {
  readonly #types: PhpTypes;
  /** What unions take, by their IDs: many fields may lead to one with thousands of variants. */
  readonly #unionParts = new Map<string, readonly string[]>();
  /** What stands in front of the class of a model. */
  readonly #prefix: string;

  constructor(types: PhpTypes, prefix = '') {
    this.#types = types;
    this.#prefix = prefix;
  }

  /** The types that PHP itself checks, each once. */
  parts(type: TypeRef): readonly string[] {
    const parts = this.#parts(type, new Set());
    if (parts.includes('mixed')) return ['mixed'];
    // Null is written last.
    return [...new Set(parts.filter((part) => part !== 'null')), ...(parts.includes('null') ? ['null'] : [])];
  }

  native(type: TypeRef, more: readonly string[] = []): string {
    const parts = this.parts(type);
    if (parts[0] === 'mixed') return 'mixed';
    const all = [...new Set([...parts.filter((part) => part !== 'null'), ...more.filter((part) => part !== 'null')])];
    const isNullable = parts.includes('null') || more.includes('null');
    if (!isNullable) return all.join('|');
    return all.length === 1 ? `?${all[0]}` : `${all.join('|')}|null`;
  }

  /** The type as documentation tools read it. */
  documented(type: TypeRef): string {
    switch (type.kind) {
      case 'list':
        return `list<${this.documented(type.items)}>`;
      case 'map':
        return `array<string, ${this.documented(type.values)}>`;
      case 'nullable':
        return `${this.documented(type.type)}|null`;
      case 'named':
        return this.#documentedName(type.id);
      default:
        return scalars[type.kind].native;
    }
  }

  /** Whether the documented type says more than the native one. */
  saysMore(type: TypeRef): boolean {
    return this.parts(type).includes('array');
  }

  codec(type: TypeRef): string {
    switch (type.kind) {
      case 'list':
        return `Codec::listOf(${this.codec(type.items)})`;
      case 'map':
        return `Codec::mapOf(${this.codec(type.values)})`;
      case 'nullable':
        return `Codec::nullable(${this.codec(type.type)})`;
      case 'named':
        return this.#namedCodec(type.id);
      default:
        return scalars[type.kind].codec;
    }
  }

  className(id: string): string {
    return `${this.#prefix}${this.#types.get(id)?.name ?? ''}`;
  }

  #parts(type: TypeRef, seen: Set<string>): readonly string[] {
    if (type.kind === 'list' || type.kind === 'map') return ['array'];
    if (type.kind === 'nullable') return [...this.#parts(type.type, seen), 'null'];
    if (type.kind !== 'named') return [scalars[type.kind].native];
    const named = this.#types.get(type.id)?.type;
    if (named?.kind === 'object') return [this.className(type.id)];
    if (named?.kind === 'enum') {
      const base = enumBases[named.base].native;
      return named.base === 'number' || named.values.length === 0 ? [base] : [this.className(type.id), base];
    }
    if (named === undefined || seen.has(type.id)) return [];
    const known = this.#unionParts.get(type.id);
    if (known) return known;
    const isOutermost = seen.size === 0;
    seen.add(type.id);
    const parts = [...new Set(named.variants.flatMap((variant) => this.#parts(variant.type, seen)))];
    const told = parts.length > unionPartsMax ? ['mixed'] : parts;
    // What is in a union that is in itself is not all of it.
    if (isOutermost) this.#unionParts.set(type.id, told);
    return told;
  }

  #documentedName(id: string): string {
    const named = this.#types.get(id)?.type;
    if (named?.kind !== 'union') return this.native({ kind: 'named', id });
    return this.parts({ kind: 'named', id })
      .map((part) => (part === 'array' ? 'array<mixed>' : part))
      .join('|');
  }

  #namedCodec(id: string): string {
    const named = this.#types.get(id)?.type;
    const name = this.className(id);
    if (named?.kind === 'object') return `Codec::object(${name}::class)`;
    if (named?.kind === 'union') return `${name}::codec()`;
    if (named?.kind !== 'enum') return scalars.any.codec;
    const base = enumBases[named.base].codec;
    return named.base === 'number' || named.values.length === 0 ? base : `Codec::enum(${name}::class, ${base})`;
  }
}

/** A number as PHP writes it. */
export function numberLiteral(value: number, isFloat: boolean): string {
  const text = String(value);
  return isFloat && /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** A value of an enum. */
export function valueLiteral(value: string | number, base: 'string' | 'integer' | 'number'): string {
  return typeof value === 'string' ? literal(value) : numberLiteral(value, base === 'number');
}
