import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { basedDestination, pathAt } from '../shared/destination-url.ts';
import { config } from './config.ts';

/** Sends requests to a configured address in place of their service. */
export const forwardProxy: BuiltIn = builtIn({
  name: 'forward_proxy',
  version: '1.0.0',
  category: 'traffic',
  triggers: ['before_request'],
  description: 'Sends requests to a configured address in place of their service',
  config,
  setup({ forward_url: url }): PluginHooks {
    const { destination, basePath } = basedDestination(url);
    const unchanged = Object.freeze({ destination });
    return {
      request({ request }) {
        const path = pathAt(basePath, request);
        return path === request.path ? unchanged : { destination, path };
      },
    };
  },
});
