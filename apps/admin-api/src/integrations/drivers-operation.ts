import { type AnyDriver, driverNames, findDriver } from '@portcullis/integrations';
import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import type { Operation } from '../http/operation.ts';
import { integrationTag } from './integration-parts.ts';
import { driverListSchema } from './integration-schemas.ts';

/** `GET /integrations/drivers`: what each driver takes, and how a console asks for it. Source: wire contract, integrations. */
export function driversOperation(): Operation {
  const items = driverNames.flatMap((name) => {
    const driver = findDriver(name);
    return driver ? [driverView(driver)] : [];
  });
  return {
    id: 'listIntegrationDrivers',
    method: 'GET',
    paths: ['/admin/integrations/drivers'],
    tag: integrationTag,
    summary: 'The kinds of external systems: schemas of their settings and credentials, and set-up forms',
    access: 'read',
    responses: [{ status: 200, description: 'The drivers', schema: driverListSchema }],
    handler: async () => ({ status: 200, body: { items } }),
  };
}

function driverView({ name, title, description, configSchema, secretsSchema, form, addressFields, limits }: AnyDriver) {
  return {
    name,
    title,
    description,
    config_schema: jsonSchemaOf(configSchema),
    secrets_schema: jsonSchemaOf(secretsSchema),
    address_fields: addressFields,
    form,
    timeout_ms: limits.timeoutMs,
  };
}

function jsonSchemaOf(schema: GenericSchema) {
  // What callers send, and not what is made of it: fields with defaults may be left out.
  return toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' });
}
