import { hash } from 'node:crypto';
import {
  configurationEnd,
  configurationFormats,
  configurationHead,
  configurationRecord,
  configurationRemoval,
  type ConfigurationFamily,
  type ConfigurationHead,
  type DeliveredRecord,
} from '@portcullis/resources';
import * as v from 'valibot';
import type { ConfigurationError } from './configuration-errors.ts';
import { readLines } from './read-lines.ts';
import type { TimeSlices } from './time-slices.ts';

/** A record by its family and ID. */
export type RecordKey = `${ConfigurationFamily}/${string}`;

/** A record that came, with the line that it came in. */
export interface ReceivedRecord {
  readonly key: RecordKey;
  readonly family: ConfigurationFamily;
  readonly record: DeliveredRecord;
  readonly line: string;
  /** SHA-256 of the line. */
  readonly leaf: string;
}

/** A configuration as it came: whole, or what changed since one that this gateway may have. Nothing of it is checked but its form. */
export interface ReceivedConfiguration {
  readonly head: ConfigurationHead;
  readonly records: readonly ReceivedRecord[];
  readonly removed: readonly RecordKey[];
  /** Records that there are in all afterwards. */
  readonly total: number;
}

/** What came of reading. `place` is what a refusal names, where the first line said it. */
export type Reading =
  | { readonly ok: true; readonly received: ReceivedConfiguration }
  | {
      readonly ok: false;
      readonly error: ConfigurationError;
      readonly place: { readonly revision: number; readonly hash: string } | undefined;
    };

/**
 * Reads a configuration line by line, in slices of time.
 * @param pieces its text, cut anywhere
 */
export async function receiveConfiguration(pieces: Iterable<string>, slices: TimeSlices): Promise<Reading> {
  const reader = new Reader();
  for (const line of readLines(pieces)) {
    const error = reader.take(line);
    if (error !== undefined) return { ok: false, error, place: reader.place };
    if (slices.isOver) await slices.next();
  }
  return reader.finish();
}

class Reader {
  #head: ConfigurationHead | undefined;
  #end: v.InferOutput<typeof configurationEnd> | undefined;
  #place: { revision: number; hash: string } | undefined;
  #lines = 0;
  readonly #records: ReceivedRecord[] = [];
  readonly #removed: RecordKey[] = [];

  get place(): { readonly revision: number; readonly hash: string } | undefined {
    return this.#place;
  }

  /** @returns what is wrong with the line */
  take(line: string): ConfigurationError | undefined {
    this.#lines += 1;
    const value = parsed(line);
    if (this.#head === undefined) return this.#takeHead(value);
    if (this.#end !== undefined) return this.#problem('comes after the end');
    if (v.is(configurationRecord, value)) {
      const { family, record } = value;
      const key: RecordKey = `${family}/${record.id}`;
      this.#records.push({ key, family, record, line, leaf: hash('sha256', line) });
    } else if (v.is(configurationRemoval, value)) this.#removed.push(`${value.family}/${value.removed}`);
    else if (v.is(configurationEnd, value)) this.#end = value;
    else return this.#problem('is neither a record nor a removal nor the end');
    return undefined;
  }

  finish(): Reading {
    const [head, end] = [this.#head, this.#end?.end];
    if (head === undefined || end === undefined) {
      return { ok: false, place: this.#place, error: { pointer: '', message: 'is cut off: it has no last line' } };
    }
    if (end.records !== this.#records.length || end.removals !== this.#removed.length) {
      return {
        ok: false,
        place: this.#place,
        error: { pointer: '/end', message: 'counts other lines than there are' },
      };
    }
    return { ok: true, received: { head, records: this.#records, removed: this.#removed, total: end.total } };
  }

  #takeHead(value: unknown): ConfigurationError | undefined {
    if (v.is(placed, value)) this.#place = { revision: value.revision, hash: value.hash };
    if (v.is(formed, value) && !v.is(v.picklist(configurationFormats), value.format)) {
      const message = `is ${value.format}; this gateway knows ${configurationFormats.join(' and ')} only`;
      return { pointer: '/format', message, code: 'format_unknown' };
    }
    if (!v.is(configurationHead, value)) return this.#problem('is not the head of a configuration');
    this.#head = value;
    return undefined;
  }

  #problem(message: string): ConfigurationError {
    return { pointer: '', message: `line ${this.#lines} ${message}` };
  }
}

/** What any form of configurations is expected to say, so that the refusal of an unknown one can name it. */
const placed = v.object({
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
  hash: v.pipe(v.string(), v.maxLength(64)),
});
const formed = v.object({ format: v.number() });

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
