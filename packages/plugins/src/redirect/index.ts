import type { Exchange, PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { config, type Config } from './config.ts';
import { locationOf, readTarget, type RedirectTarget } from './target.ts';

/** Sends clients elsewhere. */
export const redirect: BuiltIn = builtIn({
  name: 'redirect',
  version: '1.0.0',
  category: 'traffic',
  triggers: ['before_request'],
  description: 'Sends clients to another address instead of forwarding their requests',
  config,
  setup(settings): PluginHooks {
    const { preserve_path: keepsPath, preserve_query: keepsQuery, status_code: status } = settings;
    const target = targetOf(settings);
    if (!keepsPath && !keepsQuery) {
      const answer = { status, headers: ['location', locationOf(target, {})] };
      return { request: () => answer };
    }
    return {
      request: ({ request: { path, query } }: Exchange) => ({
        status,
        headers: [
          'location',
          locationOf(target, { path: keepsPath ? path : undefined, query: keepsQuery ? query : undefined }),
        ],
      }),
    };
  },
});

/** @throws TypeError for what no checked config has */
function targetOf({ url, location }: Config): RedirectTarget {
  const target = readTarget(url ?? location ?? '');
  if (typeof target === 'string') throw new TypeError(`the target ${target}`);
  return target;
}
