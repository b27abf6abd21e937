import { hash } from 'node:crypto';
import {
  ConfigurationDigest,
  type ConfigurationFamily,
  type ConfigurationHead,
  type DeliveredRecord,
} from '@portcullis/resources';
import type { ReceivedConfiguration, ReceivedRecord, RecordKey } from './received-configuration.ts';
import type { TimeSlices } from './time-slices.ts';

/** What differs between two configurations. */
export interface RecordChanges {
  /** Records that are new or other than before. */
  readonly upserts: readonly ReceivedRecord[];
  /** Records that are no more. */
  readonly removals: readonly RecordKey[];
}

/** What came of taking a configuration in. */
export type Intake =
  | { readonly ok: true; readonly changes: RecordChanges; readonly undo: (slices: TimeSlices) => Promise<void> }
  | { readonly ok: false; readonly reason: 'other_hash' | 'other_count' };

interface Kept {
  readonly line: string;
  readonly leaf: string;
}

/**
 * The records that make up a configuration, each as the line that it came in: what a delta is applied to, what the hash is taken
 * over, and what goes to disk. Unchanged ones are not touched by a change of others.
 */
export class RecordSet {
  readonly #records = new Map<RecordKey, Kept>();
  readonly #counts = new Map<ConfigurationFamily, number>();
  readonly #digest: ConfigurationDigest;

  constructor({ tenant_id: tenantId, gateway_id: gatewayId }: Pick<ConfigurationHead, 'tenant_id' | 'gateway_id'>) {
    this.#digest = new ConfigurationDigest((text) => hash('sha256', text), { tenantId, gatewayId });
  }

  get size(): number {
    return this.#records.size;
  }

  /** How many records a family has. */
  countOf(family: ConfigurationFamily): number {
    return this.#counts.get(family) ?? 0;
  }

  /** The lines, for the disk. They must not change until it is done. */
  async lines(slices: TimeSlices): Promise<readonly string[]> {
    const lines: string[] = [];
    for (const { line } of this.#records.values()) {
      lines.push(line);
      if (slices.isOver) await slices.next();
    }
    return lines;
  }

  /** The lines by key, while somebody looks at them. */
  *entries(): IterableIterator<readonly [RecordKey, string]> {
    for (const [key, { line }] of this.#records) yield [key, line];
  }

  /** Every record, read from its line again; for building anew. */
  async all(slices: TimeSlices): Promise<readonly ReceivedRecord[]> {
    const all: ReceivedRecord[] = [];
    for (const [key, { line, leaf }] of this.#records) {
      const { record } = JSON.parse(line) as { record: DeliveredRecord };
      all.push({ key, family: familyOf(key), record, line, leaf });
      if (slices.isOver) await slices.next();
    }
    return all;
  }

  /**
   * Takes a whole configuration or a delta in. When that does not come to the promised hash and count, the records are as before.
   * The caller undoes what it cannot serve.
   */
  async take(received: ReceivedConfiguration, slices: TimeSlices): Promise<Intake> {
    const changes = await this.#changesOf(received, slices);
    const undo = await this.#apply(changes, slices);
    while (this.#digest.settleOne()) if (slices.isOver) await slices.next();
    const hasHash = this.#digest.value() === received.head.hash;
    if (hasHash && this.size === received.total) return { ok: true, changes, undo };
    await undo(slices);
    return { ok: false, reason: hasHash ? 'other_count' : 'other_hash' };
  }

  /** Of a whole configuration only what is not the same already counts as changed, so that what is built of the rest stays. */
  async #changesOf({ head, records, removed }: ReceivedConfiguration, slices: TimeSlices): Promise<RecordChanges> {
    const latest = new Map<RecordKey, ReceivedRecord>();
    for (const record of records) {
      latest.set(record.key, record);
      if (slices.isOver) await slices.next();
    }
    const upserts: ReceivedRecord[] = [];
    for (const record of latest.values()) {
      if (this.#records.get(record.key)?.leaf !== record.leaf) upserts.push(record);
      if (slices.isOver) await slices.next();
    }
    if (head.since !== null) {
      return { upserts, removals: removed.filter((key) => this.#records.has(key) && !latest.has(key)) };
    }
    const removals: RecordKey[] = [];
    for (const key of this.#records.keys()) {
      if (!latest.has(key)) removals.push(key);
      if (slices.isOver) await slices.next();
    }
    return { upserts, removals };
  }

  async #apply(
    { upserts, removals }: RecordChanges,
    slices: TimeSlices,
  ): Promise<(slices: TimeSlices) => Promise<void>> {
    const before: [RecordKey, Kept | undefined][] = [];
    for (const { key, line, leaf } of upserts) {
      before.push([key, this.#put(key, { line, leaf })]);
      if (slices.isOver) await slices.next();
    }
    for (const key of removals) {
      before.push([key, this.#put(key, undefined)]);
      if (slices.isOver) await slices.next();
    }
    return async (undoSlices) => {
      for (let last = before.pop(); last !== undefined; last = before.pop()) {
        this.#put(...last);
        if (undoSlices.isOver) await undoSlices.next();
      }
    };
  }

  /** @returns what was there before */
  #put(key: RecordKey, next: Kept | undefined): Kept | undefined {
    const before = this.#records.get(key);
    if (before !== undefined) this.#digest.remove(before.leaf);
    if (next === undefined) this.#records.delete(key);
    else {
      this.#records.set(key, next);
      this.#digest.add(next.leaf);
    }
    const change = Number(next !== undefined) - Number(before !== undefined);
    if (change !== 0) this.#counts.set(familyOf(key), this.countOf(familyOf(key)) + change);
    return before;
  }
}

/** The family of a key. */
export function familyOf(key: RecordKey): ConfigurationFamily {
  return key.slice(0, key.indexOf('/')) as ConfigurationFamily;
}

/** The ID of a key. */
export function idOf(key: RecordKey): string {
  return key.slice(key.indexOf('/') + 1);
}
