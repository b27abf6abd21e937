import type { ConsumerIdentity, Exchange, HeaderEdit } from '@portcullis/plugin-runtime';
import type { ClaimReader, Claims } from '../shared/claims/claim-value.ts';
import { consumerOfClaims } from '../shared/claims/consumer-of-claims.ts';
import { hasEvery, scopesOf } from '../shared/claims/scopes.ts';
import type { UpstreamHeaders } from '../shared/claims/upstream-headers.ts';
import { consumerOf } from '../shared/consumer-reference.ts';
import { identityFacts, sizeOfFacts, type IdentityFacts } from '../shared/identity-facts.ts';

/** What a token gives its bearer, worked out once for all requests that present it. */
export interface TokenGrant {
  readonly hasRequiredScopes: boolean;
  readonly headers: readonly HeaderEdit[];
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
  /** The consumer that the config names for the token; else {@link identity} says who it is. */
  readonly consumer: string | undefined;
  /** The claims that name the client. */
  readonly identity: Claims;
  readonly facts: IdentityFacts;
  /** About how much of it is kept, in characters. */
  readonly size: number;
}

/**
 * Why a token gives nothing: nobody knows it; the endpoint says that it is not active; or it says that it is, but only from a later
 * moment on.
 */
export type TokenFault = 'unknown_token' | 'inactive' | 'not_yet_valid';

/** What the config says of every token. */
export interface GrantRules {
  readonly scopesIn: ClaimReader;
  readonly requiredScopes: readonly string[];
  readonly upstreamHeaders: UpstreamHeaders;
}

/**
 * Claims that say who the client is, in order: the user, or the application for which a token was issued. Both are assigned by the
 * server that issues tokens; a `username` is often chosen by the user, who could choose a consumer's.
 */
const IDENTITY_CLAIMS = ['sub', 'client_id'];

/** Works out what a token gives. @param consumer that the config names for it */
export function grantOf(rules: GrantRules, claims: Claims, expiresAtMs: number, consumer?: string): TokenGrant {
  const identity = Object.fromEntries(
    IDENTITY_CLAIMS.flatMap((name) => (Object.hasOwn(claims, name) ? [[name, claims[name]] as const] : [])),
  );
  const headers = rules.upstreamHeaders.editsFor(claims);
  const facts = identityFacts(claims);
  return {
    hasRequiredScopes: hasEvery(scopesOf(rules.scopesIn(claims)), rules.requiredScopes),
    headers,
    expiresAtMs,
    consumer,
    identity,
    facts,
    size:
      GRANT_SIZE +
      JSON.stringify(identity).length +
      sizeOfFacts(facts) +
      headers.reduce((sum, { value = '' }) => sum + value.length, 0),
  };
}

/** Whom a token identifies under the configuration of a request. */
export function identityOf(
  exchange: Exchange,
  { consumer, identity }: TokenGrant,
): ConsumerIdentity | 'disabled' | undefined {
  return consumer === undefined
    ? consumerOfClaims(exchange, identity, IDENTITY_CLAIMS)
    : consumerOf(exchange, consumer);
}

/** Characters that every grant costs, with its digest and its place in a cache. */
const GRANT_SIZE = 400;
