import type { AuditCheckpointRow } from '../../../database/audit-tables.ts';

/** A place outside the database that remembers checkpoints, so that whoever rewrites the database is found out. */
export interface Anchor {
  /** For metrics and logs: `file`, `log` or `http`. */
  readonly kind: string;
  /** Rejects when the checkpoint is not safely there; it is then tried again. */
  put(checkpoint: AuditCheckpointRow): Promise<void>;
}

/** A checkpoint as anchors get it: one line of JSON. The note says whose it is, its size and root, and is signed. */
export function anchorLine({ chain, size, root, note, created_at }: AuditCheckpointRow): string {
  return JSON.stringify({ chain, size, root, note, created_at: new Date(created_at).toISOString() });
}
