import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';
import { aiRecordKinds } from './ai/configs.ts';

/** AI gateway records. Source: spec, AI gateway records; wire contract, AI records. */
export const aiRecords: Family = {
  name: 'ai-records',
  singular: 'ai_record',
  summary: 'AI gateway records: model routes, consumer policies, caches',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  collectionPaths: ['/admin/ai-gateway/records'],
  fields: {
    kind: v.pipe(v.picklist(aiRecordKinds), v.metadata({ 'x-immutable': true }), v.description('What the record is')),
    name: field.name,
    description: field.description,
    labels: field.labels,
    enabled: field.enabled,
    config: v.optional(
      v.pipe(
        v.record(v.string(), v.unknown()),
        v.description(
          'Depends on kind, unknown fields are refused. model_route: model, aliases, strategy, targets [{provider, model, ' +
            'priority, weight, latency_ms, keywords, hints, enabled, timeout_ms, params}], latency_ewma_alpha, ' +
            'latency_cold_start, min_score, vector_dimensions. policy: allowed_models, denied_models, token_budget, ' +
            'token_budget_window_seconds, rate_limit, rate_window_seconds, consumer_group (or group), consumer_id. cache: enabled, mode, ttl_seconds, ' +
            'similarity_threshold, vary_by_tenant (false only where the operator lets tenants share), vary_by_consumer, vector_backend, vector_index_name, ' +
            'vector_path, vector_dimensions, vector_num_candidates, search_limit, embedding_provider (a name, or {provider ' +
            'or base_url, model, path, api_key_ref or api_key_env, timeout_ms or timeout in seconds}; also as embedding), embedding_model, ' +
            'embedding_fail_open, allow_scan_fallback. Credentials are references, never values',
        ),
      ),
      {},
    ),
  },
  readOnlyFields: {},
  references: [],
  keys: [{ name: 'name', fields: ['kind', 'name'], scope: 'tenant' }],
  filters: ['kind'],
  methods: ['POST', 'PATCH', 'DELETE'],
  bundle: { key: 'ai_records', level: 1 },
  deliveredToGateways: true,
};
