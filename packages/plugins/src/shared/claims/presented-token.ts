import type { HeaderView } from '@portcullis/plugin-runtime';
import * as v from 'valibot';

/** Longest token that is looked at, in characters. Servers bound a whole header section at about this. */
export const TOKEN_LENGTH_MAX = 16_384;

/** Longest `token_prefix`, in characters. */
export const TOKEN_PREFIX_LENGTH_MAX = 64;

/** What a request presents: a token, or why there is none. */
export type PresentedToken =
  | { readonly token: string; readonly problem?: undefined }
  /** `missing`: no header, or one of another scheme. `malformed`: empty, too long, no token, or several. */
  | { readonly token?: undefined; readonly problem: 'missing' | 'malformed' };

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
  if (value === undefined || value === '') return MISSING;
  if (prefix === '') return asToken(value);
  const isOfScheme =
    value.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase() &&
    (value.length === prefix.length || value.charCodeAt(prefix.length) === SPACE);
  if (!isOfScheme) return MISSING;
  let begin = prefix.length;
  while (value.charCodeAt(begin) === SPACE) begin += 1;
  return asToken(value.slice(begin));
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

function asToken(token: string): PresentedToken {
  return token.length <= TOKEN_LENGTH_MAX && TOKEN.test(token) ? { token } : MALFORMED;
}

const SPACE = 0x20;
const TOKEN = /^[\x21-\x7e]+$/;
const MISSING: PresentedToken = Object.freeze({ problem: 'missing' });
const MALFORMED: PresentedToken = Object.freeze({ problem: 'malformed' });
