import * as v from 'valibot';
import { BODY_EDITS, editedBodies } from '../shared/bodies/body-edit-fields.ts';
import { XML_TYPES } from '../shared/bodies/content-types.ts';
import { configObject, flag } from '../shared/config-fields.ts';
import { requireOneOf } from '../shared/config-rules.ts';
import { madeValueMap, nameMap, operationList, pathList, valueMap } from './fields.ts';

/** Config of `xml_transform`. */
export const config = requireOneOf(
  configObject({
    remove: pathList('Elements and attributes that are removed'),
    remove_fields: pathList('More of remove'),
    rename: nameMap('Elements and attributes that get another name, and replace an attribute that had it'),
    rename_fields: nameMap('More of rename; wins where both name a path'),
    replace: valueMap('Elements and attributes that get this value where they exist'),
    replace_fields: valueMap('More of replace; wins where both name a path'),
    set: valueMap('Elements and attributes that get this value, and are made where they are missing'),
    set_fields: valueMap('More of set; wins where both name a path'),
    add: madeValueMap('Elements and attributes that are made with this value where they are missing'),
    add_fields: madeValueMap('More of add; wins where both name a path'),
    operations: operationList('Edits that are done in their order, after all others'),
    xml_declaration: v.optional(
      flag('true: an XML declaration is put before what is written where there is none; false: it is removed'),
    ),
    ...editedBodies('XML', XML_TYPES),
  }),
  [...BODY_EDITS, 'set_fields', 'xml_declaration'],
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
