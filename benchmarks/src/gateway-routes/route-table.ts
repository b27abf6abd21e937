import { spreadTarget } from '../load/spread.ts';
import type { BenchRoute } from '../peers/configuration.ts';

/** So many routes: host, exact and prefix routes by turns, each of which answers one target of a spread load. */
export function routeTable(routes: number): readonly BenchRoute[] {
  return Array.from({ length: routes }, (_, index) => {
    const { path, host } = spreadTarget(index);
    const named = { id: `rt-${index}`, name: `route-${index}` };
    if (host !== undefined) return { ...named, hosts: [host], paths: [path], path_type: 'prefix' };
    const isPrefix = path.endsWith('/load');
    return {
      ...named,
      paths: [isPrefix ? path.slice(0, -'/load'.length) : path],
      path_type: isPrefix ? 'prefix' : 'exact',
    };
  });
}
