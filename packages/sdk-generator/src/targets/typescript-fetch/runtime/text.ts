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

const between = { form: ',', spaceDelimited: ' ', pipeDelimited: '|', deepObject: ',', json: '' } as const;

/** A pair of a query, a cookie or a form: a name, texts, and what stands between those. */
export interface Pair {
  readonly name: string;
  readonly texts: readonly string[];
  readonly between: string;
}

/** The texts of a list. Null is no item. */
export function textsOf(list: readonly unknown[]): readonly string[] {
  return list.filter((item) => item !== null).map(textOf);
}

/** Null, and what has nothing in it, is written nowhere. */
function isNothing(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/**
 * The pairs that a value stands for. What is in an object, and what the specification leaves open: in a deepObject brackets go on for an
 * object and a list repeats its name; else a list repeats its name where the fields have pairs of their own, and all others are JSON.
 */
export function pairsOf(name: string, value: unknown, style: QueryStyle, isExploded: boolean): readonly Pair[] {
  const single = (key: string, text: string): Pair => ({ name: key, texts: [text], between: '' });
  if (style === 'json') return [single(name, JSON.stringify(value))];
  if (isNothing(value)) return [];
  if (typeof value !== 'object' || value === null) return [single(name, textOf(value))];
  const isSpread = isExploded || style === 'deepObject';
  if (Array.isArray(value)) {
    const texts = textsOf(value);
    if (isSpread) return texts.map((text) => single(name, text));
    return texts.length === 0 ? [] : [{ name, texts, between: between[style] }];
  }
  const fields = Object.entries(value).filter(([, inner]) => !isNothing(inner));
  if (style === 'deepObject') return fields.flatMap(([key, inner]) => pairsOf(${'`${name}[${key}]`'}, inner, style, true));
  if (isSpread) {
    return fields.flatMap(([key, inner]) => (Array.isArray(inner) ? pairsOf(key, inner, 'form', true) : single(key, textOf(inner))));
  }
  return fields.length === 0 ? [] : [{ name, texts: fields.flatMap(([key, inner]) => [key, textOf(inner)]), between: ',' }];
}

/** The same, escaped for a query or a cookie. Commas that part the items of a list or an object stay. */
export function queryOf(name: string, value: unknown, style: QueryStyle, isExploded: boolean): readonly string[] {
  return pairsOf(name, value, style, isExploded).map((pair) => {
    const separator = pair.between === ',' ? ',' : percentEncoded(pair.between);
    return ${'`${percentEncoded(pair.name)}=${pair.texts.map(percentEncoded).join(separator)}`'};
  });
}
`;
