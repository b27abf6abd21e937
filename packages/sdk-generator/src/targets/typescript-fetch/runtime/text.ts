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

/** The pairs that a value stands for, not escaped yet. */
export function pairsOf(
  name: string,
  value: unknown,
  style: QueryStyle,
  isExploded: boolean,
): readonly (readonly [key: string, text: string])[] {
  if (style === 'json') return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) {
    const texts = (value as readonly unknown[]).map(textOf);
    return isExploded ? texts.map((text) => [name, text]) : [[name, texts.join(between[style])]];
  }
  if (typeof value !== 'object' || value === null) return [[name, textOf(value)]];
  return Object.entries(value).flatMap(([field, inner]) => {
    const key = style === 'deepObject' ? ${'`${name}[${field}]`'} : field;
    if (style === 'deepObject' && typeof inner === 'object' && inner !== null) return pairsOf(key, inner, style, true);
    return pairsOf(key, inner, typeof inner === 'object' && !Array.isArray(inner) ? 'json' : 'form', true);
  });
}

/** The same, escaped for a query. Commas that part the items of a list stay. */
export function queryOf(name: string, value: unknown, style: QueryStyle, isExploded: boolean): readonly string[] {
  if (Array.isArray(value) && style !== 'json' && !isExploded) {
    const texts = (value as readonly unknown[]).map((item) => percentEncoded(textOf(item)));
    const separator = style === 'form' ? ',' : percentEncoded(between[style]);
    return [${'`${percentEncoded(name)}=${texts.join(separator)}`'}];
  }
  const pairs = pairsOf(name, value, style, isExploded);
  return pairs.map(([key, text]) => ${'`${percentEncoded(key)}=${percentEncoded(text)}`'});
}
`;
