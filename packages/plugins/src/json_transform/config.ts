import * as v from 'valibot';
import { JSON_TYPES } from '../shared/bodies/content-types.ts';
import { BODY_EDITS, editedBodies } from '../shared/bodies/body-edit-fields.ts';
import { configObject } from '../shared/config-fields.ts';
import { requireOneOf } from '../shared/config-rules.ts';
import { jsonOperations, jsonPaths, jsonRenames, jsonValues } from '../shared/json-path-fields.ts';

/** Config of `json_transform`. */
export const config = requireOneOf(
  configObject({
    remove: v.optional(jsonPaths('Paths to what is removed', 'remove')),
    remove_fields: v.optional(jsonPaths('Another name of remove; both together are one list', 'remove')),
    rename: v.optional(jsonRenames('Paths to members, each with a new name, or with the path of another place')),
    rename_fields: v.optional(jsonRenames('Another name of rename; wins where both name a path')),
    replace: v.optional(jsonValues('Paths, each with the value that takes the place of what is there', 'replace')),
    replace_fields: v.optional(jsonValues('Another name of replace; wins where both name a path', 'replace')),
    set: v.optional(jsonValues('Paths, each with the value that is there afterwards, whatever was before', 'set')),
    add: v.optional(jsonValues('Paths, each with the value that is put there where nothing is', 'add')),
    add_fields: v.optional(jsonValues('Another name of add; wins where both name a path', 'add')),
    operations: v.optional(
      jsonOperations('Operations {op, path, value or to}, applied in turn after those of the other fields'),
    ),
    ...editedBodies('JSON', JSON_TYPES),
  }),
  BODY_EDITS,
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
