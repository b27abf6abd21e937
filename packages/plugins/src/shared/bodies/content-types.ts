/** Whether a media type is one that a plugin is meant for. @param type in lower case, without parameters: `application/json` */
export type ContentTypeMatcher = (type: string) => boolean;

/**
 * What a list of content types may hold: a type (`application/json`), all of a kind (`text/*`), the types of a structured syntax (`+json`,
 * or `application/*+json` for those of one kind), and two stars with a slash for all there are. Source: RFC 9110, 8.3.1; RFC 6839.
 */
export const CONTENT_TYPE_PATTERN: RegExp =
  /^(?:\*\/\*|\+[\w.-]+|[\w!#$&^.+-]+\/(?:[\w!#$&^.-][\w!#$&^.+-]*|\*(?:\+[\w.-]+)?))$/;

/** What is said to be JSON: `application/json`, `text/json` and the `+json` types. */
export const JSON_TYPES: readonly string[] = ['application/json', 'text/json', '+json'];

/** What is said to be XML. Source: RFC 7303. */
export const XML_TYPES: readonly string[] = ['application/xml', 'text/xml', '+xml'];

/**
 * Compiles a list.
 * @param patterns as {@link CONTENT_TYPE_PATTERN} has them, in any case. The one for all also means bodies without a type
 */
export function contentTypeMatcher(patterns: readonly string[]): ContentTypeMatcher {
  if (patterns.includes('*/*')) return () => true;
  const types = new Set<string>();
  const ends: { readonly start: string; readonly end: string }[] = [];
  for (const pattern of patterns) {
    const lower = pattern.toLowerCase();
    const [start = '', end] = lower.split('*', 2);
    if (lower.startsWith('+')) ends.push({ start: '', end: lower });
    else if (end === undefined) types.add(lower);
    else ends.push({ start, end });
  }
  return (type) => types.has(type) || ends.some(({ start, end }) => type.startsWith(start) && type.endsWith(end));
}

/** A content type as a message says it. */
export interface SaidType {
  /** In lower case, without parameters. */
  readonly type: string;
  /** In lower case; `undefined` where none is said. */
  readonly charset: string | undefined;
}

/** Reads a `content-type` value. What cannot be read has an empty type. */
export function saidType(value: string | undefined): SaidType {
  if (value === undefined) return NO_TYPE;
  const known = readTypes.get(value);
  if (known !== undefined) return known;
  const read = readType(value);
  // Clients choose the values: a full table begins anew, so that it never grows and never stays full of rubbish.
  if (readTypes.size >= READ_TYPES_MAX) readTypes.clear();
  if (value.length <= READ_TYPE_LENGTH_MAX) readTypes.set(value, read);
  return read;
}

function readType(value: string): SaidType {
  const type = /^[\t ]*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[\t ]*(?:;|$)/.exec(value)?.[1];
  if (type === undefined) return NO_TYPE;
  const charset = /;[\t ]*charset[\t ]*=[\t ]*(?:"([^"\\]*)"|([^\s;"]*))[\t ]*(?:;|$)/i.exec(value);
  return Object.freeze({ type: type.toLowerCase(), charset: (charset?.[1] ?? charset?.[2])?.toLowerCase() });
}

const NO_TYPE: SaidType = Object.freeze({ type: '', charset: undefined });

/** Services say few different values; reading one costs more than the rest of a header edit. */
const READ_TYPES_MAX = 256;
const READ_TYPE_LENGTH_MAX = 256;
const readTypes = new Map<string, SaidType>();
