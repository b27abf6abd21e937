import * as v from 'valibot';

/** A tag: its name, and its value. */
export type Tag = readonly [name: string, value: string];

/** Tags that say something of the request. A config cannot name them. */
export const OWN_TAGS: ReadonlySet<string> = new Set([
  'gateway',
  'method',
  'route',
  'service',
  'source',
  'status',
  'status_class',
]);

/** Most tags of a config, and their characters together: a line has to fit a datagram. */
export const TAGS_MAX = 32;
export const TAGS_LENGTH_MAX = 400;

/** Longest name or value of a tag, in characters. */
const PART_LENGTH_MAX = 100;

/** What no dialect takes for anything else. */
const NAME = /^[A-Za-z][\w./-]*$/;
const VALUE = /^[\w./+-]+$/;
const ENTRY = /^[A-Za-z][\w./-]*:[\w./+-]+$/;

const part = (message: string, form: RegExp) =>
  v.pipe(
    v.string(message),
    v.maxLength(PART_LENGTH_MAX, `must have at most ${PART_LENGTH_MAX} characters`),
    v.regex(form, message),
  );

const notEntry = 'must be name:value, of letters, digits and _ . / -';
const notName = 'must begin with a letter, and have letters, digits and _ . / - only';
const notValue = 'must have letters, digits and _ . / + - only';

const list = v.pipe(
  v.array(
    v.pipe(
      v.string(notEntry),
      v.maxLength(2 * PART_LENGTH_MAX + 1, `must have at most ${2 * PART_LENGTH_MAX + 1} characters`),
      v.regex(ENTRY, notEntry),
    ),
    'must be a list of tags',
  ),
  v.maxLength(TAGS_MAX, `must have at most ${TAGS_MAX} entries`),
);

const map = v.pipe(
  v.record(part(notName, NAME), part(notValue, VALUE), 'must be a map from name to value'),
  v.maxEntries(TAGS_MAX, `must have at most ${TAGS_MAX} entries`),
);

type Given = readonly string[] | Readonly<Record<string, string>>;

/** The tags of every line, as a list or as a map. */
export const tagsField = v.pipe(
  v.union([list, map], 'must be a list of name:value, or a map from name to value'),
  v.check(
    (given) => tagList(given).every(([name]) => !OWN_TAGS.has(name)),
    `must not name ${[...OWN_TAGS].join(', ')}`,
  ),
  v.check(
    (given) => tagList(given).reduce((sum, [name, value]) => sum + name.length + value.length, 0) <= TAGS_LENGTH_MAX,
    `must have at most ${TAGS_LENGTH_MAX} characters together`,
  ),
  v.description('Tags of every line: a list of `name:value`, or a map'),
);

/** Either form, name by name. */
export function tagList(given: Given): readonly Tag[] {
  if (!isList(given)) return Object.entries(given);
  return given.map((entry) => {
    const at = entry.indexOf(':');
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
}

function isList(given: Given): given is readonly string[] {
  return Array.isArray(given);
}

/** Longest name of a record in a tag, in characters. */
const RECORD_NAME_LENGTH_MAX = 64;

/** A configured name as the value of a tag: whatever would end the tag, the line or the datagram is replaced. */
export function tagValue(name: string): string {
  return (
    name
      .slice(0, RECORD_NAME_LENGTH_MAX)
      .toWellFormed()
      .replaceAll(/[^\p{L}\p{N}_./-]/gu, '_') || '_'
  );
}
