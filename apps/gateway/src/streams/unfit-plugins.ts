import { FAIL_CLOSED_CATEGORIES, type Plugin } from '@portcullis/plugin-runtime';

/** A plugin of a route's own, as its record has it. */
interface InlineEntry {
  readonly name: string;
  readonly enabled?: unknown;
}

/**
 * Plugins of a route for connections that guard requests and cannot see connections: their categories stay fail-closed, and to carry what
 * they would have stopped is to fail open. What watches or changes requests does nothing there, and harms nobody.
 * @returns the places of these entries
 */
export function unfitPlugins(entries: readonly InlineEntry[], installed: readonly Plugin[]): readonly number[] {
  return entries.flatMap(({ name, enabled }, index) => {
    if (enabled === false) return [];
    const plugin = installed.find((one) => one.name === name);
    const isGuard = plugin !== undefined && FAIL_CLOSED_CATEGORIES.has(plugin.category);
    return isGuard && !plugin.triggers.includes('tcp') && !plugin.triggers.includes('all') ? [index] : [];
  });
}

/** What is said of them. */
export const unfitMessage = 'guards requests and has no tcp stage: connections would pass without it';
