import type { OutboundResponse } from '@portcullis/plugin-runtime';
import type { Claims } from '../shared/claims/claim-value.ts';
import { parseUniqueJson } from '../shared/jwt/unique-json.ts';

/** An introspection endpoint that answers nobody, since it refuses us. The message holds no token and no secret. */
export class IntrospectionError extends Error {
  override readonly name = 'IntrospectionError';
}

/**
 * An endpoint that does not say whether one token is active, perhaps for what the token is: too long for it, too strange for a filter in
 * front of it, or of a user who wrote things about herself that nobody can read. It may well answer about others, and anybody can bring
 * such tokens: they must not open the circuit for all. The message holds no token and no secret.
 */
export class UndecidedTokenError extends Error {
  override readonly name = 'UndecidedTokenError';
}

/** What an endpoint says of an active token. */
export interface ActiveToken {
  readonly claims: Claims;
  /** Seconds since 1970. */
  readonly notBefore: number;
  /** Seconds since 1970; `Infinity` where the endpoint says nothing. */
  readonly expires: number;
}

/**
 * Reads an endpoint's answer. Source: RFC 7662, sections 2.2 and 2.3.
 * @returns `undefined` for a token that is not active, or that the endpoint cannot make anything of
 * @throws IntrospectionError for an endpoint that refuses us
 * @throws UndecidedTokenError for one that says anything else but what the token is
 */
export function readIntrospection({ status, body }: OutboundResponse): ActiveToken | undefined {
  const said = parseUniqueJson(body);
  if (status === 400 && said !== undefined && isAboutToken(said['error'])) return undefined;
  if (status === 401 || isAboutUs(said?.['error']))
    throw new IntrospectionError(`${answered(status)}: it refuses client_id or client_secret`);
  if (status !== 200) throw new UndecidedTokenError(answered(status));
  if (said === undefined) throw new UndecidedTokenError('the introspection endpoint answered something else than JSON');
  const { active, nbf, exp } = said;
  if (active === false) return undefined;
  if (active !== true || !isTime(nbf) || !isTime(exp)) {
    throw new UndecidedTokenError('the introspection endpoint answered without active, or with times that are none');
  }
  return { claims: said, notBefore: nbf ?? -Infinity, expires: exp ?? Infinity };
}

/** Endpoints that first read the token answer one that they cannot read so. Source: RFC 6749, section 5.2. */
function isAboutToken(error: unknown): boolean {
  return error === 'invalid_request' || error === 'invalid_token' || error === 'unsupported_token_type';
}

function isAboutUs(error: unknown): boolean {
  return error === 'invalid_client' || error === 'unauthorized_client';
}

function answered(status: number): string {
  return `the introspection endpoint answered ${status}`;
}

/** Some endpoints write null for what they do not say. */
function isTime(value: unknown): value is number | null | undefined {
  return value === undefined || value === null || (typeof value === 'number' && Number.isFinite(value));
}
