import { hash } from 'node:crypto';
import { mintToken, parseToken, type RandomBytes } from './opaque-token.ts';

/**
 * A refresh token `gwrt_<id>_<secret><checksum>`. The beginning of the secret is the login's, common to all of its tokens; the
 * rest is new in each. Who knows the beginning has seen a token that was issued. So a token that was exchanged before is told
 * from one that somebody made up around the login's ID, which stands in audit records, and no list of old tokens is kept.
 * Source: wire contract, Users, tokens, tenants (reuse revokes the family).
 */
export interface RefreshToken {
  readonly token: string;
  /** The login's ID. */
  readonly id: string;
  /** SHA-256 of the beginning, hexadecimal: the same for all tokens of a login. */
  readonly familyHash: string;
  /** SHA-256 of the whole secret, hexadecimal. */
  readonly secretHash: string;
}

/** 21 characters of base 62 hold 125 bits, and the 22 that follow 130. */
const familyLength = 21;

/** The first token of a login. */
export function firstRefreshToken(random: RandomBytes): RefreshToken {
  const { token } = mintToken('gwrt', { random });
  return refreshTokenOf(token);
}

/** The token that takes the place of another of the same login. */
export function nextRefreshToken(previous: RefreshToken, random: RandomBytes): RefreshToken {
  const { id } = previous;
  return refreshTokenOf(mintToken('gwrt', { id, secretStart: familyOf(previous), random }).token);
}

/** Takes a refresh token apart; nothing when its form or checksum is wrong. Reads no database. */
export function parseRefreshToken(text: string): RefreshToken | undefined {
  const parsed = parseToken(text);
  if (parsed?.prefix !== 'gwrt') return undefined;
  const { id, secretHash } = parsed;
  return { token: text, id, familyHash: hash('sha256', familyOf({ token: text, id })), secretHash };
}

function familyOf({ token, id }: Pick<RefreshToken, 'token' | 'id'>): string {
  const start = `gwrt_${id}_`.length;
  return token.slice(start, start + familyLength);
}

function refreshTokenOf(token: string): RefreshToken {
  const parsed = parseRefreshToken(token);
  if (!parsed) throw new TypeError('a token that was just made has no right form');
  return parsed;
}
