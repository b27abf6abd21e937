import { isToken } from '../contexts/checked-token.ts';
import type { Context } from '../contexts/context-file.ts';

/** What a login or its renewal gives, as a context keeps it. */
export type SessionGrant = Pick<Context, 'token' | 'refresh_token' | 'expires_at'>;

/** A token that lives longer than ten years is not renewed, and the time of its end may be beyond what a date can say. */
const lifetimeSecondsMax = 315_360_000;

/** The grant in an answer of `/auth/login` or `/auth/refresh`; nothing when there is no access token in it. */
export function grantOf(body: unknown): SessionGrant | undefined {
  const token = textOf(body, 'access_token');
  if (token === undefined || !isToken(token)) return undefined;
  const refreshToken = textOf(body, 'refresh_token');
  const seconds = fieldOf(body, 'expires_in');
  const isRenewed = typeof seconds === 'number' && seconds > 0 && seconds <= lifetimeSecondsMax;
  if (refreshToken === undefined || !isRenewed) return { token };
  return { token, refresh_token: refreshToken, expires_at: new Date(Date.now() + seconds * 1000).toISOString() };
}

/** A field of an answer that is a text and not empty. */
export function textOf(body: unknown, field: string): string | undefined {
  const value = fieldOf(body, field);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function fieldOf(body: unknown, field: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined;
}
