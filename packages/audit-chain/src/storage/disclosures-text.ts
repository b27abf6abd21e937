import type { LogRecord } from '../log/log-storage.ts';
import { jsonForm } from '../records/json-form.ts';

/** Disclosures as they are stored: one spelling, so that stored text can be compared. */
export function disclosuresText(disclosures: LogRecord['disclosures']): string {
  return jsonForm(disclosures);
}

/** A record from its columns. Databases give 64-bit integers as text. */
export function toRecord(row: Readonly<Record<string, unknown>>): LogRecord {
  return {
    canonical: String(row['canonical']),
    disclosures: JSON.parse(String(row['disclosures'])) as LogRecord['disclosures'],
    tenant_sequence: Number(row['tenant_sequence']),
    previous_hash: String(row['previous_hash']),
    audit_hash: String(row['audit_hash']),
    global_sequence: Number(row['global_sequence']),
    global_previous_hash: String(row['global_previous_hash']),
    global_hash: String(row['global_hash']),
  };
}

/** Names of tables begin so. Throws a TypeError for what is no plain name: it becomes a part of statements. */
export function tablePrefix(prefix: string): string {
  if (!/^[a-z][a-z0-9_]{0,31}$/.test(prefix)) throw new TypeError('a prefix of tables is 1 to 32 of a-z, 0-9 and _');
  return prefix;
}

/** What tables of logs are called unless the caller says otherwise. */
export const TABLE_PREFIX = 'audit_log_';
