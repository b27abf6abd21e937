import * as v from 'valibot';
import { addressField, choiceField, headerSecretField, objectMistake } from '../../schema/fields.ts';

/** Where accounts live, and who answers for them. */
export const HOSTS = {
  us: 'https://api.opsgenie.com',
  eu: 'https://api.eu.opsgenie.com',
} as const;

/** Which account. */
export interface IncidentAlertingConfig {
  readonly region?: 'us' | 'eu' | undefined;
  readonly api_url?: string | undefined;
}

/** Who asks. */
export interface IncidentAlertingSecrets {
  readonly api_key: string;
}

/** Source: spec, Integration driver configuration; security, Holes (`region` is part of a host name). */
export const configSchema: v.GenericSchema<IncidentAlertingConfig> = v.strictObject(
  {
    region: v.optional(
      choiceField(['us', 'eu'], {
        title: 'Region',
        description: 'Where the account lives',
        isAddress: true,
      }),
      'us',
    ),
    api_url: v.optional(
      addressField({ title: 'API address', description: "Called in place of the region's own address" }),
    ),
  },
  objectMistake,
);

/** See {@link configSchema}. */
export const secretsSchema: v.GenericSchema<IncidentAlertingSecrets> = v.strictObject(
  { api_key: headerSecretField({ title: 'API key', description: 'Of an API integration that may read' }) },
  objectMistake,
);
