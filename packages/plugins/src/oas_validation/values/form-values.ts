import type { JsonObject } from '@portcullis/openapi';
import { isRecord } from '../schemas/keywords.ts';
import { decodeFormPart, readFromPairs, type ParameterStyle, type RawPairs } from './parameter-styles.ts';
import { takes, type ValueShape } from './scalar-types.ts';

/** Most pairs of a query or form, and most parts of a multipart body. */
export const PAIRS_MAX = 10_000;

/** The pairs of a query or form as they are written; `undefined` for too many. */
export function rawPairs(text: string): RawPairs | undefined {
  if (text === '') return [];
  const parts = text.split('&', PAIRS_MAX + 1);
  if (parts.length > PAIRS_MAX) return undefined;
  return parts.filter((part) => part !== '').map(pairOf);
}

/** The pairs of cookies. Source: RFC 6265, 4.2.1. */
export function cookiePairs(lines: readonly string[]): RawPairs {
  const parts = lines.flatMap((line) => line.split(';', PAIRS_MAX)).map((part) => part.trim());
  return parts.filter((part) => part !== '').map(pairOf);
}

/**
 * A form as an object: properties as its schema and `encoding` have them, and all others as texts.
 * @returns `undefined` for a form that cannot be read
 */
export function formValue(text: string, shape: ValueShape, encoding: unknown): object | undefined {
  const pairs = rawPairs(text);
  if (pairs === undefined) return undefined;
  const entries: [string, unknown][] = [];
  try {
    const names = new Set(pairs.map(([name]) => ownName(decodeFormPart(name), shape)));
    for (const name of names) {
      const property = shape.properties.get(name) ?? TEXTS;
      const read = readFromPairs(pairs, serialization(name, property, encoding), decodeFormPart);
      if (read === 'unreadable') return undefined;
      if (read !== 'absent')
        entries.push([name, isJsonText(property, encoding, name) ? jsonOr(read.value) : read.value]);
    }
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
  return Object.fromEntries(entries);
}

const TEXTS: ValueShape = { types: undefined, properties: new Map() };

/** `name[property]` is of a property that is written so. */
function ownName(name: string, { properties }: ValueShape): string {
  const start = name.slice(0, Math.max(0, name.indexOf('[')));
  return !properties.has(name) && properties.has(start) ? start : name;
}

function encodingOf(encoding: unknown, name: string): JsonObject {
  const own = isRecord(encoding) && Object.hasOwn(encoding, name) ? encoding[name] : undefined;
  return isRecord(own) ? own : {};
}

function isJsonText(property: ValueShape, encoding: unknown, name: string): boolean {
  return encodingOf(encoding, name)['style'] === undefined && takes(property, 'object') && !takes(property, 'array');
}

function serialization(name: string, shape: ValueShape, encoding: unknown) {
  const { style, explode } = encodingOf(encoding, name);
  const isText = isJsonText(shape, encoding, name);
  const known = style === 'spaceDelimited' || style === 'pipeDelimited' || style === 'deepObject' ? style : 'form';
  const explodes = typeof explode === 'boolean' ? explode : known === 'form';
  return { name, style: known as ParameterStyle, explodes, shape: isText ? TEXTS : shape };
}

function jsonOr(text: unknown): unknown {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    return text;
  }
}

function pairOf(part: string): readonly [string, string] {
  const at = part.indexOf('=');
  return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
}
