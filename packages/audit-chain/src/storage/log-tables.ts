/** The tables of a log, in words that SQLite and PostgreSQL both know. Hashes and canonical text are kept as they are. */
export function logTables(prefix: string): string {
  return `
    CREATE TABLE IF NOT EXISTS ${prefix}heads (
      chain TEXT PRIMARY KEY, sequence BIGINT NOT NULL, hash TEXT NOT NULL, subtrees TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS ${prefix}records (
      global_sequence BIGINT PRIMARY KEY, tenant_sequence BIGINT NOT NULL, canonical TEXT NOT NULL, disclosures TEXT NOT NULL,
      previous_hash TEXT NOT NULL, audit_hash TEXT NOT NULL, global_previous_hash TEXT NOT NULL, global_hash TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS ${prefix}nodes (
      level INTEGER NOT NULL, position BIGINT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (level, position));
    CREATE TABLE IF NOT EXISTS ${prefix}checkpoints (size BIGINT PRIMARY KEY, note TEXT NOT NULL);`;
}

/** Columns of a record, in the order of `recordValues`. */
export const RECORD_COLUMNS: readonly string[] = [
  'global_sequence',
  'tenant_sequence',
  'canonical',
  'disclosures',
  'previous_hash',
  'audit_hash',
  'global_previous_hash',
  'global_hash',
];
