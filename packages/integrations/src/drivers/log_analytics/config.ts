import * as v from 'valibot';
import { addressField, headerSecretField, objectMistake, passwordField, usernameField } from '../../schema/fields.ts';
import { oneSetOf } from '../../schema/token-or-password.ts';

/** Which server. */
export interface LogAnalyticsConfig {
  readonly base_url: string;
}

/** Who asks: a token, or user and password. The token counts when both are given. */
export interface LogAnalyticsSecrets {
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** Source: spec, Integration driver configuration. */
export const configSchema: v.GenericSchema<LogAnalyticsConfig> = v.strictObject(
  {
    base_url: addressField({
      title: 'Management address',
      description: 'Of the management port, commonly 8089: https://splunk.example:8089',
    }),
  },
  objectMistake,
);

/** See {@link configSchema}. */
export const secretsSchema: v.GenericSchema<LogAnalyticsSecrets> = oneSetOf(
  {
    token: v.optional(
      headerSecretField({ title: 'Token', description: 'Authentication token; it counts before user and password' }),
    ),
    username: v.optional(usernameField({ title: 'User', description: 'A user that may read saved searches' })),
    password: v.optional(passwordField({ title: 'Password', description: 'Of that user' })),
  },
  [['token'], ['username', 'password']],
  'must have token, or both username and password',
);
