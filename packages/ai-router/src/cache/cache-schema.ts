import * as v from 'valibot';
import {
  looseObject,
  nameField,
  numberField,
  strictObject,
  type ObjectMaker,
  wholeNumberField,
} from '../config/fields.ts';
import { aliasProblems, fieldRule, type AliasProblem } from '../config/problems.ts';
import { isJsonObject } from '../json.ts';
import { cacheBounds, type CacheMode, cacheModes, type VectorBackend, vectorBackends } from './cache-settings.ts';
import { embeddingSchema, type EmbeddingConfig } from './embedding-schema.ts';

/** Other names of a cache's fields. */
export const cacheAliases = { embedding: 'embedding_provider' } as const;

/** Names of a document's fields with dots between them; the first is none that documents of the cache have. */
const VECTOR_PATH =
  /^(?!(?:_id|space|key|partition|prompt|provider|model|body|stored_at|expires_at|bytes|__proto__)(?:\.|$))[A-Za-z_]\w{0,63}(?:\.(?!__proto__(?:\.|$))[A-Za-z_]\w{0,63}){0,7}$/;

/** A cache as configs and records hold it. */
export interface CacheConfig {
  enabled?: boolean | undefined;
  mode?: CacheMode | undefined;
  ttl_seconds?: number | undefined;
  similarity_threshold?: number | undefined;
  vary_by_tenant?: boolean | undefined;
  vary_by_consumer?: boolean | undefined;
  vector_backend?: VectorBackend | undefined;
  vector_index_name?: string | undefined;
  vector_path?: string | undefined;
  vector_dimensions?: number | undefined;
  vector_num_candidates?: number | undefined;
  search_limit?: number | undefined;
  embedding_provider?: string | EmbeddingConfig | undefined;
  embedding?: string | EmbeddingConfig | undefined;
  embedding_model?: string | undefined;
  embedding_fail_open?: boolean | undefined;
  allow_scan_fallback?: boolean | undefined;
}

/** The config of a cache, without defaults. Unknown fields are refused. Source: spec, AI gateway records. */
export const cacheSchema: v.GenericSchema<CacheConfig> = schemaOf(strictObject);

/** The same, and unknown fields are left out: what a newer control plane sends must not switch a cache off. */
export const looseCacheSchema: v.GenericSchema<unknown, CacheConfig> = schemaOf(looseObject);

function schemaOf(objectOf: ObjectMaker): v.GenericSchema<CacheConfig> {
  const { ttlSeconds } = cacheBounds;
  const source = v.optional(
    v.pipe(
      v.union(
        [nameField('Name of a provider'), embeddingSchema(objectOf)],
        'must be the name of a provider, or an object with provider or base_url',
      ),
      v.description(
        'Who makes vectors of texts: a provider, or an address of its own; built-in hash vectors when absent',
      ),
    ),
  );
  const fields: v.GenericSchema<CacheConfig> = objectOf({
    enabled: flag('Whether answers are cached; true by default'),
    mode: v.optional(
      v.pipe(
        v.picklist(cacheModes, `must be one of ${cacheModes.join(', ')}`),
        v.description(
          'What is compared: all of the request, the meaning of its last user text, or both; hybrid by default where similarity_threshold or a source of vectors is given, else exact',
        ),
      ),
    ),
    ttl_seconds: v.optional(
      wholeNumberField('How long an answer is given; 300 by default', ttlSeconds.min, ttlSeconds.max),
    ),
    similarity_threshold: v.optional(numberField('Cosine from which on two texts ask the same; 0.92 by default', 0, 1)),
    vary_by_tenant: flag(
      'Whether each tenant has answers of its own; false only where the operator lets tenants share',
    ),
    vary_by_consumer: flag('Whether each consumer has answers of its own; true by default'),
    vector_backend: v.optional(
      v.pipe(
        v.picklist(vectorBackends, `must be one of ${vectorBackends.join(', ')}`),
        v.description('Where answers and vectors are; memory by default'),
      ),
    ),
    vector_index_name: v.optional(nameField('Name of the vector index of the database')),
    vector_path: v.optional(
      v.pipe(
        nameField('Field of a document that holds the vector'),
        v.regex(VECTOR_PATH, 'must be names with dots between them, and no field that documents have'),
      ),
    ),
    vector_dimensions: v.optional(wholeNumberField('Length of vectors; moved to 8 to 512, 256 by default', 1)),
    vector_num_candidates: v.optional(wholeNumberField('Entries that an index looks at', 1)),
    search_limit: v.optional(wholeNumberField('Entries that a search gives; moved to 1 to 100, 5 by default', 0)),
    embedding_provider: source,
    embedding: source,
    embedding_model: v.optional(nameField('What the embedding provider calls the model')),
    embedding_fail_open: flag('Whether requests go on without a search when no vector can be had; true by default'),
    allow_scan_fallback: flag(
      'Whether entries are compared one by one where there is no vector index; true by default',
    ),
  });
  return fieldRule(fields, (given) => [...aliasProblems(given, cacheAliases), ...modelProblems(given)]);
}

function flag(description: string) {
  return v.optional(v.pipe(v.boolean('must be true or false'), v.description(description)));
}

/** A provider has many models, and one has to be named; a model without a provider is nobody's. */
function modelProblems(given: Readonly<Record<string, unknown>>): readonly AliasProblem[] {
  const source = given['embedding_provider'] ?? given['embedding'];
  const isNamed = given['embedding_model'] !== undefined || (isJsonObject(source) && source['model'] !== undefined);
  if (source === undefined && isNamed) {
    return [{ field: 'embedding_model', message: 'needs embedding_provider: the built-in vectors have no model' }];
  }
  if (source === undefined || isNamed) return [];
  return [{ field: 'embedding_model', message: 'is required with a provider of embeddings' }];
}
