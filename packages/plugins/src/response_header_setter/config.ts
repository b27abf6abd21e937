import * as v from 'valibot';
import { configObject, headerNames } from '../shared/config-fields.ts';
import { requireOneOf } from '../shared/config-rules.ts';
import { headerPairs, renamePairs } from '../shared/header-pairs.ts';

/** Config of `response_header_setter`. */
export const config = requireOneOf(
  configObject({
    remove: v.optional(headerNames('Headers that are removed')),
    remove_headers: v.optional(headerNames('Another name of remove; both together are one list')),
    rename: v.optional(renamePairs('Headers that get another name, and replace what had that name')),
    rename_headers: v.optional(renamePairs('Another name of rename; wins where both name a header')),
    set: v.optional(headerPairs('Headers that get this value, whatever was there')),
    set_headers: v.optional(headerPairs('Another name of set; wins where several name a header')),
    headers: v.optional(headerPairs('Another name of set')),
    add: v.optional(headerPairs('Headers that get this value where they are missing; what exists is kept')),
    add_headers: v.optional(headerPairs('Another name of add; wins where both name a header')),
  }),
  ['add', 'add_headers', 'headers', 'remove', 'remove_headers', 'rename', 'rename_headers', 'set', 'set_headers'],
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
