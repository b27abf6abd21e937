import { checkInline, checkInstance, pluginsByName } from '@portcullis/plugin-runtime';
import type { InlinePlugin, PluginInstance } from '@portcullis/plugin-runtime';
import { builtInPlugins, secretPathsOf } from '@portcullis/plugins';
import type { FieldProblem } from '../http/problem.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { toPointer } from '../resources/json-pointer.ts';
import { isValues } from '../resources/values.ts';
import type { Values } from '../resources/values.ts';

const plugins = pluginsByName(builtInPlugins);

/** Plugin instances: the config is checked against its package before it is stored. Source: spec, Plugin instance. */
export const pluginBehaviour: FamilyBehaviour = {
  // The record passed its family's schema, which is the shape that the runtime names.
  check: (values) => checkInstance(plugins, values as unknown as PluginInstance),
  secretPointers: (values) => configSecrets(values, ''),
};

/** Routes: inline plugin entries are checked like instances. Source: spec, Inline route plugin entry. */
export const routeBehaviour: FamilyBehaviour = {
  check: (values) =>
    inlineEntries(values).flatMap(([entry, place]): FieldProblem[] =>
      checkInline(plugins, entry as unknown as InlinePlugin).map((issue) => ({
        pointer: `${place}${issue.pointer}`,
        code: issue.code,
        message: issue.message,
      })),
    ),
  secretPointers: (values) => inlineEntries(values).flatMap(([entry, place]) => configSecrets(entry, place)),
};

/** The inline entries of a route and the pointers at which they stand. */
function inlineEntries(values: Values): (readonly [Values, string])[] {
  const entries: unknown = values['plugins'];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown, index) =>
    isValues(entry) ? [[entry, toPointer(['plugins', index])] as const] : [],
  );
}

function configSecrets(entry: Values, place: string): string[] {
  return secretPathsOf(String(entry['name']), entry['config']).map((pointer) => `${place}/config${pointer}`);
}
