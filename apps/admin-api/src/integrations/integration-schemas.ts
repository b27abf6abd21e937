import { familyNamed, integrationDrivers, maxCharacters, readSchema } from '@portcullis/resources';
import * as v from 'valibot';
import { integrationFamily } from './integration-states.ts';

/** What begins a sync: nothing but, for a super administrator, the tenant. */
export const syncRequestSchema: v.GenericSchema = v.pipe(
  v.strictObject({
    tenant_id: v.optional(v.pipe(v.string(), maxCharacters(128), v.description('The tenant, also in the query'))),
  }),
  v.title('IntegrationSyncRequest'),
);

const shown = (
  readSchema(familyNamed(integrationFamily)) as unknown as {
    pipe: [{ entries: { last_sync: { wrapped: { pipe: [v.ObjectSchema<v.ObjectEntries, undefined>] } } } }];
  }
).pipe[0].entries;
const result = {
  ...shown.last_sync.wrapped.pipe[0].entries,
  // Left out in lists of integrations only.
  metadata: v.record(v.string(), v.unknown()),
};

/** What a sync came to. Source: wire contract, AI records, integrations, SDKs. */
export const syncResultSchema: v.GenericSchema = v.pipe(v.object(result), v.title('IntegrationSyncResult'));

/** A page of an integration's history. */
export const syncListSchema: v.GenericSchema = v.pipe(
  v.object({
    items: v.array(
      v.object({
        id: v.string(),
        integration_id: v.string(),
        actor: v.pipe(v.string(), v.description('Who asked for it')),
        record_revision: v.pipe(v.number(), v.description('Revision of the integration when it began')),
        ...result,
      }),
    ),
    total: v.number(),
    skip: v.number(),
    limit: v.number(),
  }),
  v.title('IntegrationSyncList'),
);

const jsonSchema = v.record(v.string(), v.unknown());

/** The drivers. */
export const driverListSchema: v.GenericSchema = v.pipe(
  v.object({
    items: v.array(
      v.object({
        name: v.picklist(integrationDrivers),
        title: v.string(),
        description: v.string(),
        config_schema: v.pipe(jsonSchema, v.description('JSON Schema of `config`')),
        secrets_schema: v.pipe(jsonSchema, v.description('JSON Schema of `secrets`')),
        address_fields: v.pipe(
          v.array(v.string()),
          v.description(
            'Fields of `config` that decide where the secrets are sent: who changes one sends the secrets again',
          ),
        ),
        form: v.object({
          setup: v.pipe(
            v.picklist(['self_service', 'by_request', 'none']),
            v.description('How a console lets somebody set one up; the API takes all alike'),
          ),
          fields: v.array(
            v.object({
              name: v.string(),
              in: v.picklist(['config', 'secrets']),
              label: v.string(),
              help: v.string(),
              input: v.picklist(['text', 'url', 'number', 'select', 'password']),
              required: v.boolean(),
              default: v.optional(v.union([v.string(), v.number()])),
              options: v.optional(v.array(v.string())),
              min: v.optional(v.number()),
              max: v.optional(v.number()),
            }),
          ),
          alternatives: v.pipe(
            v.array(v.array(v.string())),
            v.description('Sets of secrets of which one has to be whole; the first counts'),
          ),
        }),
        timeout_ms: v.pipe(v.number(), v.description('Longest time of a sync')),
      }),
    ),
  }),
  v.title('IntegrationDriverList'),
);
