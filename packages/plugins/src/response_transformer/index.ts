import type { PluginHooks } from '@portcullis/plugin-runtime';
import { faultPolicy } from '../shared/bodies/body-problems.ts';
import { JSON_TYPES, contentTypeMatcher } from '../shared/bodies/content-types.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { responseEditing } from '../shared/edited-message.ts';
import { transformerEdits } from '../shared/transformer-fields.ts';
import { config } from './config.ts';

/** Edits response headers and the top-level fields of JSON bodies. */
export const responseTransformer: BuiltIn = builtIn({
  name: 'response_transformer',
  version: '1.0.0',
  category: 'transformation',
  triggers: ['after_response', 'on_error'],
  description: 'Edits response headers and the top-level fields of JSON response bodies',
  config,
  setup(settings, services): PluginHooks {
    const response = responseEditing({
      ...transformerEdits(settings),
      form: 'object',
      reading: { matches: contentTypeMatcher(JSON_TYPES), bytesMax: settings.max_body_bytes },
      onFault: faultPolicy(services, false, 'JSON'),
    });
    return { response, error: response };
  },
});
