import type { CacheSettings } from '../cache/cache-settings.ts';
import { readCache } from '../cache/read-cache.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { AiPolicy } from '../policy/policy.ts';
import { readPolicy, scopeOf } from '../policy/read-policy.ts';
import { readModelRoute } from '../routing/read-route.ts';
import type { ModelRoute } from '../routing/route.ts';
import { InvalidConfigError } from './problems.ts';

/** An AI record. `AiRecord` of `@portcullis/plugin-runtime` is one. */
export interface TenantAiRecord {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly config: Readonly<JsonObject>;
}

/** What a tenant's records mean. */
export interface TenantAiConfig {
  readonly routes: readonly ModelRoute[];
  readonly policies: readonly AiPolicy[];
  /** That of the record called `default`, else of the first that is on; `undefined` for none. */
  readonly cache: CacheSettings | undefined;
  /** IDs of cache records that are on and do not count, because another one does. */
  readonly idleCaches: readonly string[];
  /** Records that cannot be read, for logs. */
  readonly problems: readonly { readonly record: string; readonly message: string }[];
}

/** Name of the record that counts where a tenant has several caches. */
export const DEFAULT_CACHE = 'default';

/**
 * What a tenant's enabled records mean, in their order; kinds that are not known are left out. A route or cache that cannot be read is left out, too. A policy that cannot be
 * read denies all models to whom it is for: to leave it out would let them do everything.
 */
export function readAiRecords(records: readonly TenantAiRecord[]): TenantAiConfig {
  const routes: ModelRoute[] = [];
  const policies: AiPolicy[] = [];
  const caches: { readonly name: string; readonly settings: CacheSettings }[] = [];
  const problems: { record: string; message: string }[] = [];
  for (const { id, kind, name, config } of records) {
    try {
      if (kind === 'model_route') routes.push(readModelRoute(name, config, id));
      else if (kind === 'policy') policies.push(readPolicy(name, config, id));
      else if (kind === 'cache') {
        const settings = readCache(config, id);
        if (settings !== undefined) caches.push({ name, settings });
      }
    } catch (error) {
      if (!(error instanceof InvalidConfigError)) throw error;
      problems.push({ record: id, message: error.message });
      if (kind === 'policy') policies.push(closedPolicy(id, name, config));
    }
  }
  const cache = (caches.find(({ name }) => name === DEFAULT_CACHE) ?? caches[0])?.settings;
  const idleCaches = caches.map(({ settings }) => settings.id).filter((id) => id !== cache?.id);
  return { routes, policies, cache, idleCaches, problems };
}

function closedPolicy(id: string, name: string, config: unknown): AiPolicy {
  const given = isJsonObject(config) ? config : {};
  const texts = Object.entries(given).filter(([, value]) => typeof value === 'string');
  const scope = scopeOf(Object.fromEntries(texts), name);
  return { ...readPolicy(name, {}, id), ...scope, deniedModels: ['*'] };
}
