import type { NamedRecord } from './exchange.ts';
import type { InlinePlugin } from './instance.ts';

/**
 * Instance IDs of a route's inline entries: the entry's own below the route's, else its plugin's name, numbered when the route
 * names a plugin more than once. An entry keeps its ID, and so its counters, when others before it come or go.
 */
export function inlineIds(
  entries: readonly { readonly entry: InlinePlugin }[],
  route: NamedRecord | undefined,
): readonly string[] {
  const seen = new Map<string, number>();
  return entries.map(({ entry }) => {
    const own = entry.id ?? entry.name;
    const nth = (seen.get(own) ?? 0) + 1;
    seen.set(own, nth);
    return `${route?.id ?? 'inline'}/${own}${nth === 1 ? '' : `#${nth}`}`;
  });
}
