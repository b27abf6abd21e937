import * as v from 'valibot';
import { NAME_LENGTH_MAX } from './fields.ts';

/** Entries of one list or map. */
export const ENTRIES_MAX = 1000;

/** What a config holds as a list, or as a map by name. */
export type ListOrMap<Entry> = readonly Entry[] | Readonly<Record<string, Entry>>;

/** One entry of either form. */
export interface NamedEntry<Entry> {
  /** The map's; lists give none. */
  readonly name: string | undefined;
  readonly entry: Entry;
  /** Where it is: the index, or the name. */
  readonly key: number | string;
}

/**
 * A list, or a map by name. Mistakes are reported in the form that was given, and a name may be any text, `__proto__` and `constructor` too:
 * the library's own records leave those out without a word.
 */
export function listOrMap<Entry>(
  given: v.GenericSchema<Entry>,
  description: string,
): v.GenericSchema<ListOrMap<Entry>> {
  const entry = noList(given);
  const longName = `must have names of at most ${NAME_LENGTH_MAX} characters`;
  const tooMany = `must have at most ${ENTRIES_MAX} entries`;
  const list = v.pipe(v.array(entry, 'must be a list or an object'), v.maxLength(ENTRIES_MAX, tooMany));
  const map = v.pipe(
    anyKeyRecord(entry),
    v.check((given) => Object.keys(given).length <= ENTRIES_MAX, tooMany),
    v.check((given) => Object.keys(given).every((name) => name.length <= NAME_LENGTH_MAX), longName),
    v.metadata({ maxProperties: ENTRIES_MAX, propertyNames: { type: 'string', maxLength: NAME_LENGTH_MAX } }),
  );
  const either: v.GenericSchema<ListOrMap<Entry>> = {
    ...v.union([list, map]),
    '~run': (dataset, config) => (Array.isArray(dataset.value) ? list : map)['~run'](dataset, config),
  };
  return v.pipe(either, v.description(description));
}

/** The entries of either form, in their order. */
export function namedEntries<Entry>(given: ListOrMap<Entry> | undefined): readonly NamedEntry<Entry>[] {
  if (given === undefined) return [];
  if (isList(given)) return given.map((entry, key) => ({ name: undefined, entry, key }));
  return Object.entries(given).map(([name, entry]) => ({ name, entry, key: name }));
}

function isList<Entry>(given: ListOrMap<Entry>): given is readonly Entry[] {
  return Array.isArray(given);
}

/** The library takes a list for an object that needs no field. */
function noList<Entry>(entry: v.GenericSchema<Entry>): v.GenericSchema<Entry> {
  const refusal = v.custom<Entry>(() => false, 'must be an object, not a list');
  return {
    ...entry,
    '~run': (dataset, config) => (Array.isArray(dataset.value) ? refusal : entry)['~run'](dataset, config),
  };
}

/** A record whose keys may be all texts. */
function anyKeyRecord<Entry>(entry: v.GenericSchema<Entry>): v.GenericSchema<Record<string, Entry>> {
  const record = v.record(v.string(), entry, 'must be a list or an object');
  return {
    ...record,
    '~run'(dataset, config) {
      const { value: input } = dataset;
      if (typeof input !== 'object' || input === null) return record['~run'](dataset, config);
      const entries = Object.entries(input).map(([key, value]: [string, unknown]) => {
        const { typed, value: output, issues } = entry['~run']({ value }, config);
        const place = { type: 'object', origin: 'value', input: { ...input }, key, value } as const;
        const placed = issues?.map((issue): v.BaseIssue<unknown> => ({
          ...issue,
          path: [place, ...(issue.path ?? [])],
        }));
        return { typed, pair: [key, output] as const, issues: placed ?? [] };
      });
      const [first, ...rest] = entries.flatMap(({ issues }) => issues);
      const value = Object.fromEntries(entries.map(({ pair }) => pair));
      const issues: [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]] | undefined = first && [first, ...rest];
      const typed = entries.every((one) => one.typed);
      return { typed, value, ...(issues && { issues }) } as v.OutputDataset<
        Record<string, Entry>,
        v.BaseIssue<unknown>
      >;
    },
  };
}
