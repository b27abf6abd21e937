/** How a provider speaks. Source: ai, Provider object. */
export const providerTypes = [
  'openai',
  'openai_compatible',
  'azure_openai',
  'anthropic',
  'gemini',
  'vertex',
  'bedrock',
  'mistral',
  'cohere',
  'ollama',
] as const;

/** See {@link providerTypes}. */
export type ProviderType = (typeof providerTypes)[number];

/** A secret as a config names it: the value itself, or where it is. */
export type SecretName =
  | { readonly from: 'value'; readonly value: string }
  /** `vault://prefix/secret[/key]` or `env://NAME`. */
  | { readonly from: 'reference'; readonly reference: string };

/** A provider with its defaults. Made from a config by `readProvider`. Source: ai, Provider object. */
export interface Provider {
  readonly name: string;
  readonly type: ProviderType;
  /** Where the vendor's own base ends (`…/v1`), without a slash at the end. */
  readonly baseUrl: string;
  /** In place of the path that the adapter would choose. */
  readonly path?: string;
  readonly secrets: {
    readonly apiKey?: SecretName;
    readonly accessKeyId?: SecretName;
    readonly secretAccessKey?: SecretName;
    readonly sessionToken?: SecretName;
  };
  /** How the key is sent, where that is not the vendor's own way. */
  readonly auth?: {
    readonly headerName?: string;
    /** May hold the key's place as `{key}`. Without it the value is sent as it is, and is a secret. */
    readonly headerValue?: string;
    readonly paramName?: string;
    readonly paramValue?: string;
    readonly paramLocation?: 'query' | 'body';
  };
  /** Name and value by turns; sent with each request. */
  readonly headers: readonly string[];
  readonly organization?: string;
  readonly project?: string;
  readonly apiVersion?: string;
  readonly deploymentId?: string;
  readonly region?: string;
  /** Patterns of the models that it serves; empty for any. */
  readonly models: readonly string[];
  /** What it calls a model that targets and clients call otherwise. */
  readonly modelMap: ReadonlyMap<string, string>;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly firstByteTimeoutMs: number;
  readonly streamIdleTimeoutMs: number;
  readonly responseBytesMax: number;
  readonly supports: { readonly streamUsage: boolean; readonly tools: boolean; readonly jsonSchema: boolean };
  /** In a currency of the operator's choice, for a million tokens. */
  readonly pricing?: {
    readonly inputPerMillion: number;
    readonly outputPerMillion: number;
    readonly cachedInputPerMillion?: number;
  };
}
