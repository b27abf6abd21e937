import type { PluginHooks } from '@portcullis/plugin-runtime';
import { faultPolicy } from '../shared/bodies/body-problems.ts';
import { JSON_TYPES, contentTypeMatcher } from '../shared/bodies/content-types.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { requestEditing } from '../shared/edited-message.ts';
import { headerEdits, mergedHeaders } from '../shared/header-edits.ts';
import { fieldOperations } from '../shared/json-fields.ts';
import { config } from './config.ts';

/** Largest JSON body that is read and transformed, in bytes. A larger one goes on as it came, as in Kong. */
export const JSON_BODY_BYTES_MAX = 1_048_576;

/** Edits request headers and the top-level fields of JSON bodies. */
export const requestTransformer: BuiltIn = builtIn({
  name: 'request_transformer',
  version: '1.0.0',
  category: 'transformation',
  triggers: ['before_request'],
  description: 'Edits request headers and the top-level fields of JSON request bodies',
  config,
  setup(settings, services): PluginHooks {
    const { remove_json_fields: remove, replace_json_fields: replace, add_json_fields: add } = settings;
    return {
      request: requestEditing({
        headers: headerEdits({
          remove: settings.remove_headers,
          rename: mergedHeaders(settings.rename_headers),
          set: mergedHeaders(settings.headers, settings.set_headers),
          add: mergedHeaders(settings.add_headers),
        }),
        operations: fieldOperations({ remove, replace, add }),
        form: 'object',
        reading: { matches: contentTypeMatcher(JSON_TYPES), bytesMax: JSON_BODY_BYTES_MAX },
        onFault: faultPolicy(services, false, 'JSON'),
      }),
    };
  },
});
