import * as v from 'valibot';
import { entriesOf, entriesRule, readEntries, type EntryProblem } from '../config/entries.ts';
import { modelPatternField } from '../config/fields.ts';
import { listOrMap, type ListOrMap } from '../config/list-or-map.ts';
import { readConfig } from '../config/problems.ts';
import { isJsonObject } from '../json.ts';
import { modelRouteOf } from './read-route.ts';
import type { ModelRoute } from './route.ts';
import { looseModelRouteSchema, modelRouteSchema, type ModelRouteConfig } from './route-schema.ts';

/** `model_routes` of a config: a list, or a map by model. No model and no alias is named twice. Source: ai, model_route config. */
export const modelRoutesSchema: v.GenericSchema<ListOrMap<ModelRouteConfig>> = entriesRule(
  listOrMap(modelRouteSchema, 'Models that clients may ask for: a list, or a map by model'),
  routeListProblems,
);

/**
 * The routes of such a list or map.
 * @param given unknown fields are left out; `undefined` gives none
 * @param idPrefix what tells routes of this list from others of the tenant: the plugin instance's ID
 * @param strategy of routes that name none
 * @throws InvalidConfigError
 */
export function readModelRoutes(
  given: unknown,
  idPrefix: string,
  strategy?: ModelRouteConfig['strategy'],
): readonly ModelRoute[] {
  return readEntries(given, routeListProblems(given), 'model_routes', ({ name = '', entry }) => {
    const config = readConfig(looseModelRouteSchema, entry, 'model route');
    return modelRouteOf(
      { ...config, strategy: config.strategy ?? strategy },
      name,
      `${idPrefix}:${config.model ?? name}`,
    );
  });
}

/** An entry of a list without a model, one of a map for another model than its key, and a model or alias that was named before. */
function routeListProblems(given: unknown): readonly EntryProblem[] {
  const seen = new Set<unknown>();
  const problems: EntryProblem[] = [];
  for (const { name, entry, key } of entriesOf(given)) {
    if (!isJsonObject(entry)) continue;
    const { model = name, aliases } = entry;
    if (name !== undefined && !v.is(modelPatternField(''), name))
      problems.push({ key, message: 'is no model pattern' });
    if (model === undefined) problems.push({ key, field: 'model', message: 'is required' });
    if (name !== undefined && model !== name) {
      problems.push({ key, field: 'model', message: 'is for another model than its key' });
    }
    if (seen.has(model)) problems.push({ key, field: 'model', message: 'is named before' });
    seen.add(model);
    for (const [index, alias] of (Array.isArray(aliases) ? aliases : []).entries()) {
      if (seen.has(alias)) problems.push({ key, field: 'aliases', index, message: 'is named before' });
      seen.add(alias);
    }
  }
  return problems;
}
