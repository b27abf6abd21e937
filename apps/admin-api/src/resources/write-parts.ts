import type { SecretBox } from '../secrets/secret-box.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import type { FamilyBehaviour } from './family-behaviour.ts';

/** What writes of records are made of. */
export interface WriteParts {
  readonly store: ResourceStore;
  readonly secrets: SecretBox;
  readonly behaviours: ReadonlyMap<string, FamilyBehaviour>;
  readonly nowMs: () => number;
  readonly newId: () => string;
}
