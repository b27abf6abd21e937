import type { CollectionDescriptor } from './descriptor.ts';
import type { BundleRecord } from './json-values.ts';
import { OrdinalMatcher } from './ordinal-matcher.ts';
import type { RecordIndex } from './record-index.ts';

/** Live records that are tried before anything is looked up: the one after the last that was taken, and the one behind it. */
const triedAhead = 2;

/** Where the live records of one collection are found that records of a bundle may already be. */
export interface CandidateParts {
  readonly collection: CollectionDescriptor;
  readonly defaults: BundleRecord;
  /** In the order of creation. */
  readonly stored: readonly BundleRecord[];
  readonly index: RecordIndex;
  /** Whether a live record is what one of the bundle asks for. */
  readonly isSame: (named: BundleRecord, live: BundleRecord) => boolean;
}

/**
 * Finds the live records that those of a bundle leave as they are, when it is asked for them in the bundle's order. Most bundles hold
 * their records in the order in which they were once created: then each is the one after the one before, and no index is made
 * of a large collection only to say so. Others are looked up by their natural key, or by their place among those like them.
 */
export class Candidates {
  readonly #parts: CandidateParts;
  readonly #ordinals: OrdinalMatcher;
  #position = 0;

  constructor(parts: CandidateParts) {
    this.#parts = parts;
    this.#ordinals = new OrdinalMatcher(parts.collection, parts.stored, new Set());
  }

  /** The live record that says the same, if there is one. @param named a record of the bundle with IDs in place of names */
  next(named: BundleRecord): BundleRecord | undefined {
    const { stored, isSame } = this.#parts;
    for (let position = this.#position; position < this.#position + triedAhead; position += 1) {
      const expected = stored[position];
      if (!expected || !isSame(named, expected)) continue;
      this.#position = position + 1;
      return expected;
    }
    const found = this.#lookedUp(named);
    return found && isSame(named, found) ? found : undefined;
  }

  #lookedUp(named: BundleRecord): BundleRecord | undefined {
    const { index, defaults } = this.#parts;
    const holder = index.withKey(0, named);
    if (holder) return holder;
    const paired = this.#ordinals.next({ ...defaults, ...named });
    return paired === undefined ? undefined : index.withId(paired);
  }
}
