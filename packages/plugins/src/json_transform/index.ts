import type { PluginHooks } from '@portcullis/plugin-runtime';
import { faultPolicy } from '../shared/bodies/body-problems.ts';
import { contentTypeMatcher } from '../shared/bodies/content-types.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { requestEditing, responseEditing } from '../shared/edited-message.ts';
import { headerEdits } from '../shared/header-edits.ts';
import { config } from './config.ts';
import { operationsOf } from './said-operations.ts';

/** Changes JSON bodies of requests and responses at the places that paths name. */
export const jsonTransform: BuiltIn = builtIn({
  name: 'json_transform',
  version: '1.0.0',
  category: 'transformation',
  triggers: ['both', 'before_request', 'after_response', 'on_error'],
  description: 'Changes JSON bodies of requests and responses at the places that JSON paths name',
  config,
  setup(settings, services): PluginHooks {
    const editing = {
      headers: headerEdits({}),
      operations: operationsOf(settings),
      form: 'any',
      reading: { matches: contentTypeMatcher(settings.content_types), bytesMax: settings.max_body_bytes },
      onFault: faultPolicy(services, settings.strict, 'JSON'),
    } as const;
    const response = responseEditing(editing);
    return {
      ...(settings.target === 'response' ? {} : { request: requestEditing(editing) }),
      ...(settings.target === 'request' ? {} : { response, error: response }),
    };
  },
});
