import * as v from 'valibot';
import {
  choice,
  configObject,
  ENTRIES_MAX,
  flag,
  HEADER_NAME_LENGTH_MAX,
  wholeNumber,
} from '../shared/config-fields.ts';
import { crossFieldRule } from '../shared/config-rules.ts';
import { hmacAlgorithms } from './hmac.ts';

/** Furthest that the clocks of client and gateway may be apart, in seconds. A request can be sent again for as long. */
export const CLOCK_SKEW_MAX_SECONDS = 3600;

/** `authorization`: Kong's form; `message_signature`: RFC 9421. */
export const signatureForms = ['authorization', 'message_signature'] as const;

/** See {@link signatureForms}. */
export type SignatureForm = (typeof signatureForms)[number];

const fields = configObject({
  algorithms: v.optional(
    v.pipe(
      v.array(choice('An algorithm', hmacAlgorithms), 'must be a list of algorithms'),
      v.minLength(1, 'must not be empty'),
      v.maxLength(hmacAlgorithms.length, `must have at most ${hmacAlgorithms.length} entries`),
      v.description("Algorithms that are accepted, of those that the client's credential allows"),
    ),
    [...hmacAlgorithms],
  ),
  clock_skew: v.optional(
    wholeNumber('How far the time in a request may be from now, in seconds', 1, CLOCK_SKEW_MAX_SECONDS),
    300,
  ),
  enforce_headers: v.optional(
    namesField(
      'Headers that a signature of the form `authorization` must cover, `request-line` among them; a time always is needed',
      /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$|^@request-target$/,
      'must be a header name, request-line or @request-target',
    ),
    ['request-line'],
  ),
  hide_credentials: v.optional(flag('Removes the signature before the request goes to the upstream'), false),
  require_nonce: v.optional(
    flag('Signatures of the form `message_signature` must have a `nonce`, which is good once'),
    false,
  ),
  required_components: v.optional(
    namesField(
      'Components that a signature of the form `message_signature` must cover',
      /^@(?:method|target-uri|authority|scheme|request-target|path|query)$|^[!#$%&'*+\-.^_`|~0-9a-z]+$/,
      'must be a component of RFC 9421 without parameters: @method, or a header name in lower case',
    ),
    ['@method', '@authority', '@path', '@query'],
  ),
  signature_forms: v.optional(
    v.pipe(
      v.array(choice('A form', signatureForms), 'must be a list of forms'),
      v.minLength(1, 'must not be empty'),
      v.maxLength(signatureForms.length, `must have at most ${signatureForms.length} entries`),
      v.description('Where signatures stand: `Authorization: hmac …`, or the fields of RFC 9421'),
    ),
    ['authorization'],
  ),
  validate_request_body: v.optional(
    flag('A body must have a digest (`Digest` or `Content-Digest`) that the signature covers, and fit it'),
    false,
  ),
});

/** Config of `hmac_auth`. */
export const config = crossFieldRule(fields, ({ require_nonce: isNeeded, signature_forms: forms }) =>
  isNeeded && !forms.includes('message_signature')
    ? [{ field: 'require_nonce', message: 'needs message_signature in signature_forms: the other form has no nonce' }]
    : [],
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;

function namesField(description: string, form: RegExp, rule: string) {
  const name = v.pipe(
    v.string('must be text'),
    v.maxLength(HEADER_NAME_LENGTH_MAX, `must have at most ${HEADER_NAME_LENGTH_MAX} characters`),
    v.regex(form, rule),
  );
  return v.pipe(
    v.array(name, 'must be a list of names'),
    v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.description(description),
  );
}
