import { isDeepStrictEqual } from 'node:util';
import { noAiRecords, type AiRecord } from '@portcullis/plugin-runtime';
import type { DeliveredAiRecord } from './records.ts';

/**
 * The AI records of a configuration for plugins, which keep what they make of the list by the list itself: it stays the same object
 * until one of them changes. Nobody can change it or what is in it.
 */
export class AiRecordList {
  readonly #records = new Map<string, AiRecord>();
  #all: readonly AiRecord[] | undefined;
  /** The last list that was given away. */
  #given: readonly AiRecord[];

  /** @param given what requests see at present: it goes on where nothing has changed */
  constructor(given: readonly AiRecord[] = noAiRecords) {
    this.#given = given;
  }

  /** @param record `undefined` for one that is gone or disabled */
  put(id: string, record: DeliveredAiRecord | undefined): void {
    if (record === undefined && !this.#records.has(id)) return;
    this.#all = undefined;
    if (record === undefined) this.#records.delete(id);
    else this.#records.set(id, frozen(recordOf(record)));
  }

  /** In the order of their IDs, whatever order they came in. */
  get all(): readonly AiRecord[] {
    this.#all ??= this.#listed();
    return this.#all;
  }

  #listed(): readonly AiRecord[] {
    const all = [...this.#records.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
    if (!isDeepStrictEqual(all, [...this.#given])) this.#given = Object.freeze(all);
    return this.#given;
  }
}

function recordOf({ id, kind, name, config }: DeliveredAiRecord): AiRecord {
  return { id, kind, name, config };
}

/** Freezes a value of JSON and all that is in it. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
