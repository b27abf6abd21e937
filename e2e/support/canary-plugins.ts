/** `$` becomes a secret of its own, `$1` one that stands in several fields. `@` becomes the address of a service that says what it was sent. */
type Template = Readonly<Record<string, unknown>>;

const cloudKeys = { access_key_id: '$', secret_access_key: '$', session_token: '$' };

/**
 * Configs of built-in plugins in which each field that holds a secret has one. Which fields those are is asked of the control
 * plane: a field without a secret here is a failure of the test.
 */
export const secretPluginConfigs: Readonly<Record<string, readonly Template[]>> = {
  ai_proxy: [
    {
      providers: [
        {
          name: 'a',
          type: 'openai_compatible',
          base_url: '@/a',
          api_key: '$',
          headers: { 'x-team': '$' },
          models: ['first'],
        },
        {
          name: 'b',
          type: 'openai_compatible',
          base_url: '@/b',
          auth: { header_name: 'x-access', header_value: '$' },
          models: ['second'],
        },
        {
          name: 'c',
          type: 'openai_compatible',
          base_url: '@/c',
          auth: { param_name: 'key', param_value: '$' },
          models: ['third'],
        },
        { name: 'd', type: 'bedrock', region: 'eu-central-1', base_url: '@/d', ...cloudKeys },
      ],
      default_provider: 'a',
    },
  ],
  ai_rag_injector: [{ retrieval_url: '@/search?key=$', headers: { Authorization: 'Bearer $' }, fail_open: false }],
  api_key_auth: [{ header_name: 'X-API-Key', valid_keys: ['$', { key: '$', consumer: 'acme' }] }],
  apm_vendor: [
    { endpoint: '@/apm?key=$', api_key: '$', headers: { 'X-Agent': '$' } },
    { intake_url: '@/apm?key=$', api_key: '$' },
    { apm_endpoint: '@/apm?key=$', api_key: '$' },
  ],
  audit_event_stream: [
    { audit_endpoint: '@/audit?sig=$', headers: { Authorization: '$' }, fail_on_error: true },
    { endpoint: '@/audit?sig=$', action: 'read' },
  ],
  basic_auth: [{ allowed_users: [{ username: 'ops', password: '$' }] }],
  cloud_guardrails: [
    {
      guardrail_id: 'gr1abc2def3',
      guardrail_version: '4',
      region: 'eu-central-1',
      endpoint_url: '@/guard/$',
      ...cloudKeys,
    },
    { guardrail_id: 'gr1abc2def3', guardrail_version: '4', region: 'eu-central-1', endpoint_url: '@', ...cloudKeys },
  ],
  http_log: [
    { http_endpoint: '@/log?code=$', headers: { Authorization: '$' } },
    { endpoint: '@/log/$', headers: { 'x-key': '$' } },
  ],
  llm_as_judge: [{ judge_url: '@/judge?key=$', api_key: '$', headers: { 'X-Team': '$' } }],
  oauth2: [
    { introspection_url: '@/introspect?key=$', client_id: 'gateway', client_secret: '$' },
    { valid_tokens: ['$', { token: '$1', consumer: 'acme' }], token_claims: [{ token: '$1', claims: { scope: 'a' } }] },
  ],
  session_cookie_auth: [
    { cookie_name: 'session', valid_session_ids: ['$'], valid_sessions: [{ id: '$', username: 'kim' }] },
  ],
  stream_log: [{ bootstrap_servers: '127.0.0.1:1', topic: 'requests', kafka_headers: { source: '$' }, timeout: 1 }],
};
