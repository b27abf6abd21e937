/** `src/runtime/text.ts`: values in addresses, headers and forms. */
export const textText: string = String.raw`import { InvalidRequestError } from './errors.ts';

/** How a value stands in a query. Source: OpenAPI 3.1, Style Values. */
export type QueryStyle = 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'json';

/** A scalar of JSON as text. */
export function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** All but letters, digits and -._~ escaped. Source: RFC 3986. */
export function percentEncoded(text: string): string {
  const sign = (character: string): string => ${'`%${character.charCodeAt(0).toString(16).toUpperCase()}`'};
  try {
    return encodeURIComponent(text).replace(/[!'()*]/g, sign);
  } catch {
    throw new InvalidRequestError('a text', 'has half a character (an unpaired surrogate)');
  }
}

const between = { form: ',', spaceDelimited: ' ', pipeDelimited: '|', deepObject: ',', json: ',' } as const;

/** What stands in one pair, one after the other: the items of a list, or the names and values of an object. */
function textsOf(value: object): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.entries(value).flat();
  return items.map(textOf);
}

/** Whether a list or an object stands in one pair. */
function isInOne(value: unknown, style: QueryStyle, isExploded: boolean): value is object {
  if (typeof value !== 'object' || value === null || isExploded) return false;
  return Array.isArray(value) ? style !== 'json' : style === 'form' && Object.keys(value).length > 0;
}

/** The pairs that a value stands for, not escaped yet. */
export function pairsOf(
  name: string,
  value: unknown,
  style: QueryStyle,
  isExploded: boolean,
): readonly (readonly [key: string, text: string])[] {
  if (style === 'json') return [[name, JSON.stringify(value)]];
  if (isInOne(value, style, isExploded)) return [[name, textsOf(value).join(between[style])]];
  if (Array.isArray(value)) {
    return (value as readonly unknown[]).map((item) => [name, textOf(item)]);
  }
  if (typeof value !== 'object' || value === null) return [[name, textOf(value)]];
  return Object.entries(value).flatMap(([field, inner]) => {
    const key = style === 'deepObject' ? ${'`${name}[${field}]`'} : field;
    if (style === 'deepObject' && typeof inner === 'object' && inner !== null) return pairsOf(key, inner, style, true);
    return pairsOf(key, inner, typeof inner === 'object' && !Array.isArray(inner) ? 'json' : 'form', true);
  });
}

/** The same, escaped for a query. Commas that part the items of a list or an object stay. */
export function queryOf(name: string, value: unknown, style: QueryStyle, isExploded: boolean): readonly string[] {
  if (isInOne(value, style, isExploded)) {
    const texts = textsOf(value).map(percentEncoded);
    const separator = style === 'form' ? ',' : percentEncoded(between[style]);
    return [${'`${percentEncoded(name)}=${texts.join(separator)}`'}];
  }
  const pairs = pairsOf(name, value, style, isExploded);
  return pairs.map(([key, text]) => ${'`${percentEncoded(key)}=${percentEncoded(text)}`'});
}
`;
