import * as v from 'valibot';
import { wholeNumber } from './config-fields.ts';

/** Which statuses a list may name. */
export interface StatusCodesOptions {
  readonly min: number;
  readonly max: number;
  /** Most entries, of which each may be a range. */
  readonly entriesMax: number;
  /** Statuses that may not be named, and that a range leaves out, with the reason. Default: none. */
  readonly except?: { readonly statuses: readonly number[]; readonly reason: string };
}

/**
 * A list of statuses: numbers, classes such as `5xx` and ranges such as `500-599`, in any mixture. What is read is every status by itself.
 * A range has to lie within the bounds as a whole, so that none is there that says less than it seems to.
 */
export function statusCodes(description: string, { min, max, entriesMax, except }: StatusCodesOptions) {
  const { statuses: excepted = [], reason = '' } = except ?? {};
  const within = ([first, last]: StatusRange): boolean => first >= min && last <= max && first <= last;
  const range = v.pipe(
    v.string('must be text'),
    v.regex(RANGE, 'must be a class such as 5xx or a range such as 500-599'),
    v.check(
      (text) => !RANGE.test(text) || within(rangeOf(text)),
      `must lie within ${min} and ${max}, the lower status first`,
    ),
    v.metadata({ maxLength: '500-599'.length }),
  );
  const single = v.pipe(
    wholeNumber('A status', min, max),
    v.check((given) => !excepted.includes(given), reason),
  );
  return v.pipe(
    v.array(
      v.union([single, range], 'must be a status, a class such as 5xx or a range such as 500-599'),
      'must be a list of statuses',
    ),
    v.minLength(1, 'must not be empty'),
    v.maxLength(entriesMax, `must have at most ${entriesMax} entries`),
    v.description(`${description}; 5xx and 500-599 name many at once`),
    v.transform((entries): readonly number[] => {
      const all = entries.flatMap((entry) => (typeof entry === 'number' ? [entry] : statusesIn(rangeOf(entry))));
      return [...new Set(all)].filter((status) => !excepted.includes(status));
    }),
  );
}

const RANGE = /^(?:[1-5]xx|[1-5]\d\d-[1-5]\d\d)$/;

/** The first and the last status of a range. */
type StatusRange = readonly [number, number];

function rangeOf(text: string): StatusRange {
  if (text.endsWith('xx')) return [Number(text[0]) * 100, Number(text[0]) * 100 + 99];
  const [first = '', last = ''] = text.split('-');
  return [Number(first), Number(last)];
}

function statusesIn([first, last]: StatusRange): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
