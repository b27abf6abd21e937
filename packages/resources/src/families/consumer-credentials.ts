import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** Length bounds of an API key that a caller supplies. */
export const apiKeyLength = { min: 16, max: 512 } as const;

/** Credentials of consumers. Source: wire contract, Certificates, consumers, vaults. */
export const consumerCredentials: Family = {
  name: 'consumer-credentials',
  singular: 'consumer_credential',
  summary: 'Credentials: what a consumer proves itself with',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  fields: {
    consumer_id: v.pipe(field.reference, v.metadata({ 'x-immutable': true }), v.description('Whose credential it is')),
    type: v.pipe(v.picklist(['api_key']), v.metadata({ 'x-immutable': true }), v.description('Kind of credential')),
    name: field.name,
    key: v.optional(
      v.pipe(
        v.string(),
        v.minLength(apiKeyLength.min, `must have at least ${apiKeyLength.min} characters`),
        v.maxLength(apiKeyLength.max, `must have at most ${apiKeyLength.max} characters`),
        v.regex(/^[\x21-\x7E]+$/, 'must be printable ASCII without spaces'),
        v.metadata({ 'x-secret': true, writeOnly: true }),
        v.description('The key; made when absent, returned at creation only, stored hashed'),
      ),
    ),
    expires_at: v.optional(v.pipe(field.timestamp, v.description('The credential is refused from then on'))),
    enabled: field.enabled,
    labels: field.labels,
  },
  readOnlyFields: {
    key_prefix: v.optional(v.pipe(v.string(), v.description('First characters of the key, to tell keys apart'))),
  },
  references: [
    {
      field: 'consumer_id',
      family: 'consumers',
      nameField: 'consumer_name',
      nameScope: 'tenant',
      whenTargetIsDeleted: 'cascade',
    },
  ],
  keys: [
    { name: 'name', fields: ['type', 'name'], scope: { field: 'consumer_id' } },
    { name: 'key', fields: ['key_hash'], scope: 'tenant' },
  ],
  nestedPaths: [{ path: '/consumers/{consumer_id}/credentials', field: 'consumer_id', parameter: 'consumer_id' }],
  methods: ['POST', 'PATCH', 'DELETE'],
  bundle: { key: 'consumer_credentials', level: 4 },
  deliveredToGateways: true,
};
