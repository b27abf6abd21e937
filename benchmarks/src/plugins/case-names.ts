/** The base line: a plugin that does nothing. */
export const baseLine = 'empty';

/** The base line of cases that run the response stage and the end of the exchange, too. */
export const wholeBaseLine = 'empty, whole exchange';

/** What is measured, in this order. */
export const caseNames: readonly string[] = [
  baseLine,
  wholeBaseLine,
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
  'acl_control',
  'advanced_rate_limiter',
  'bot_detection_basic',
  'canary_shadow_traffic',
  'correlation_id',
  'forward_proxy',
  'ip_blacklist',
  'ip_whitelist',
  'mock_response',
  'rate_limiter',
  'redirect',
  'request_termination',
  'request_transformer',
  'response_cache',
  'response_rate_limiter',
  'service_protection',
];
