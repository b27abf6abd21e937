import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** AI gateway records. Source: spec, AI gateway records; wire contract, AI records. */
export const aiRecords: Family = {
  name: 'ai-records',
  singular: 'ai_record',
  summary: 'AI gateway records: model routes, consumer policies, caches',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  collectionPaths: ['/admin/ai-gateway/records'],
  fields: {
    kind: v.pipe(
      v.picklist(['model_route', 'policy', 'cache']),
      v.metadata({ 'x-immutable': true }),
      v.description('What the record is'),
    ),
    name: field.name,
    description: field.description,
    labels: field.labels,
    enabled: field.enabled,
    config: v.optional(v.pipe(v.record(v.string(), v.unknown()), v.description('Depends on kind')), {}),
  },
  readOnlyFields: {},
  references: [],
  keys: [{ name: 'name', fields: ['kind', 'name'], scope: 'tenant' }],
  filters: ['kind'],
  methods: ['POST', 'PATCH', 'DELETE'],
  bundle: { key: 'ai_records', level: 1 },
  deliveredToGateways: false,
};
