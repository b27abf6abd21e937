import type { Transaction } from 'kysely';
import { ROWS_PER_STATEMENT } from '../database/chunks.ts';
import { executeLater } from '../database/deferred-statement.ts';
import type { ResourceHistoryRow, Tables } from '../database/tables.ts';
import type { LockedTenant } from '../revisions/revision-port.ts';
import { toRow } from '../store/record-row.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { ConfigurationSum, isConfiguration } from './configuration-hash.ts';
import type { ConfigurationTotals } from './configuration-hash.ts';

/** What a session's writes tell the history, and what they may ask of it. */
export interface SessionHistory {
  /** What the configuration is, with all that was written so far. */
  readonly totals: ConfigurationTotals;
  /** Takes note of a snapshot of the state before this session. @throws RangeError after a write: a bug */
  snapshotTaken(): void;
  /** Follows one write: a record as it was and as it is. @throws RangeError for a record of another revision: a bug */
  keep(before: StoredRecord | undefined, after: StoredRecord | undefined): Promise<void>;
}

/**
 * Follows the writes of one session. Keeps the totals of the tenant's configuration, and puts the state that a record had
 * until now into the history where a snapshot needs it: when the record has not changed since the newest snapshot, which is
 * at its first change after that. So a write costs no statement without snapshots, and many cost one for many.
 */
export class ConfigurationHistory implements SessionHistory {
  readonly #transaction: Transaction<Tables>;
  readonly #revision: number;
  readonly #sum: ConfigurationSum;
  #snapshotRevision: number;
  #totals: ConfigurationTotals;
  #isChanged = false;
  readonly #isUnstored: boolean;
  #waiting: ResourceHistoryRow[] = [];

  constructor(transaction: Transaction<Tables>, locked: LockedTenant) {
    this.#transaction = transaction;
    this.#revision = locked.revision + 1;
    this.#snapshotRevision = locked.snapshotRevision;
    this.#totals = locked.configuration;
    this.#isUnstored = locked.isSummedUp;
    this.#sum = new ConfigurationSum(locked.configuration);
  }

  get totals(): ConfigurationTotals {
    if (this.#isChanged) this.#totals = this.#sum.totals();
    return this.#totals;
  }

  snapshotTaken(): void {
    if (this.#isChanged) throw new RangeError('a snapshot is taken before the first write of its session');
    this.#snapshotRevision = this.#revision - 1;
  }

  async keep(before: StoredRecord | undefined, after: StoredRecord | undefined): Promise<void> {
    if (!isConfiguration((after ?? before)?.family ?? '')) return;
    if (after && after.tenantRevision !== this.#revision) {
      throw new RangeError(`${after.family} ${after.id} was written without its tenant's revision`);
    }
    this.#isChanged = true;
    if (before) this.#sum.remove(before);
    if (after) this.#sum.add(after);
    if (!before || before.tenantRevision > this.#snapshotRevision) return;
    const { tenant_revision: from, ...image } = toRow(before);
    this.#waiting.push({ ...image, from_revision: from, until_revision: this.#revision });
    if (this.#waiting.length >= ROWS_PER_STATEMENT) await this.#flush();
  }

  /** Follows new records that were summed up before the session. */
  added(totals: ConfigurationTotals): void {
    this.#isChanged = true;
    this.#sum.include(totals);
  }

  /** Writes what is left. @returns what the configuration then is; nothing when that is stored already */
  async finish(): Promise<ConfigurationTotals | undefined> {
    await this.#flush();
    return this.#isChanged || this.#isUnstored ? this.totals : undefined;
  }

  async #flush(): Promise<void> {
    const rows = this.#waiting;
    if (rows.length === 0) return;
    this.#waiting = [];
    await executeLater(this.#transaction, this.#transaction.insertInto('resource_history').values(rows));
  }
}
