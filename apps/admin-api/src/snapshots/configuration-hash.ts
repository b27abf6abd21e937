import { hash } from 'node:crypto';
import { jsonForm } from '@portcullis/audit-chain';
import type { StoredRecord } from '../store/resource-store.ts';
import { snapshotFamilies } from './snapshot-families.ts';

/** What a tenant's configuration amounts to: the records of all families that snapshots hold. */
export interface ConfigurationTotals {
  /** 256 bits, lower-case hex: equal for equal sets of records, whenever and in whatever order they were written. */
  readonly hash: string;
  /** UTF-8 bytes of all records in the form that is hashed. */
  readonly bytes: number;
  /** Records by the name of their collection in bundles; families without a record are left out. */
  readonly counts: Readonly<Record<string, number>>;
}

/** What of a record is configuration; revisions and timestamps are not. */
export type HashedRecord = Pick<StoredRecord, 'family' | 'id' | 'gatewayId' | 'name' | 'enabled' | 'body'>;

const modulus = 1n << 256n;
const hashDigits = 64;
/** Separates this hash from every other use of SHA-256 in the product. */
const recordDomain = 'portcullis/configuration/v1/record\0';
const collections: ReadonlyMap<string, string> = new Map(
  snapshotFamilies.map(({ name, bundle }) => [name, bundle.key] as const),
);

/** The totals of a tenant without records. */
export const emptyConfiguration: ConfigurationTotals = { hash: '0'.repeat(hashDigits), bytes: 0, counts: {} };

/** Whether records of a family are part of the configuration. */
export function isConfiguration(family: string): boolean {
  return collections.has(family);
}

/**
 * Keeps a tenant's totals while records come and go, without looking at the others. The hash is the sum modulo 2^256 of
 * the SHA-256 of each record, so a record is taken out by subtracting what it had added. That tells states apart that come
 * about by honest writes; it is no proof against somebody who makes up records to collide, who would have to write them.
 */
export class ConfigurationSum {
  #hash: bigint;
  #bytes: number;
  readonly #counts: Map<string, number>;

  constructor(totals: ConfigurationTotals = emptyConfiguration) {
    this.#hash = BigInt(`0x${totals.hash}`);
    this.#bytes = totals.bytes;
    this.#counts = new Map(Object.entries(totals.counts));
  }

  /** Counts a record in. One of another family changes nothing. */
  add(record: HashedRecord): void {
    this.#count(record, 1);
  }

  /** Takes a record out that was counted in, as it was then. */
  remove(record: HashedRecord): void {
    this.#count(record, -1);
  }

  /** Counts in what another sum has counted. */
  include({ hash, bytes, counts }: ConfigurationTotals): void {
    this.#hash = (this.#hash + BigInt(`0x${hash}`)) % modulus;
    this.#bytes += bytes;
    for (const [name, count] of Object.entries(counts)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  /** The totals as they are now. */
  totals(): ConfigurationTotals {
    const counts = [...this.#counts].filter(([, count]) => count !== 0).toSorted(byName);
    return {
      hash: this.#hash.toString(16).padStart(hashDigits, '0'),
      bytes: this.#bytes,
      counts: Object.fromEntries(counts),
    };
  }

  #count(record: HashedRecord, sign: 1 | -1): void {
    const collection = collections.get(record.family);
    if (collection === undefined) return;
    // RFC 8785: the same for the same content, whatever order its fields were stored in.
    const form = jsonForm([record.family, record.id, record.gatewayId, record.name, record.enabled, record.body]);
    const digest = BigInt(`0x${hash('sha256', `${recordDomain}${form}`, 'hex')}`);
    this.#hash = (this.#hash + (sign === 1 ? digest : modulus - digest)) % modulus;
    this.#bytes += sign * Buffer.byteLength(form, 'utf8');
    this.#counts.set(collection, (this.#counts.get(collection) ?? 0) + sign);
  }
}

function byName(left: readonly [string, number], right: readonly [string, number]): number {
  return left[0] < right[0] ? -1 : 1;
}
