/** Snapshots that a tenant may have taken by hand; one more is refused. */
export const manualSnapshotsMax = 100;
/** Snapshots that a tenant keeps of those taken before a sync, an import or a rollback; the oldest go first. */
export const automaticSnapshotsMax = 100;
/** Characters of a snapshot's note. */
export const snapshotNoteLengthMax = 1_000;
/** Characters of the name of who took it. */
export const createdByLengthMax = 256;
