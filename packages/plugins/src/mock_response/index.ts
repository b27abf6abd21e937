import type { PluginHooks, PluginResponse } from '@portcullis/plugin-runtime';
import { bodilessStatuses } from '../shared/bodiless.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { bodyText, config, type Config } from './config.ts';

/** Answers requests with a fixed body instead of forwarding them. */
export const mockResponse: BuiltIn = builtIn({
  name: 'mock_response',
  version: '1.0.0',
  category: 'traffic',
  triggers: ['before_request'],
  description: 'Answers requests with a fixed status and body, without an upstream',
  config,
  setup(settings): PluginHooks {
    if (!settings.enabled) return {};
    const answer = answerOf(settings);
    return { request: () => answer };
  },
});

/** Made once: every request gets the same one. What of it HEAD gets is for the host to say. */
function answerOf({ body, status_code: status }: Config): PluginResponse {
  if (bodilessStatuses.has(status)) return { status };
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  return { status, headers: ['content-type', type], body: new TextEncoder().encode(bodyText(body)) };
}
