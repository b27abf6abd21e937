/** Why connections did not get through TLS: the values of a label, so that no client can add to them. */
export const tlsRefusals = [
  'plain_http',
  'not_tls',
  'malformed_hello',
  'unrecognized_name',
  'timeout',
  'closed',
  'protocol_version',
  'no_shared_cipher',
  'client_certificate_missing',
  'client_certificate_untrusted',
  'rejected_by_client',
  'gateway_error',
  'other',
] as const;

/** One of {@link tlsRefusals}. */
export type TlsRefusal = (typeof tlsRefusals)[number];

/** What the gateway itself and the system say. */
const exact: ReadonlyMap<string, TlsRefusal> = new Map([
  ['http', 'plain_http'],
  ['other', 'not_tls'],
  ['malformed', 'malformed_hello'],
  ['tooLong', 'malformed_hello'],
  ['unrecognized_name', 'unrecognized_name'],
  ['late', 'timeout'],
  ['gone', 'closed'],
  ['ECONNRESET', 'closed'],
  ['EPIPE', 'closed'],
  ['gateway_error', 'gateway_error'],
  ['ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE', 'client_certificate_missing'],
  ['ERR_SSL_NO_SHARED_CIPHER', 'no_shared_cipher'],
  ['ERR_SSL_NO_SUITABLE_SIGNATURE_ALGORITHM', 'no_shared_cipher'],
  ['ERR_SSL_NO_SUITABLE_KEY_SHARE', 'no_shared_cipher'],
  ['ERR_SSL_NO_SHARED_GROUP', 'no_shared_cipher'],
]);

/** Names of OpenSSL's, by what is in them; the first that fits. */
const patterns: readonly (readonly [RegExp, TlsRefusal])[] = [
  [/_ALERT_/, 'rejected_by_client'],
  [
    /^ERR_SSL_(UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW|WRONG_VERSION_NUMBER|UNKNOWN_PROTOCOL|.*_VERSION.*)$/,
    'protocol_version',
  ],
  // Without a prefix they are the verification's.
  [/CERT|CRL|SIGNATURE|ISSUER|CHAIN|CA$|PURPOSE|TRUST|PATH_LENGTH|HOSTNAME/, 'client_certificate_untrusted'],
];

/** The reason that a code stands for. */
export function tlsRefusalOf(code: string): TlsRefusal {
  const known = exact.get(code);
  if (known !== undefined) return known;
  return patterns.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
}
