/** The base line: a plugin that does nothing. */
export const baseLine = 'empty';

/** What is measured, in this order. */
export const caseNames: readonly string[] = [
  baseLine,
  'api_key_auth',
  'basic_auth',
  'hmac_auth',
  'jwt_auth',
  'ldap_auth',
  'mtls_client_certificate_auth',
  'oauth2',
  'oidc',
  'session_cookie_auth',
  'vault_authentication',
  'correlation_id',
  'rate_limiter',
  'request_termination',
  'request_transformer',
];
