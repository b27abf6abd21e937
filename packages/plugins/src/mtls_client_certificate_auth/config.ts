import * as v from 'valibot';
import { upstreamHeadersField } from '../shared/claims/upstream-headers-field.ts';
import {
  configObject,
  flag,
  HEADER_VALUE_LENGTH_MAX,
  text,
  wholeNumber,
  writtenHeaderName,
} from '../shared/config-fields.ts';
import { crossFieldRule, type CrossFieldIssue } from '../shared/config-rules.ts';
import { parseAlternativeName } from './alternative-names.ts';
import { CLAIMS } from './certificate-claims.ts';
import { parseName } from './name-text.ts';
import { readAuthorities } from './trusted-authorities.ts';

/** Most names and fingerprints of one list. */
export const NAMES_MAX = 1000;

/** Longest name, in characters. */
export const NAME_LENGTH_MAX = 1024;

/** Most PEM texts, and the longest of them in characters. */
export const PEMS_MAX = 100;
export const PEM_LENGTH_MAX = 262_144;

/** How large a client's certificates may be, in bytes. */
export const CERTIFICATE_BYTES_MIN = 256;
export const CERTIFICATE_BYTES_MAX = 131_072;

const fingerprint = v.pipe(
  text('SHA-256 of a certificate', 95),
  v.regex(
    /^(?:[0-9A-Fa-f]{64}|[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){31})$/,
    'must be a SHA-256 fingerprint: 64 hex digits, or 32 pairs with colons',
  ),
);

const subject = v.pipe(
  text('A subject', NAME_LENGTH_MAX),
  v.check((name) => parseName(name) !== undefined, 'must be a name as in RFC 4514: CN=client,O=Acme,C=DE'),
);

const alternativeName = v.pipe(
  text('An alternative name', NAME_LENGTH_MAX),
  v.check((name) => parseAlternativeName(name) !== undefined, 'must be an IP address after IP:'),
);

const fields = configObject({
  trusted_ca_pems: v.optional(
    v.pipe(
      listOf(text('One or several certificates in PEM', PEM_LENGTH_MAX), PEMS_MAX),
      authoritiesCheck(),
      v.description('Certificates of the authorities that clients are believed with, in PEM'),
    ),
  ),
  trusted_fingerprints: v.optional(
    v.pipe(
      listOf(fingerprint, NAMES_MAX),
      v.description('SHA-256 fingerprints of certificates that are believed by themselves, with or without colons'),
    ),
  ),
  require_verified_header: v.optional(
    flag(
      'The gateway itself, or a trusted proxy that says so, must have verified the certificate; it must also pass what else is configured',
    ),
    false,
  ),
  verify_header_name: v.optional(
    writtenHeaderName('Request header in which a trusted proxy says whether it has verified the certificate'),
    'X-SSL-Client-Verify',
  ),
  verify_header_value: v.optional(text('What that header has to say', HEADER_VALUE_LENGTH_MAX), 'SUCCESS'),
  header_name: v.optional(
    writtenHeaderName('Request header in which a trusted proxy forwards the certificate'),
    'X-SSL-Client-Cert',
  ),
  hide_certificate_header: v.optional(
    flag('Keep the headers of a trusted proxy from the upstream, too; those of others never reach it'),
    false,
  ),
  max_cert_bytes: v.optional(
    wholeNumber(
      'Most bytes of the certificate with its issuers, as forwarded or in DER; a larger one is refused unread',
      CERTIFICATE_BYTES_MIN,
      CERTIFICATE_BYTES_MAX,
    ),
    16_384,
  ),
  allowed_common_names: v.optional(
    v.pipe(
      listOf(text('A common name', NAME_LENGTH_MAX), NAMES_MAX),
      v.description('Common names, of which the certificate must have one, exactly'),
    ),
  ),
  allowed_subjects: v.optional(
    v.pipe(
      listOf(subject, NAMES_MAX),
      v.description(
        'Subjects, of which the certificate must have one; written as in RFC 4514: `CN=client,O=Acme,C=DE`',
      ),
    ),
  ),
  required_sans: v.optional(
    v.pipe(
      listOf(alternativeName, NAMES_MAX),
      v.description(
        'Alternative names that the certificate must all have, exactly: `DNS:…`, `URI:…`, `email:…`, `IP:…`',
      ),
    ),
  ),
  upstream_headers: v.optional(upstreamHeadersField('the certificate')),
});

const trustedSomehow = v.pipe(
  fields,
  v.check(
    ({ trusted_ca_pems: authorities, trusted_fingerprints: pins, require_verified_header: isVerified }) =>
      authorities !== undefined || pins !== undefined || isVerified,
    'needs at least one of trusted_ca_pems, trusted_fingerprints, require_verified_header: true',
  ),
  v.metadata({
    anyOf: [
      { required: ['trusted_ca_pems'] },
      { required: ['trusted_fingerprints'] },
      { required: ['require_verified_header'], properties: { require_verified_header: { const: true } } },
    ],
  }),
);

/** Config of `mtls_client_certificate_auth`. */
export const config = crossFieldRule(trustedSomehow as typeof fields, (given) => [
  ...differentHeaders(given),
  ...knownClaims(given.upstream_headers ?? {}),
]);

/** See {@link config}. */
export type Config = v.InferOutput<typeof fields>;

function listOf<Schema extends v.GenericSchema>(item: Schema, lengthMax: number) {
  return v.pipe(
    v.array(item, 'must be a list'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(lengthMax, `must have at most ${lengthMax} entries`),
  );
}

/** Each text has its issue. They are looked at together: the certificates of all of them are counted before one is read. */
function authoritiesCheck() {
  return v.rawCheck<string[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const input = dataset.value;
    for (const { index: key, message } of readAuthorities(input).issues) {
      if (key === undefined) addIssue({ message });
      else addIssue({ message, path: [{ type: 'array', origin: 'value', input, key, value: input[key] }] });
    }
  });
}

function differentHeaders({ header_name: certificate, verify_header_name: verified }: Config): CrossFieldIssue[] {
  if (certificate.toLowerCase() !== verified.toLowerCase()) return [];
  return [{ field: 'verify_header_name', message: 'must not be the header of the certificate itself' }];
}

function knownClaims(headers: Readonly<Record<string, string>>): CrossFieldIssue[] {
  const unknown = Object.values(headers).some((claim) => !CLAIMS.some((known) => known === claim));
  return unknown ? [{ field: 'upstream_headers', message: `may name the claims ${CLAIMS.join(', ')}` }] : [];
}
