import type { NaturalKey } from './descriptor.ts';
import { isAbsent } from './json-values.ts';
import type { BundleRecord } from './json-values.ts';

/** Records by the values of one natural key, each set of values within what it is unique in. */
export class KeyIndex {
  readonly #key: NaturalKey;
  readonly #scopes = new Map<string, Map<string, BundleRecord>>();

  constructor(key: NaturalKey) {
    this.#key = key;
  }

  /** The index of some records. Of several with the same values the first is found. */
  static of(key: NaturalKey, records: readonly BundleRecord[]): KeyIndex {
    const index = new KeyIndex(key);
    for (const record of records) index.claim(record);
    return index;
  }

  /** The record that has the key of this one; nothing for one whose key lacks a value. */
  holder(record: BundleRecord): BundleRecord | undefined {
    const value = valueText(record, this.#key);
    const scope = value === undefined ? undefined : scopeText(record, this.#key);
    return value === undefined || scope === undefined ? undefined : this.#scopes.get(scope)?.get(value);
  }

  /** The record whose only key field has a value, within a scope. Only for keys of one field. */
  named(value: unknown, within: unknown): BundleRecord | undefined {
    const { within: scopeField } = this.#key;
    if (isAbsent(value) || (scopeField !== undefined && isAbsent(within))) return undefined;
    return this.#scopes.get(scopeField === undefined ? '' : partText(within))?.get(partText(value));
  }

  /** Adds a record unless another has its key. @returns that other one */
  claim(record: BundleRecord): BundleRecord | undefined {
    const value = valueText(record, this.#key);
    const scope = value === undefined ? undefined : scopeText(record, this.#key);
    if (value === undefined || scope === undefined) return undefined;
    let records = this.#scopes.get(scope);
    if (!records) this.#scopes.set(scope, (records = new Map()));
    const holder = records.get(value);
    if (!holder) records.set(value, record);
    return holder;
  }
}

/** Whether a record has all values of a natural key. */
export function hasKey(record: BundleRecord, key: NaturalKey): boolean {
  return scopeText(record, key) !== undefined && valueText(record, key) !== undefined;
}

function scopeText(record: BundleRecord, { within }: NaturalKey): string | undefined {
  if (within === undefined) return '';
  const scope = record[within];
  return isAbsent(scope) ? undefined : partText(scope);
}

/** A key of one field is the text itself: large bundles have a great many of them, and no new text is made for each. */
function valueText(record: BundleRecord, { fields }: NaturalKey): string | undefined {
  const [only] = fields;
  if (fields.length === 1 && only !== undefined) {
    const value = record[only];
    return isAbsent(value) ? undefined : partText(value);
  }
  let text = '';
  for (const field of fields) {
    const value = record[field];
    if (isAbsent(value)) return undefined;
    const part = partText(value);
    // Its length says where a part ends, so that no two lists of values give the same text.
    text += `${part.length}:${part}`;
  }
  return text;
}

/** Asked for most: of the fields by which records without a natural key are paired, most are not set. */
const nullText = '\0null';

/** A value as text; what is no text is told apart from texts by a character that no text of a bundle holds. */
export function partText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? nullText : `\0${JSON.stringify(value)}`;
}
