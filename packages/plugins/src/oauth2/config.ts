import * as v from 'valibot';
import { tokenPrefixField, TOKEN_LENGTH_MAX } from '../shared/claims/presented-token.ts';
import { requiredScopesField } from '../shared/claims/scopes.ts';
import { claimPath, upstreamHeadersField } from '../shared/claims/upstream-headers-field.ts';
import { configObject, flag, headerName, text } from '../shared/config-fields.ts';
import { crossFieldRule, requireOneOf, type CrossFieldIssue } from '../shared/config-rules.ts';
import { expiryField } from '../shared/expiry-field.ts';
import { SECRET_ADDRESS } from '../shared/secret-address.ts';

/** Most configured tokens of one instance. */
export const TOKENS_MAX = 10_000;

/** Longest `client_id` and `client_secret`, in characters. */
const CLIENT_LENGTH_MAX = 1024;
const URL_LENGTH_MAX = 2048;
const CONSUMER_LENGTH_MAX = 256;

/** Most claims of one configured token. */
const CLAIMS_MAX = 50;

const configuredToken = v.pipe(
  text('A token that clients may present', TOKEN_LENGTH_MAX),
  v.regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces, as tokens are'),
  v.metadata({ 'x-secret': true }),
);

const namedToken = configObject({
  token: configuredToken,
  consumer: v.optional(
    text('ID, username or custom ID of the consumer that the token identifies', CONSUMER_LENGTH_MAX),
  ),
  expires_at: v.optional(expiryField('The token is refused from then on')),
});

const claimsOfToken = configObject({
  token: configuredToken,
  claims: v.pipe(
    v.looseObject({}, 'must be an object'),
    v.maxEntries(CLAIMS_MAX, `must have at most ${CLAIMS_MAX} claims`),
  ),
});

const introspectionUrl = v.pipe(
  text('Endpoint that says whether a token is active (RFC 7662)', URL_LENGTH_MAX),
  v.check(isEndpoint, 'must be an http or https address without user, password and fragment'),
  v.metadata(SECRET_ADDRESS),
);

const timeoutSeconds = v.pipe(
  v.number('must be a number'),
  v.minValue(0.1, 'must be at least 0.1'),
  v.maxValue(30, 'must be at most 30'),
  v.description('Longest time that introspecting a token may take'),
);

const fields = configObject({
  client_id: v.optional(text('ID with which the gateway identifies itself to the endpoint', CLIENT_LENGTH_MAX)),
  client_secret: v.optional(
    v.pipe(text('Secret that belongs to `client_id`', CLIENT_LENGTH_MAX), v.metadata({ 'x-secret': true })),
  ),
  hide_credentials: v.optional(flag('Whether the token is removed before the upstream'), false),
  introspection_url: v.optional(introspectionUrl),
  required_scopes: v.optional(requiredScopesField()),
  scope_claim: v.optional(
    claimPath('Name or path of the claim with the scopes: text with spaces between, or a list'),
    'scope',
  ),
  timeout_seconds: v.optional(timeoutSeconds, 3),
  token_claims: v.optional(
    v.pipe(
      v.array(claimsOfToken, 'must be a list of objects with token and claims, or a map from token to claims'),
      v.maxLength(TOKENS_MAX, `must have at most ${TOKENS_MAX} entries`),
      v.description(
        'Claims of tokens of `valid_tokens`: a map from token to claims, or a list with `token` and `claims`',
      ),
    ),
  ),
  token_header: v.optional(headerName('Request header that carries the token'), 'Authorization'),
  token_prefix: v.optional(
    tokenPrefixField('Scheme before the token; empty when the header holds the token alone'),
    'Bearer',
  ),
  upstream_headers: v.optional(upstreamHeadersField('the token')),
  valid_tokens: v.optional(
    v.pipe(
      v.array(
        v.union([configuredToken, namedToken], 'must be a token, or an object with token, consumer and expires_at'),
        'must be a list',
      ),
      v.maxLength(TOKENS_MAX, `must have at most ${TOKENS_MAX} entries`),
      v.description('Tokens that are accepted without asking; an object may name the consumer and a time of expiry'),
    ),
  ),
});

/** Config of `oauth2`. */
export const config = crossFieldRule(requireOneOf(fields, ['introspection_url', 'valid_tokens']), fieldIssues);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;

function fieldIssues(given: v.InferOutput<typeof fields>): readonly CrossFieldIssue[] {
  const { client_id: id, client_secret: secret, token_claims: claims = [], valid_tokens: tokens = [] } = given;
  const known = new Set(tokens.map((entry) => (typeof entry === 'string' ? entry : entry.token)));
  const lonely = secret !== undefined && id === undefined;
  return [
    ...(lonely ? [{ field: 'client_secret', message: 'needs client_id' }] : []),
    ...(claims.some(({ token }) => !known.has(token))
      ? [{ field: 'token_claims', message: 'has claims of a token that is not in valid_tokens' }]
      : []),
  ];
}

function isEndpoint(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === '';
}
