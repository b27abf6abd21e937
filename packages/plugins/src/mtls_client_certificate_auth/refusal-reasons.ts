/*
 * Why a request is refused, for the operator's log alone: clients are not told, since it would help whoever forges certificates.
 */

/** There is no certificate to judge. */
export type Unpresented =
  | 'no_certificate'
  /** No certificate but the one in a header, of a peer that is not trusted. */
  | 'untrusted_header'
  /** The trusted peer does not say that it has verified the certificate. */
  | 'not_verified'
  | 'several_certificates'
  | 'certificate_too_large';

/** A rule that a path of certificates with good signatures does not keep. */
export type BrokenRule =
  | 'client_is_authority'
  | 'client_key_usage'
  | 'chain_extension'
  | 'weak_signature'
  | 'weak_key'
  | 'chain_purpose'
  | 'chain_no_authority'
  | 'chain_key_usage'
  | 'chain_path_length'
  | 'chain_name_constraints'
  | 'chain_policy';

/** A certificate is not trusted. */
export type Distrust =
  | BrokenRule
  | 'malformed_certificate'
  | 'not_yet_valid'
  | 'expired'
  /** No chain with good signatures leads to a trusted authority. */
  | 'unknown_authority'
  /** An authority on the way is not in its time. */
  | 'chain_expired';

/** A trusted certificate is not one of those that are allowed. */
export type Mismatch = 'common_name' | 'subject' | 'san';
