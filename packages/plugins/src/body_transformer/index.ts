import type { PluginHooks } from '@portcullis/plugin-runtime';
import { BODY_BYTES_DEFAULT } from '../shared/bodies/body-fields.ts';
import { faultPolicy } from '../shared/bodies/body-problems.ts';
import { JSON_TYPES, contentTypeMatcher } from '../shared/bodies/content-types.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { requestEditing } from '../shared/edited-message.ts';
import { headerEdits } from '../shared/header-edits.ts';
import { fieldOperations } from '../shared/json-fields.ts';
import { config } from './config.ts';

/** Edits the top-level fields of JSON request bodies. */
export const bodyTransformer: BuiltIn = builtIn({
  name: 'body_transformer',
  version: '1.0.0',
  category: 'transformation',
  triggers: ['before_request'],
  description: 'Removes, overrides and adds top-level fields of JSON request bodies',
  config,
  setup({ remove_fields: remove, override_fields: set, add_fields: add }, services): PluginHooks {
    return {
      request: requestEditing({
        headers: headerEdits({}),
        operations: fieldOperations({ remove, set, add }),
        form: 'object',
        reading: { matches: contentTypeMatcher(JSON_TYPES), bytesMax: BODY_BYTES_DEFAULT },
        onFault: faultPolicy(services, false, 'JSON'),
      }),
    };
  },
});
