import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { referenceProblems } from '../resources/reference-problems.ts';

/** Cache stores: who leads one to another server brings its password again. */
export const cacheStoreBehaviour: FamilyBehaviour = {
  check: ({ password }) => referenceProblems('/password', password, 'gateways read none for their stores'),
  secretDestinations: ({ driver, url }) => {
    const destination = [driver ?? null, url ?? null];
    return () => destination;
  },
};
