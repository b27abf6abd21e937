import { undecidable, type Ending } from './problem.ts';
import type { RecordFacts } from './record-facts.ts';

/** Records with erased values whose act has not been seen yet that are remembered at most. The act soon follows. */
export const ERASURES_OPEN_MAX = 200_000;

/** What a record has to say for itself to stand for a removal. Source: reliability, Audit chain: erasing writes a record. */
interface Erased {
  readonly sequence: number;
  readonly fields: Set<string>;
}

/**
 * Holds what was taken out of a log to the records of who took it out, which the log has to have behind it:
 *
 * - erased values: `action` `redact`, `entity_type` `audit_record`, `entity_id` the erased record's `id`, `metadata.fields`;
 * - a beginning that was cut off: `action` `prune`, `entity_type` `audit_log`, `metadata.through` the last sequence cut off.
 *
 * What such a record says counts only while it is shown: its `metadata` may never be erased.
 */
export class RemovalWatch {
  readonly #open = new Map<string, Erased>();
  #prunedThrough = 0;
  #isFull = false;

  /** Takes a record that is good. @param erased names of its values that are not shown */
  see(facts: RecordFacts, sequence: number, erased: readonly string[]): void {
    const { id, action, entity_type: type, entity_id: entityId } = facts.fields;
    if (erased.length > 0) this.#remember(typeof id === 'string' ? id : '', { sequence, fields: new Set(erased) });
    if (action === 'redact' && type === 'audit_record') this.#account(String(entityId), metadataOf(facts)['fields']);
    if (action !== 'prune' || type !== 'audit_log') return;
    const { through } = metadataOf(facts);
    if (typeof through === 'number') this.#prunedThrough = Math.max(this.#prunedThrough, through);
  }

  /** Up to where the log itself says that it was cut off. */
  get prunedThrough(): number {
    return this.#prunedThrough;
  }

  /** The first record with an erased value that no record accounts for. */
  ending(): Ending | undefined {
    if (this.#isFull)
      return undecidable('too_many_erased', `more than ${ERASURES_OPEN_MAX} erased records without a record of it`);
    let first: Erased | undefined;
    for (const erased of this.#open.values())
      if (first === undefined || erased.sequence < first.sequence) first = erased;
    if (first === undefined) return undefined;
    const detail =
      `${[...first.fields].join(', ')} of record ${first.sequence} cannot be seen, and no record to the end of this ` +
      `log says who erased it (${this.#open.size} such records)`;
    return { outcome: 'tampered', kind: 'erased_unrecorded', firstBad: first.sequence, detail };
  }

  #remember(id: string, erased: Erased): void {
    if (this.#open.size >= ERASURES_OPEN_MAX) this.#isFull = true;
    // Two records with one ID are two: the first is not forgotten for the second.
    else this.#open.set(this.#open.has(id) ? `${id} ${erased.sequence}` : id, erased);
  }

  #account(id: string, fields: unknown): void {
    const open = this.#open.get(id);
    if (open === undefined || !Array.isArray(fields)) return;
    for (const field of fields) open.fields.delete(String(field));
    if (open.fields.size === 0) this.#open.delete(id);
  }
}

/** Compared with its commitment before. Empty for what was erased. */
function metadataOf({ record }: RecordFacts): Readonly<Record<string, unknown>> {
  const value = record.disclosures?.['metadata']?.value;
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
