import type { ProviderType } from './provider.ts';

/** A provider as a config writes it; see `providerSchema`. Source: ai, Provider object. */
export interface ProviderConfig extends ProviderSecrets {
  name: string;
  type: ProviderType;
  base_url?: string | undefined;
  path?: string | undefined;
  auth?: ProviderAuthConfig | undefined;
  headers?: Record<string, string> | undefined;
  organization?: string | undefined;
  project?: string | undefined;
  api_version?: string | undefined;
  deployment_id?: string | undefined;
  region?: string | undefined;
  models?: string[] | undefined;
  model_map?: Record<string, string> | undefined;
  timeout_ms?: number | undefined;
  connect_timeout_ms?: number | undefined;
  first_byte_timeout_ms?: number | undefined;
  stream_idle_timeout_ms?: number | undefined;
  max_response_bytes?: number | undefined;
  supports?:
    | { stream_usage?: boolean | undefined; tools?: boolean | undefined; json_schema?: boolean | undefined }
    | undefined;
  pricing?:
    | { input_per_million: number; output_per_million: number; cached_input_per_million?: number | undefined }
    | undefined;
  enabled?: boolean | undefined;
  tls_verify?: true | undefined;
}

/** The same where the name may stand outside. */
export type UnnamedProviderConfig = Omit<ProviderConfig, 'name'> & { name?: string | undefined };

/** Each secret as itself, as a variable's name or as a reference: one of the three at most. */
export interface ProviderSecrets {
  api_key?: string | undefined;
  api_key_env?: string | undefined;
  api_key_ref?: string | undefined;
  access_key_id?: string | undefined;
  access_key_id_env?: string | undefined;
  access_key_id_ref?: string | undefined;
  secret_access_key?: string | undefined;
  secret_access_key_env?: string | undefined;
  secret_access_key_ref?: string | undefined;
  session_token?: string | undefined;
  session_token_env?: string | undefined;
  session_token_ref?: string | undefined;
}

/** How the key is sent, where that is not the vendor's own way. */
export interface ProviderAuthConfig {
  header_name?: string | undefined;
  header_value?: string | undefined;
  param_name?: string | undefined;
  param_value?: string | undefined;
  param_location?: 'query' | 'body' | undefined;
}
