import {
  type BundleDiff,
  type BundleProblem,
  type BundleState,
  isRedactionMask,
  redactionMask,
} from '@portcullis/bundle-diff';
import type { BundleRecord, ResolvedBundle } from '@portcullis/bundle-diff';
import { bundleFamilies } from '@portcullis/resources';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { valueAt, withValuesAt } from '../resources/json-pointer.ts';
import { ledAway } from '../resources/kept-secrets.ts';
import { secretPointersOf } from '../resources/secret-values.ts';

/**
 * Secrets that a bundle keeps by their masks while it leads them elsewhere: what the write would be refused for is said before, and by a dry run, too.
 * Masks stand for the secrets on both sides. Pure.
 */
export function plannedSecretProblems(
  live: BundleState,
  resolved: ResolvedBundle,
  diff: BundleDiff,
  behaviours: ReadonlyMap<string, FamilyBehaviour>,
): readonly BundleProblem[] {
  const { desired } = resolved;
  const updates = Map.groupBy(
    diff.changes.filter(({ action }) => action === 'update'),
    (change) => change.resource_type,
  );
  return bundleFamilies.flatMap((family): readonly BundleProblem[] => {
    const key = family.bundle.key;
    const behaviour = behaviours.get(family.name);
    const destinations = behaviour?.secretDestinations;
    const ids = new Set(updates.get(key)?.map(({ id }) => id));
    if (!destinations || ids.size === 0) return [];
    const before = new Map((live[key] ?? []).filter(({ id }) => ids.has(String(id))).map((one) => [one['id'], one]));
    return (desired[key] ?? []).flatMap((record): readonly BundleProblem[] => {
      const stored = before.get(record['id']);
      if (!stored) return [];
      const masksIn = (values: BundleRecord): [string, string][] =>
        secretPointersOf(family, behaviour, values).flatMap((pointer): [string, string][] => {
          const mask = valueAt(values, pointer);
          return typeof mask === 'string' && isRedactionMask(mask) ? [[pointer, mask]] : [];
        });
      const known = new Map(masksIn(stored));
      // A bare mask is the secret of the same place.
      const kept = new Map(
        masksIn(record).map(([pointer, mask]) => [pointer, mask === redactionMask ? known.get(pointer) : mask]),
      );
      const now = destinations(withValuesAt(record, kept));
      const index = resolved.indexOf.get(record) ?? 0;
      return ledAway({ before: destinations(stored), now }, known, kept).map((problem) => ({
        resource_type: key,
        index,
        id: String(record['id']),
        name: typeof record['name'] === 'string' ? record['name'] : null,
        ...problem,
        pointer: `/${key}/${index}${problem.pointer}`,
      }));
    });
  });
}
