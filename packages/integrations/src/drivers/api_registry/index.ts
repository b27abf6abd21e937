import { count, field, list } from '../../answer-fields.ts';
import { below } from '../../calls/base-url.ts';
import { defineDriver } from '../../define-driver.ts';
import type { Driver } from '../../driver.ts';
import { unexpectedForm } from '../../unexpected-form.ts';
import {
  type ApiRegistryConfig,
  type ApiRegistrySecrets,
  configSchema,
  REGISTRY_URL,
  secretsSchema,
} from './config.ts';
import { type RegisteredApi, readRegisteredApi } from './registered-api.ts';

/** What one look records. Source: spec, Outbound integration sync calls. */
export interface ApiRegistryMetadata {
  /** `null` when all that the key may see is listed. */
  readonly owner: string | null;
  /** All there are, as far as the registry says so; else those listed. */
  readonly api_count: number;
  /** The first page. */
  readonly apis: readonly RegisteredApi[];
  /** More exist than are listed. Where the registry gives no total: the page is full, so more may. */
  readonly truncated: boolean;
}

/** APIs on the one page that is read. */
const PAGE_SIZE = 50;

/** The first page of an API registry. Source: SwaggerHub's Registry API, `GET /apis` and `GET /apis/{owner}`. */
export const apiRegistry: Driver<ApiRegistryConfig, ApiRegistrySecrets, ApiRegistryMetadata> = defineDriver({
  name: 'api_registry',
  title: 'API registry',
  description: 'Lists the first APIs of a SwaggerHub registry',
  setup: 'self_service',
  configSchema,
  secretsSchema,
  limits: { timeoutMs: 15_000, responseBytesMax: 2 * 1024 * 1024 },
  known: ({ config }) => ({ owner: config.owner ?? null }),
  async read({ config: { base_url = REGISTRY_URL, owner }, secrets, ask, text }) {
    const path = owner === undefined ? '/apis' : `/apis/${encodeURIComponent(owner)}`;
    const url = below(base_url, `${path}?limit=${PAGE_SIZE}&page=0`);
    const { status, value } = await ask({ request: 'apis', url, headers: { authorization: secrets.api_key } });
    const given = list(field(value, 'apis'), Number.MAX_SAFE_INTEGER);
    if (given === undefined) throw unexpectedForm('apis', status, 'apis');
    const total = count(field(value, 'totalCount')) ?? count(field(value, 'total'));
    const apis = given.slice(0, PAGE_SIZE).map((entry) => readRegisteredApi(entry, text));
    return {
      owner: owner ?? null,
      api_count: Math.max(total ?? 0, given.length),
      apis,
      truncated: total === undefined ? given.length >= PAGE_SIZE : total > apis.length,
    };
  },
});
