import { scalarOf, takes, type ValueShape } from './scalar-types.ts';

/** How a parameter is written. Source: OpenAPI 3.1.1, 4.8.12.2. */
export type ParameterStyle = 'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';

/** A style with its `explode`. */
export interface Serialization {
  readonly name: string;
  readonly style: ParameterStyle;
  readonly explodes: boolean;
  readonly shape: ValueShape;
}

/** Names and values of a query, a form or cookies, both as they were written. */
export type RawPairs = readonly (readonly [name: string, value: string])[];

/** What a parameter says: a value, nothing, or something that it cannot be (`unreadable`). */
export type ReadValue = { readonly value: unknown } | 'absent' | 'unreadable';

type Decode = (text: string) => string;

/** Decodes percent-encoding. @throws URIError for what is none */
export const decodePart: Decode = (text) => (text.includes('%') ? decodeURIComponent(text) : text);

/** Decodes a part of a form or query, where a plus is a space. @throws URIError as above */
export const decodeFormPart: Decode = (text) => decodePart(text.includes('+') ? text.replaceAll('+', ' ') : text);

/** Reads a value that stands alone: in a path or a header. */
export function readAlone(raw: string, serialization: Serialization, decode: Decode): ReadValue {
  try {
    return { value: valueAlone(raw, serialization, decode) };
  } catch (error) {
    if (error instanceof URIError) return 'unreadable';
    throw error;
  }
}

function valueAlone(raw: string, { name, style, explodes, shape }: Serialization, decode: Decode): unknown {
  const isList = takes(shape, 'array');
  const isObject = !isList && takes(shape, 'object');
  if (style === 'matrix') {
    const pairs = raw.split(';').slice(1).map(pairOf);
    if (isObject && explodes) return objectOf(pairs, shape, decode);
    if (isList && explodes) return pairs.map(([, value]) => scalarOf(decode(value), shape.items ?? shape));
    const own = pairs.find(([key]) => decode(key) === name)?.[1] ?? '';
    return listed(own, ',', shape, isList, isObject, decode);
  }
  const text = style === 'label' ? raw.replace(/^\./, '') : raw;
  const separator = style === 'label' && explodes ? '.' : ',';
  if (isObject && explodes) return objectOf(text.split(separator).map(pairOf), shape, decode);
  return listed(text, separator, shape, isList, isObject, decode);
}

/** Reads a value from pairs: of a query, a form or cookies. */
export function readFromPairs(pairs: RawPairs, serialization: Serialization, decode: Decode): ReadValue {
  try {
    return valueFromPairs(pairs, serialization, decode);
  } catch (error) {
    if (error instanceof URIError) return 'unreadable';
    throw error;
  }
}

function valueFromPairs(pairs: RawPairs, { name, style, explodes, shape }: Serialization, decode: Decode): ReadValue {
  const isList = takes(shape, 'array');
  const isObject = !isList && takes(shape, 'object');
  if (style === 'deepObject') return deepObject(pairs, name, shape, decode);
  if (isObject && explodes) {
    const own = pairs.filter(([key]) => shape.properties.has(decode(key)));
    return own.length === 0 ? 'absent' : { value: objectOf(own, shape, decode) };
  }
  const own = pairs.filter(([key]) => decode(key) === name).map(([, value]) => value);
  const [first] = own;
  if (first === undefined) return 'absent';
  if (isList && explodes) return { value: own.map((value) => scalarOf(decode(value), shape.items ?? ANY)) };
  // Whoever reads the first and whoever reads the last would see two requests.
  if (own.length > 1) return 'unreadable';
  const separator = style === 'spaceDelimited' ? /%20|\+/ : style === 'pipeDelimited' ? /\||%7C/i : ',';
  return { value: listed(first, separator, shape, isList, isObject, decode) };
}

const ANY: ValueShape = { types: undefined, properties: new Map() };

function listed(
  raw: string,
  separator: string | RegExp,
  shape: ValueShape,
  isList: boolean,
  isObject: boolean,
  decode: Decode,
): unknown {
  if (isList) return raw === '' ? [] : raw.split(separator).map((part) => scalarOf(decode(part), shape.items ?? ANY));
  if (!isObject) return scalarOf(decode(raw), shape);
  const parts = raw === '' ? [] : raw.split(separator);
  const pairs = parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? ''] as const] : []));
  return objectOf(pairs, shape, decode);
}

/** `name[property]=value`; a property that takes a list has all its values. */
function deepObject(pairs: RawPairs, name: string, shape: ValueShape, decode: Decode): ReadValue {
  const own = pairs.flatMap(([key, value]) => {
    const written = decode(key);
    const isOwn = written.startsWith(`${name}[`) && written.endsWith(']');
    return isOwn ? [[written.slice(name.length + 1, -1), value] as const] : [];
  });
  if (own.length === 0) return 'absent';
  const groups = Map.groupBy(own, ([property]) => property);
  const entries = [...groups].map(([property, values]) => {
    const inner = shape.properties.get(property) ?? ANY;
    const scalars = values.map(([, value]) =>
      scalarOf(decode(value), takes(inner, 'array') ? (inner.items ?? ANY) : inner),
    );
    return [property, takes(inner, 'array') ? scalars : scalars.at(0), values.length] as const;
  });
  const isTwice = entries.some(
    ([property, , count]) => count > 1 && !takes(shape.properties.get(property) ?? ANY, 'array'),
  );
  return isTwice ? 'unreadable' : { value: Object.fromEntries(entries.map(([property, value]) => [property, value])) };
}

function pairOf(part: string): readonly [string, string] {
  const at = part.indexOf('=');
  return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
}

function objectOf(pairs: RawPairs, shape: ValueShape, decode: Decode): object {
  return Object.fromEntries(
    pairs.map(([rawName, rawValue]) => {
      const name = decode(rawName);
      return [name, scalarOf(decode(rawValue), shape.properties.get(name) ?? ANY)];
    }),
  );
}
