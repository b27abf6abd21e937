import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import { advanceImage } from './advance-image.ts';
import type { ConfigurationImage } from './configuration-image.ts';
import { gatewayRevision } from './gateway-revision.ts';
import { readImage, type ImageView } from './read-image.ts';

/** Memory that kept images may take, in characters of their lines. A single larger one is read for each request. */
const keptCharactersMax = 256 * 1024 * 1024;

/** What images are read from. */
export interface ImageSources {
  readonly database: Database;
  readonly store: ResourceStore;
  readonly secrets: SecretBox;
}

/** Gives gateways' images, each brought up to date once per revision however many nodes ask. */
export interface ConfigurationImages {
  /**
   * The present image; `undefined` when the gateway is gone. It moves on when others ask, so what is wanted of it has to be
   * taken before anything is awaited.
   */
  get(tenantId: string, gatewayId: string): Promise<ConfigurationImage | undefined>;
}

/** Makes the store of images. */
export function createConfigurationImages(sources: ImageSources): ConfigurationImages {
  const kept = new LRUCache<string, ConfigurationImage>({
    maxSize: keptCharactersMax,
    sizeCalculation: ({ characters }) => characters + 1,
  });
  const moving = new Map<string, Promise<ConfigurationImage | undefined>>();
  const move = async (key: string, tenantId: string, gatewayId: string): Promise<ConfigurationImage | undefined> => {
    const secrets = await sources.secrets.forTenant(tenantId);
    const before = kept.get(key);
    const after = await sources.database.snapshot((executor) => {
      const view: ImageView = { store: sources.store, secrets, executor, tenantId, gatewayId };
      return before ? advanceImage(view, before) : readImage(view);
    });
    // An image grows as it moves on, so its size is taken anew each time.
    kept.delete(key);
    if (after && after.characters < keptCharactersMax) kept.set(key, after);
    return after;
  };
  return {
    async get(tenantId, gatewayId) {
      const key = JSON.stringify([tenantId, gatewayId]);
      const revision = await gatewayRevision(sources.database.read, tenantId, gatewayId);
      const underWay = moving.get(key);
      // What is under way may have begun before the revision that is asked for.
      if (underWay) await underWay.catch(() => undefined);
      const known = kept.get(key);
      if (known && known.revision >= revision) return known;
      let next = moving.get(key);
      if (!next) {
        next = move(key, tenantId, gatewayId).finally(() => moving.delete(key));
        moving.set(key, next);
      }
      return next;
    },
  };
}
