import type { ChainPlace, PluginLog } from '@portcullis/plugin-runtime';

/**
 * Looks at the place of an instance that asks who the client is, and says so once in its log when no authentication plugin of a chain
 * stands before it. Equal priorities go by names and the collection before the inline chain, so that such an order is easily made and
 * does not show: it works, with nobody known.
 * @param consequence what the instance does then
 */
export function earlyWarning(plugin: string, consequence: string, log: PluginLog): (place: ChainPlace) => void {
  let hasWarned = false;
  return (place) => {
    if (place.isBehindAuthentication || hasWarned) return;
    hasWarned = true;
    log.warn(
      `${plugin} asks who the client is, and no authentication plugin runs before it on this route: ${consequence}`,
      {
        later: place.laterGuards.join(', '),
      },
    );
  };
}
