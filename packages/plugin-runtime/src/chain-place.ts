import type { Plugin, PluginCategory } from './plugin.ts';

/**
 * What stands around a request hook in its chain. Known when the chain is compiled, the same for every request. A hook that answers in
 * place of the service, or keeps answers for others, has to know who is still to be asked.
 */
export interface ChainPlace {
  /**
   * Whether an authentication plugin stands before it: whoever comes this far was let through by that, with credentials that may be
   * anywhere in the request, and without a consumer where the config names none.
   */
  readonly isBehindAuthentication: boolean;
  /**
   * Plugins of the categories authentication and access_control whose request hooks are still to come, by name in running order. Those
   * that run for certain consumers only are among them.
   */
  readonly laterGuards: readonly string[];
}

/** The place of a hook that stands alone. */
export const ALONE: ChainPlace = Object.freeze({ isBehindAuthentication: false, laterGuards: Object.freeze([]) });

/** The places of request hooks. @param plugins whose they are, in running order */
export function placesOf(plugins: readonly Pick<Plugin, 'name' | 'category'>[]): readonly ChainPlace[] {
  const firstAuthentication = plugins.findIndex(({ category }) => category === 'authentication');
  return plugins.map((_plugin, at) => {
    const isBehindAuthentication = firstAuthentication !== -1 && firstAuthentication < at;
    const laterGuards = plugins
      .slice(at + 1)
      .filter(({ category }) => GUARDING.has(category))
      .map(({ name }) => name);
    if (!isBehindAuthentication && laterGuards.length === 0) return ALONE;
    return Object.freeze({ isBehindAuthentication, laterGuards: Object.freeze(laterGuards) });
  });
}

/** What decides who may ask at all. */
const GUARDING: ReadonlySet<PluginCategory> = new Set(['authentication', 'access_control']);
