import { scalarCodecs } from './scalar-codecs.ts';

const compoundCodecs = String.raw`/** A type that may lead back to itself. */
export function lazy<T>(codec: () => Codec<T>): Codec<T> {
  return {
    read: (json, at) => codec().read(json, at),
    write: (value, at) => codec().write(value, at),
    fits: (value) => codec().fits(value),
    knows: (value, side) => codec().knows?.(value, side) ?? 0,
  };
}

export function nullable<T>(codec: Codec<T>): Codec<T | null> {
  return {
    read: (json, at) => (json === null ? null : codec.read(json, at)),
    write: (value, at) => (value === null ? null : codec.write(value, at)),
    fits: (value) => value === null || codec.fits(value),
  };
}

export function list<T>(items: Codec<T>): Codec<readonly T[]> {
  return {
    read: (json, at) => {
      if (!Array.isArray(json)) throw unread(at, 'a list', json);
      return json.map((item: unknown, index) => items.read(item, ${'`${at}[${index}]`'}));
    },
    write: (value, at) => {
      if (!Array.isArray(value)) throw unsent(at, 'a list', value);
      return value.map((item, index) => items.write(item as T, ${'`${at}[${index}]`'}));
    },
    fits: (value) => Array.isArray(value) && value.every((item) => items.fits(item)),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof Date || value instanceof Uint8Array);
}

function inside(at: string, name: string): string {
  return at === '' ? name : ${'`${at}.${name}`'};
}

export function map<T>(values: Codec<T>): Codec<Readonly<Record<string, T>>> {
  return {
    read: (json, at) => {
      if (!isObject(json)) throw unread(at, 'an object', json);
      return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, values.read(value, inside(at, key))]));
    },
    write: (value, at) => {
      if (!isObject(value)) throw unsent(at, 'an object', value);
      const known = Object.entries(value).filter(([, one]) => one !== undefined);
      return Object.fromEntries(known.map(([key, one]) => [key, values.write(one as T, inside(at, key))]));
    },
    fits: (value) => isObject(value) && Object.values(value).every((one) => one === undefined || values.fits(one)),
  };
}

/** A field of an object: its name in JSON, its name here, its type, and whether it has to be there, or is never sent. */
export interface Field {
  readonly wire: string;
  readonly name: string;
  readonly codec: Codec<unknown>;
  readonly isRequired: boolean;
  readonly isReadOnly: boolean;
}

export function required(wire: string, name: string, codec: Codec<unknown>): Field {
  return { wire, name, codec, isRequired: true, isReadOnly: false };
}

export function optional(wire: string, name: string, codec: Codec<unknown>): Field {
  return { wire, name, codec, isRequired: false, isReadOnly: false };
}

/** A field that only answers have. */
export function readOnly(field: Field): Field {
  return { ...field, isReadOnly: true };
}

function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** An object. Fields beside the known ones are left out, or stand in ${'`additional`'} where their type is known. */
export function object<T extends object>(fields: readonly Field[], additional?: Codec<unknown>): Codec<T> {
  const known = new Set(fields.map(({ wire }) => wire));
  return {
    read: (json, at) => {
      if (!isObject(json)) throw unread(at, 'an object', json);
      const entries: [string, unknown][] = [];
      for (const { wire, name, codec, isRequired } of fields) {
        const value = own(json, wire);
        const isAbsent = value === undefined || (value === null && !isRequired && !codec.fits(null));
        if (isAbsent && !isRequired) continue;
        entries.push([name, codec.read(value, inside(at, wire))]);
      }
      if (additional !== undefined) {
        const others = Object.entries(json).filter(([wire]) => !known.has(wire));
        const read = others.map(([wire, value]) => [wire, additional.read(value, inside(at, wire))] as const);
        entries.push(['additional', Object.fromEntries(read)]);
      }
      return Object.fromEntries(entries) as T;
    },
    write: (given, at) => {
      if (!isObject(given)) throw unsent(at, 'an object', given);
      const value: Readonly<Record<string, unknown>> = given;
      const entries: [string, unknown][] = [];
      const others = additional === undefined ? undefined : own(value, 'additional');
      if (additional !== undefined && isObject(others)) {
        for (const [wire, one] of Object.entries(others)) {
          if (one !== undefined && !known.has(wire)) entries.push([wire, additional.write(one, inside(at, wire))]);
        }
      }
      for (const { wire, name, codec, isRequired, isReadOnly } of fields) {
        const one = own(value, name);
        if (isReadOnly || (one === undefined && !isRequired)) continue;
        entries.push([wire, codec.write(one, inside(at, name))]);
      }
      return Object.fromEntries(entries);
    },
    fits: (value) =>
      isObject(value) &&
      fields.every(({ name, codec, isRequired }) => {
        const one = own(value, name);
        return one === undefined ? !isRequired : codec.fits(one);
      }),
    knows: (value, side) => {
      if (!isObject(value)) return 0;
      return fields.filter(({ wire, name }) => own(value, side === 'json' ? wire : name) !== undefined).length;
    },
  };
}

/** One type of a union, and the values of its discriminator, which is called ${'`tagName`'} here. */
export interface Variant {
  readonly codec: Codec<unknown>;
  readonly tags: readonly string[];
  readonly tagName: string;
}

export function variant(codec: Codec<unknown>, tagName = '', ...tags: readonly string[]): Variant {
  return { codec, tags, tagName };
}

/**
 * What knows most of a value first: an object whose fields may all be absent takes every other one, and would leave out all that it
 * does not know.
 */
function byKnowledge(variants: readonly Variant[], value: unknown, side: Side): readonly Variant[] {
  const known = variants.map((one) => ({ one, fields: one.codec.knows?.(value, side) ?? 0 }));
  return known.sort((left, right) => right.fields - left.fields).map(({ one }) => one);
}

/** One of several types: by the field that tells, else the one that fits and knows most of it. */
export function union<T>(variants: readonly Variant[], discriminator?: string): Codec<T> {
  const expected = 'one of several types';
  /** What came of an object: where unions are in unions, it would be read anew for each variant of each level. */
  const outcomes = new WeakMap<object, { readonly value: T } | DecodeError>();
  const read = (json: unknown, at: string): T => {
    const tag = discriminator !== undefined && isObject(json) ? own(json, discriminator) : undefined;
    const told = variants.find(({ tags }) => typeof tag === 'string' && tags.includes(tag));
    if (told !== undefined) return told.codec.read(json, at) as T;
    for (const { codec } of byKnowledge(variants, json, 'json')) {
      try {
        return codec.read(json, at) as T;
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
      }
    }
    throw unread(at, expected, json);
  };
  return {
    read: (json, at) => {
      if (typeof json !== 'object' || json === null) return read(json, at);
      const known = outcomes.get(json);
      if (known instanceof DecodeError) throw known;
      if (known !== undefined) return known.value;
      try {
        const value = read(json, at);
        outcomes.set(json, { value });
        return value;
      } catch (error) {
        if (error instanceof DecodeError) outcomes.set(json, error);
        throw error;
      }
    },
    write: (value, at) => {
      const told = variants.find(({ tags, tagName }) => {
        const tag = isObject(value) ? own(value, tagName) : undefined;
        return typeof tag === 'string' && tags.includes(tag);
      });
      const chosen = told ?? byKnowledge(variants, value, 'value').find(({ codec }) => codec.fits(value));
      if (chosen === undefined) throw unsent(at, expected, value);
      const written = chosen.codec.write(value, at);
      const [tag] = chosen.tags;
      if (discriminator === undefined || tag === undefined || !isObject(written)) return written;
      return Object.hasOwn(written, discriminator) ? written : { [discriminator]: tag, ...written };
    },
    fits: (value) => variants.some(({ codec }) => codec.fits(value)),
  };
}
`;

/** `src/runtime/codec.ts`: how JSON is read and made. */
export const codecText: string = scalarCodecs + compoundCodecs;
