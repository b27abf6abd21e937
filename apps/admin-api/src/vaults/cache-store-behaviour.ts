import type { FamilyBehaviour } from '../resources/family-behaviour.ts';

/** Cache stores: who leads one to another server brings its password again. */
export const cacheStoreBehaviour: FamilyBehaviour = {
  secretDestinations: ({ driver, url }) => {
    const destination = [driver ?? null, url ?? null];
    return () => destination;
  },
};
