import type { PluginHooks } from '@portcullis/plugin-runtime';
import { faultPolicy } from '../shared/bodies/body-problems.ts';
import { JSON_TYPES, contentTypeMatcher } from '../shared/bodies/content-types.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { requestEditing } from '../shared/edited-message.ts';
import { transformerEdits } from '../shared/transformer-fields.ts';
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
    return {
      request: requestEditing({
        ...transformerEdits(settings),
        form: 'object',
        reading: { matches: contentTypeMatcher(JSON_TYPES), bytesMax: JSON_BODY_BYTES_MAX },
        onFault: faultPolicy(services, false, 'JSON'),
      }),
    };
  },
});
