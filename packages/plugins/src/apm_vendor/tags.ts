import * as v from 'valibot';
import { ENTRIES_MAX, text } from '../shared/config-fields.ts';

/** Longest tag, in characters; the vendor cuts longer ones. */
const TAG_LENGTH_MAX = 200;

const list = v.pipe(
  v.array(
    v.pipe(
      text('`name:value`, or a name', TAG_LENGTH_MAX),
      v.regex(/^[^,\s]+$/, 'must be a tag: no space and no comma'),
    ),
    'must be a list of tags',
  ),
  v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
);

const part = (description: string) =>
  v.pipe(text(description, TAG_LENGTH_MAX / 2), v.regex(/^[^,\s]+$/, 'must have no space and no comma'));

const map = v.pipe(
  v.record(part('Name'), part('Value'), 'must be a map from name to value'),
  v.maxEntries(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
);

/** A field for tags, as a list or as a map. */
export function tagsField(description: string) {
  return v.pipe(
    v.union([list, map], 'must be a list of name:value, or a map from name to value'),
    v.description(description),
  );
}

/** Either form as a list. */
export function tagList(tags: readonly string[] | Readonly<Record<string, string>> | undefined): readonly string[] {
  if (tags === undefined) return [];
  return isList(tags) ? tags : Object.entries(tags).map(([name, value]) => `${name}:${value}`);
}

function isList(tags: readonly string[] | Readonly<Record<string, string>>): tags is readonly string[] {
  return Array.isArray(tags);
}
