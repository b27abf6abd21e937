import * as v from 'valibot';
import { addressField, headerSecretField, objectMistake, patternField, wholeNumberField } from '../../schema/fields.ts';

/** APIs asked for in each of the two lists. Source: spec, Integration driver configuration. */
export const PAGE_SIZE_DEFAULT = 25;
const PAGE_SIZE_MAX = 500;

/** APIs whose stages are read. Source: spec, Outbound integration sync calls. */
export const STAGE_APIS_DEFAULT = 10;
/** Each is a request, and the cloud takes ten of an account in a second. */
const STAGE_APIS_MAX = 50;

/** Where and how much. */
export interface CloudApiGatewayConfig {
  readonly region: string;
  readonly page_size?: number | undefined;
  readonly stage_api_limit?: number | undefined;
  readonly endpoint_url?: string | undefined;
}

/** Who signs. */
export interface CloudApiGatewaySecrets {
  readonly access_key_id: string;
  readonly secret_access_key: string;
  readonly session_token?: string | undefined;
}

/** Source: spec, Integration driver configuration; wire, Integrations; security, Holes (`region` is part of a host name). */
export const configSchema: v.GenericSchema<CloudApiGatewayConfig> = v.strictObject(
  {
    region: patternField(/^[a-z]{2}(?:-[a-z]{1,16}){1,4}-\d$/, 'a region, such as eu-central-1', {
      title: 'Region',
      description: 'Region whose APIs are listed',
      isAddress: true,
    }),
    page_size: v.optional(
      wholeNumberField(1, PAGE_SIZE_MAX, {
        title: 'Page size',
        description: 'APIs that are asked for, of REST and of HTTP APIs each',
      }),
      PAGE_SIZE_DEFAULT,
    ),
    stage_api_limit: v.optional(
      wholeNumberField(0, STAGE_APIS_MAX, {
        title: 'APIs with stages',
        description: 'APIs whose stages are read, REST APIs first',
      }),
      STAGE_APIS_DEFAULT,
    ),
    endpoint_url: v.optional(
      addressField({
        title: 'Endpoint',
        description: "Called in place of the cloud's own address of the region: a private endpoint, for instance",
      }),
    ),
  },
  objectMistake,
);

/** See {@link configSchema}. */
export const secretsSchema: v.GenericSchema<CloudApiGatewaySecrets> = v.strictObject(
  {
    access_key_id: headerSecretField({ title: 'Access key ID', description: 'Of a user that may read API Gateway' }),
    secret_access_key: headerSecretField({ title: 'Secret access key', description: 'Signs; it is never sent' }),
    session_token: v.optional(
      headerSecretField({ title: 'Session token', description: 'Needed with temporary credentials' }),
    ),
  },
  objectMistake,
);
