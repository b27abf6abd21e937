import { bundleFamilies, familyNamed } from '@portcullis/resources';

/** A family with the array of a bundle, or of a snapshot's counts, that its records are in. */
export type SnapshotFamily = (typeof bundleFamilies)[number];

const lastLevel = Math.max(...bundleFamilies.map(({ bundle }) => bundle.level));

/**
 * The families whose records snapshots hold, in the order in which they can be created: those of bundles, and service versions and integrations,
 * which no bundle has: who rolls a mistaken deletion back gets them again, with their descriptions and sealed secrets. Source: decisions, 12.
 */
export const snapshotFamilies: readonly SnapshotFamily[] = [
  ...bundleFamilies,
  { ...familyNamed('service-versions'), bundle: { key: 'service_versions', level: lastLevel } },
  { ...familyNamed('integrations'), bundle: { key: 'integrations', level: lastLevel } },
];
