import { LRUCache } from 'lru-cache';
import { buildConfiguration } from './configuration-document.ts';
import type { ConfigurationSources, ConfigurationText } from './configuration-document.ts';
import { gatewayRevision } from './gateway-revision.ts';

/** Memory that kept documents may take, in characters of their text. A single larger document is built for each node. */
const keptCharactersMax = 128 * 1024 * 1024;

/** Gives gateways' configurations, each built once per revision however many nodes ask. */
export interface ConfigurationCache {
  /** The present configuration; `undefined` when the gateway is gone. */
  get(tenantId: string, gatewayId: string): Promise<ConfigurationText | undefined>;
}

/** Makes the cache. */
export function createConfigurationCache(sources: ConfigurationSources): ConfigurationCache {
  const kept = new LRUCache<string, ConfigurationText>({
    maxSize: keptCharactersMax,
    sizeCalculation: ({ text }) => text.length,
  });
  const building = new Map<string, Promise<ConfigurationText | undefined>>();
  return {
    async get(tenantId, gatewayId) {
      const key = `${tenantId}/${gatewayId}`;
      const revision = await gatewayRevision(sources.database.read, tenantId, gatewayId);
      const known = kept.get(key);
      if (known && known.revision >= revision) return known;
      const atRevision = `${key}@${revision}`;
      let build = building.get(atRevision);
      if (!build) {
        build = buildConfiguration(sources, tenantId, gatewayId).finally(() => building.delete(atRevision));
        building.set(atRevision, build);
      }
      const built = await build;
      if (built && built.text.length <= keptCharactersMax) kept.set(key, built);
      return built;
    },
  };
}
