import * as v from 'valibot';
import { choice, configObject, flag, headerName, text } from '../shared/config-fields.ts';
import { crossFieldRule, type CrossFieldIssue } from '../shared/config-rules.ts';
import { tokenPrefixField } from '../shared/claims/presented-token.ts';
import { requiredScopesField } from '../shared/claims/scopes.ts';
import { claimPath, upstreamHeadersField } from '../shared/claims/upstream-headers-field.ts';
import { audienceField, NAME_LENGTH_MAX } from '../shared/jwt/audience-field.ts';
import { publicKeyAlgorithms } from '../shared/jwt/algorithms.ts';
import { isKeySetAddress } from '../shared/jwt/issuer-keys.ts';
import { readPublicKeys } from '../shared/jwt/public-keys.ts';

/** Longest text of keys, in characters: a set of a hundred RSA keys of 2048 bits fits. */
export const PUBLIC_KEY_LENGTH_MAX = 65_536;

const fields = configObject({
  algorithms: v.optional(
    v.pipe(
      v.array(choice('An algorithm', publicKeyAlgorithms), 'must be a list of algorithms'),
      v.minLength(1, 'must not be empty'),
      v.maxLength(publicKeyAlgorithms.length, `must have at most ${publicKeyAlgorithms.length} entries`),
      v.description('Algorithms that tokens may be signed with. Without it, all that fit the keys'),
    ),
  ),
  audience: v.optional(audienceField()),
  hide_credentials: v.optional(flag('Removes the token before the request goes to the upstream'), false),
  issuer: v.optional(text('What the claim `iss` of tokens must be, exactly', NAME_LENGTH_MAX)),
  public_key: text(
    "The issuer's public keys: PEM, a JWK or a JWK set as JSON text, or the address of a JWK set",
    PUBLIC_KEY_LENGTH_MAX,
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

/** Config of `oidc`. */
export const config = crossFieldRule(fields, ({ public_key: keys, algorithms = [] }) =>
  isKeySetAddress(keys) ? addressMistakes(keys) : keyMistakes(keys, algorithms),
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;

/** Whether the address may be called is the operator's rule, which a gateway keeps. */
function addressMistakes(address: string): readonly CrossFieldIssue[] {
  const url = URL.parse(address.trim());
  if (url === null) return [{ field: 'public_key', message: 'must be an address that can be read' }];
  return url.username === '' && url.password === '' && url.hash === ''
    ? []
    : [{ field: 'public_key', message: 'must be an address without user, password and fragment' }];
}

function keyMistakes(text: string, algorithms: readonly string[]): readonly CrossFieldIssue[] {
  const { keys, mistake } = readPublicKeys(text);
  if (keys === undefined) return [{ field: 'public_key', message: mistake }];
  const unfit = algorithms.filter((algorithm) => !keys.some((key) => key.algorithms.includes(algorithm)));
  return unfit.length === 0
    ? []
    : [{ field: 'algorithms', message: `${unfit.join(', ')} does not fit any key of public_key` }];
}
