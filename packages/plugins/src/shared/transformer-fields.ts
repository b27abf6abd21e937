import * as v from 'valibot';
import { headerNames } from './config-fields.ts';
import type { HeaderEdit } from '@portcullis/plugin-runtime';
import { headerEdits, mergedHeaders } from './header-edits.ts';
import { headerPairs, renamePairs, type HeaderPairs } from './header-pairs.ts';
import { jsonFieldNames, jsonFields } from './json-field-maps.ts';
import { fieldOperations } from './json-fields.ts';
import type { JsonOperation } from './json-text/operations.ts';

/** Fields of a config that edit headers and the top-level fields of JSON bodies. @param side whose headers they are */
export function transformerFields(side: 'Request' | 'Response') {
  return {
    remove_headers: v.optional(headerNames(`${side} headers that are removed`)),
    rename_headers: v.optional(renamePairs(`${side} headers that get another name, and replace what had that name`)),
    set_headers: v.optional(headerPairs(`${side} headers that get this value, whatever was there`)),
    headers: v.optional(headerPairs('Another name of set_headers, which wins where both name a header')),
    add_headers: v.optional(
      headerPairs(`${side} headers that get this value where they are missing; what exists is kept`),
    ),
    remove_json_fields: v.optional(jsonFieldNames('Top-level fields of a JSON body that are removed')),
    replace_json_fields: v.optional(jsonFields('Top-level fields that get this value where they exist')),
    add_json_fields: v.optional(jsonFields('Top-level fields that get this value where they are missing')),
  } as const;
}

/** Those of which a config needs one at least: all. */
export const TRANSFORMER_FIELDS: readonly string[] = [
  'add_headers',
  'add_json_fields',
  'headers',
  'remove_headers',
  'remove_json_fields',
  'rename_headers',
  'replace_json_fields',
  'set_headers',
];

/** What such fields say. */
export interface TransformerConfig {
  readonly remove_headers?: readonly string[] | undefined;
  readonly rename_headers?: HeaderPairs | undefined;
  readonly set_headers?: HeaderPairs | undefined;
  readonly headers?: HeaderPairs | undefined;
  readonly add_headers?: HeaderPairs | undefined;
  readonly remove_json_fields?: readonly string[] | undefined;
  readonly replace_json_fields?: Readonly<Record<string, unknown>> | undefined;
  readonly add_json_fields?: Readonly<Record<string, unknown>> | undefined;
}

/** The edits of headers in their order (remove, rename, set, add) and those of bodies (remove, replace, add). */
export function transformerEdits(settings: TransformerConfig): {
  readonly headers: readonly HeaderEdit[];
  readonly operations: readonly JsonOperation[];
} {
  const { remove_json_fields: remove, replace_json_fields: replace, add_json_fields: add } = settings;
  return {
    headers: headerEdits({
      remove: settings.remove_headers,
      rename: mergedHeaders(settings.rename_headers),
      set: mergedHeaders(settings.headers, settings.set_headers),
      add: mergedHeaders(settings.add_headers),
    }),
    operations: fieldOperations({ remove, replace, add }),
  };
}
