import type { HeaderView } from '@portcullis/plugin-runtime';
import * as v from 'valibot';

/** Longest token that is looked at, in characters. Servers bound a whole header section at about this. */
export const TOKEN_LENGTH_MAX = 16_384;

/** Longest `token_prefix`, in characters. */
export const TOKEN_PREFIX_LENGTH_MAX = 64;

/** What a request presents: a token, or why there is none. */
export type PresentedToken =
  | { readonly token: string; readonly problem?: undefined }
  | { readonly token?: undefined; readonly problem: MissingToken | UnreadableToken };

/** Why a request presents no token: the header is absent or empty, or begins with another scheme. */
export type MissingToken = 'no_token' | 'other_scheme';

/** Why what a request presents can be nobody's token. */
export type UnreadableToken = 'several_tokens' | 'token_too_long' | 'malformed_header';

/** Where a token stands: a header, and the word before the token. */
export interface TokenPlace {
  readonly header: string;
  /** Authentication scheme, matched without regard to case; empty when the header holds the token alone. */
  readonly prefix: string;
}

/**
 * Reads a token from a request's header. Two lines of the header never give a token.
 * Source: RFC 6750, section 2.1; RFC 9110, section 11.1.
 */
export function readToken(headers: HeaderView, { header, prefix }: TokenPlace): PresentedToken {
  // Several lines come joined with a comma and a space, which no token holds.
  const value = headers.get(header);
  if (value === undefined || value === '') return NO_TOKEN;
  const token = prefix === '' ? value : behindScheme(value, prefix);
  if (token === undefined) return OTHER_SCHEME;
  if (token.length <= TOKEN_LENGTH_MAX && TOKEN.test(token)) return { token };
  if (headers.getAll(header).length > 1) return SEVERAL;
  return token.length > TOKEN_LENGTH_MAX ? TOO_LONG : MALFORMED;
}

/** The field `token_prefix`. A space at the end, as it stands in the header, changes nothing. */
export function tokenPrefixField(description: string) {
  return v.pipe(
    v.string('must be text'),
    v.maxLength(TOKEN_PREFIX_LENGTH_MAX, `must have at most ${TOKEN_PREFIX_LENGTH_MAX} characters`),
    v.regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]* *$/, 'must be an authentication scheme like Bearer, or empty'),
    v.description(description),
    v.transform((prefix) => prefix.trimEnd()),
  );
}

/** What stands behind the scheme; `undefined` behind another one. */
function behindScheme(value: string, prefix: string): string | undefined {
  const isOfScheme =
    value.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase() &&
    (value.length === prefix.length || value.charCodeAt(prefix.length) === SPACE);
  if (!isOfScheme) return undefined;
  let begin = prefix.length;
  while (value.charCodeAt(begin) === SPACE) begin += 1;
  return value.slice(begin);
}

const SPACE = 0x20;
const TOKEN = /^[\x21-\x7e]+$/;
const NO_TOKEN: PresentedToken = Object.freeze({ problem: 'no_token' });
const OTHER_SCHEME: PresentedToken = Object.freeze({ problem: 'other_scheme' });
const SEVERAL: PresentedToken = Object.freeze({ problem: 'several_tokens' });
const TOO_LONG: PresentedToken = Object.freeze({ problem: 'token_too_long' });
const MALFORMED: PresentedToken = Object.freeze({ problem: 'malformed_header' });
