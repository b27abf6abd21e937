import type { Plugin, PluginCategory, Trigger } from '@portcullis/plugin-runtime';
import type * as v from 'valibot';
import { toConfigJsonSchema, type JsonSchema } from './json-schema.ts';
import { registry } from './registry.gen.ts';
import { secretPointers } from './secret-pointers.ts';
import { canonicalForm, type BuiltIn } from './shared/built-in.ts';
import { withSecretNames, type SecretNames } from './shared/secret-names.ts';

/** What is known of a built-in plugin package. */
export interface CataloguedPlugin {
  readonly name: string;
  readonly version: string;
  readonly category: PluginCategory;
  /** The triggers that an instance may name; the first is the default. */
  readonly triggers: readonly [Trigger, ...Trigger[]];
  /** One sentence. */
  readonly description: string;
  readonly configSchema: v.GenericSchema;
  /** Lists of the config that may be written as maps, whose names are secrets then. */
  readonly secretNames: SecretNames;
  /** Whether the plugin itself reads the references that stand in its secret fields. */
  readonly readsReferences: boolean;
  /** The config's JSON Schema (2020-12): what `GET /plugin-packages/{name}` shows as `config_schema`. Made once. */
  readonly jsonSchema: () => JsonSchema;
}

/** All built-in plugins, for a runtime. */
export const builtInPlugins: readonly Plugin[] = registry.map(({ plugin }) => plugin);

/** All built-in plugins by name, for a control plane. */
export const pluginCatalogue: ReadonlyMap<string, CataloguedPlugin> = new Map(
  registry.map((entry) => [entry.plugin.name, catalogued(entry)]),
);

/**
 * JSON Pointers of the secret texts in a config of a built-in plugin. Empty for a plugin that is not built in: its schema is
 * the tenant's, see {@link secretPointers}.
 */
export function secretPathsOf(pluginName: string, config: unknown): readonly string[] {
  const entry = pluginCatalogue.get(pluginName);
  return entry === undefined ? [] : secretPointers(entry.jsonSchema(), config);
}

/**
 * A config in the form in which it is kept: maps whose names are secrets become lists, because names cannot be masked, and
 * optional fields that are null are left out. Do it before
 * anything else is asked about a config, {@link secretPathsOf} too. A config of a plugin that is not built in stays as it is.
 */
export function canonicalConfig(pluginName: string, config: unknown): unknown {
  const entry = pluginCatalogue.get(pluginName);
  return entry === undefined ? config : canonicalForm(entry.configSchema, entry.secretNames, config);
}

/** What the schema, which describes configs as they are kept, does not say of configs that are sent. */
const NULLS = 'A field that is not required may also be null, which is the same as no such field';

function catalogued({ plugin, description, configSchema, secretNames, readsReferences }: BuiltIn): CataloguedPlugin {
  const { name, version, category, triggers } = plugin;
  let jsonSchema: JsonSchema | undefined;
  return Object.freeze({
    name,
    version,
    category,
    triggers,
    description,
    configSchema,
    secretNames,
    readsReferences,
    jsonSchema: () => {
      jsonSchema ??= { $comment: NULLS, ...withSecretNames(toConfigJsonSchema(configSchema), secretNames) };
      return jsonSchema;
    },
  });
}
