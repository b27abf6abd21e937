import * as v from 'valibot';
import { addressField, headerSecretField, objectMistake, patternField } from '../../schema/fields.ts';

/** The vendor's registry. Source: spec, Integration driver configuration (`{registry_url}`). */
export const REGISTRY_URL = 'https://api.swaggerhub.com';

/** Which registry, and whose APIs. */
export interface ApiRegistryConfig {
  readonly base_url?: string | undefined;
  readonly owner?: string | undefined;
}

/** Who asks. */
export interface ApiRegistrySecrets {
  readonly api_key: string;
}

/** Source: spec, Integration driver configuration. */
export const configSchema: v.GenericSchema<ApiRegistryConfig> = v.strictObject(
  {
    base_url: v.optional(
      addressField({ title: 'Registry address', description: 'Of a registry of your own; the path ends before /apis' }),
      REGISTRY_URL,
    ),
    owner: v.optional(
      patternField(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/, '1 to 128 of A-Z a-z 0-9 . _ -, and not only dots', {
        title: 'Owner',
        description: 'User or organization whose APIs are listed; without one, all that the key may see',
      }),
    ),
  },
  objectMistake,
);

/** See {@link configSchema}. */
export const secretsSchema: v.GenericSchema<ApiRegistrySecrets> = v.strictObject(
  { api_key: headerSecretField({ title: 'API key', description: 'Sent as Authorization, as it is' }) },
  objectMistake,
);
