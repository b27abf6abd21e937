import * as v from 'valibot';
import { addressField, headerSecretField, objectMistake, passwordField, usernameField } from '../../schema/fields.ts';
import { oneSetOf } from '../../schema/token-or-password.ts';

/** Which instance. */
export interface ItServiceManagementConfig {
  readonly instance_url: string;
}

/** Who asks: a token, or user and password. The token counts when both are given. */
export interface ItServiceManagementSecrets {
  readonly access_token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** Source: spec, Integration driver configuration. */
export const configSchema: v.GenericSchema<ItServiceManagementConfig> = v.strictObject(
  { instance_url: addressField({ title: 'Instance address', description: 'Such as https://example.service-now.com' }) },
  objectMistake,
);

/** See {@link configSchema}. */
export const secretsSchema: v.GenericSchema<ItServiceManagementSecrets> = oneSetOf(
  {
    access_token: v.optional(
      headerSecretField({ title: 'Access token', description: 'OAuth token; it counts before user and password' }),
    ),
    username: v.optional(usernameField({ title: 'User', description: 'A user that may read the incident table' })),
    password: v.optional(passwordField({ title: 'Password', description: 'Of that user' })),
  },
  [['access_token'], ['username', 'password']],
  'must have access_token, or both username and password',
);
