import type { EpochMs } from './column-values.ts';

/** A description of a service version. Records, and what snapshots keep of them, name it by its digest. */
export interface ApiDescriptionRow {
  tenant_id: string;
  /** Of the service version. */
  version_id: string;
  /** Of the description's JSON: SHA-256, lower-case hex. */
  sha256: string;
  /** The first revision of the tenant at which the version had it. */
  from_revision: number;
  /** The first revision at which the version did not have it any more; `null` while it has. */
  until_revision: number | null;
  /** When that was. */
  until_at: EpochMs | null;
  /** The description as JSON, gzip, base64. */
  packed: string;
}
