import { recordProblem } from './bundle-problem.ts';
import type { CheckedEntry } from './check-document.ts';
import type { BundleDescriptor, BundleState, CollectionDescriptor, RecordProblem } from './descriptor.ts';
import { identify } from './identify.ts';
import type { BundleRecord } from './json-values.ts';
import type { OnLookUp } from './live-look-up.ts';
import { linkReferences } from './link-references.ts';
import type { OnMissing } from './link-references.ts';
import type { ProblemList } from './problem-list.ts';
import { RecordIndex, indexOfState } from './record-index.ts';

/** What a bundle is linked against. */
export interface LinkOptions {
  readonly descriptor: BundleDescriptor;
  readonly live: BundleState;
  /** Makes the ID of a record that is new. */
  readonly newId: () => string;
  /** Asked about a reference whose target is neither in the bundle nor live. */
  readonly onMissing: OnMissing;
  /** Told every look-up in `live`. */
  readonly onLookUp?: OnLookUp | undefined;
  /** Takes what is wrong. */
  readonly problems: ProblemList;
}

/** A record of the bundle with its ID and the IDs of what it refers to. */
export interface LinkedEntry {
  readonly index: number;
  readonly record: BundleRecord;
  /** The live record that it is; nothing for a new one. */
  readonly live: BundleRecord | undefined;
}

/** A record of the bundle while it is linked: a copy of its own, with the IDs of what it refers to. */
export interface LinkingEntry {
  readonly index: number;
  readonly values: Record<string, unknown>;
  /** See `CheckedEntry.isKnown`; then `values` is the live record itself. */
  readonly isKnown?: true;
}

/** The known records of a collection while a bundle is linked. */
export interface LinkedCollection {
  readonly live: RecordIndex;
  /** What the bundle brings, under the IDs that it will have. */
  readonly linked: RecordIndex;
}

/** Gives every record its ID and turns names into IDs, one collection after the other. Linear in the number of records. */
export function linkBundle(
  entries: ReadonlyMap<string, readonly CheckedEntry[]>,
  options: LinkOptions,
): ReadonlyMap<string, readonly LinkedEntry[]> {
  const known = new Map<string, LinkedCollection>();
  const linked = new Map<string, readonly LinkedEntry[]>();
  for (const collection of options.descriptor.collections) {
    const live = indexOfState(collection, options.live, options.onLookUp);
    const report = (entry: CheckedEntry, found: readonly RecordProblem[]): void => {
      // The ID of a live record is not what the bundle calls its own.
      const given = entry.isKnown ? { ...entry.values, id: undefined } : entry.values;
      for (const problem of found) {
        options.problems.add(() => recordProblem(collection, entry.index, given, problem));
      }
    };
    const referring = withReferences(collection, entries.get(collection.key) ?? [], known, options, report);
    const identified = identify(collection, referring, live, options, report);
    const records = identified.map(({ record }) => record);
    known.set(collection.key, { live, linked: new RecordIndex(collection, records) });
    linked.set(collection.key, identified);
  }
  return linked;
}

function withReferences(
  collection: CollectionDescriptor,
  entries: readonly CheckedEntry[],
  known: ReadonlyMap<string, LinkedCollection>,
  options: LinkOptions,
  report: (entry: CheckedEntry, problems: readonly RecordProblem[]) => void,
): readonly LinkingEntry[] {
  const referring: LinkingEntry[] = [];
  for (const entry of entries) {
    if (entry.isKnown) {
      referring.push(entry);
      continue;
    }
    const outcome = linkReferences(collection, entry, known, options.onMissing);
    if (outcome.ok) referring.push({ index: entry.index, values: outcome.values });
    else report(entry, outcome.problems);
  }
  return referring;
}
