import * as v from 'valibot';
import { choice, configObject, flag, headerName, text, wholeNumber } from '../shared/config-fields.ts';
import { tokenPrefixField } from '../shared/claims/presented-token.ts';
import { requiredScopesField } from '../shared/claims/scopes.ts';
import { claimPath, upstreamHeadersField } from '../shared/claims/upstream-headers-field.ts';
import { audienceField } from '../shared/jwt/audience-field.ts';

/** Longest lifetime that a config may ask for: a year, as Kong has it. */
export const LIFETIME_MAX_SECONDS = 31_536_000;

/** Claims about time. */
export const timeClaims = ['exp', 'nbf', 'iat'] as const;

/** Config of `jwt_auth`. */
export const config = configObject({
  audience: v.optional(audienceField()),
  claims_to_verify: v.optional(
    v.pipe(
      v.array(choice('A claim', timeClaims), 'must be a list of claims'),
      v.maxLength(timeClaims.length, `must have at most ${timeClaims.length} entries`),
      v.description(
        'Claims about time that a token must have. What it has is always checked, and `exp` is always needed',
      ),
    ),
    ['exp'],
  ),
  hide_credentials: v.optional(flag('Removes the token before the request goes to the upstream'), false),
  key_claim_name: v.optional(
    text("Claim, or else header parameter, that names the consumer's credential by its `key`", 128),
    'iss',
  ),
  maximum_expiration_seconds: v.optional(
    wholeNumber('How far ahead `exp` may lie, in seconds; without it there is no limit', 1, LIFETIME_MAX_SECONDS),
  ),
  required_scopes: v.optional(requiredScopesField()),
  scope_claim: v.optional(claimPath('Name or path (`a.b`) of the claim that holds the scopes'), 'scope'),
  token_header: v.optional(headerName('Request header that carries the token'), 'Authorization'),
  token_prefix: v.optional(
    tokenPrefixField('Scheme before the token; empty when the header holds the token alone'),
    'Bearer',
  ),
  upstream_headers: v.optional(upstreamHeadersField('the token')),
});

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
