import type { NaturalKey } from './descriptor.ts';
import type { BundleRecord } from './json-values.ts';

/** Something that resolving a bundle asks of the live state. */
export type LiveLookUp =
  /** The record with this ID. */
  | { readonly kind: 'id'; readonly collection: string; readonly id: string }
  /** The record that holds this natural key; `values` has the fields of the key, and the one that it is unique within. */
  | { readonly kind: 'key'; readonly collection: string; readonly key: NaturalKey; readonly values: BundleRecord }
  /** All records without a natural key that agree with `values` in the collection's `matchBy`. */
  | { readonly kind: 'unkeyed'; readonly collection: string; readonly values: BundleRecord };

/** Told every look-up as it is made, the same one perhaps several times. */
export type OnLookUp = (lookUp: LiveLookUp) => void;
