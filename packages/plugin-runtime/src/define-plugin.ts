import { toConfigIssues } from './config-issues.ts';
import type { Plugin, PluginDefinition } from './plugin.ts';

/**
 * Makes a plugin that fits a registry of plugins with any config. Its definition is checked at once; a config is checked by
 * `compile`, which lists every mistake and never shows a value.
 * @throws TypeError for a definition that cannot work, and from `compile` when the schema validates asynchronously
 */
export function definePlugin<Config>(definition: PluginDefinition<Config>): Plugin {
  checkDefinition(definition);
  const { name, version, category, triggers, config: schema, setup } = definition;
  return Object.freeze({
    name,
    version,
    category,
    triggers,
    compile(raw: unknown) {
      const config = raw ?? {};
      const result = schema['~standard'].validate(config);
      if (result instanceof Promise)
        throw new TypeError(`the config schema of plugin ${name} must validate synchronously`);
      if (result.issues !== undefined) return { ok: false, issues: toConfigIssues(result.issues, config) } as const;
      const { value } = result;
      return { ok: true, setup: (services) => setup(value, services) } as const;
    },
  } satisfies Plugin);
}

const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const VERSION = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/;

function checkDefinition(definition: Pick<Plugin, 'name' | 'version' | 'triggers'>): void {
  const { name, version, triggers } = definition;
  if (!NAME.test(name)) throw new TypeError('a plugin name is 1 to 64 of a-z 0-9 _ and begins with a letter');
  if (!VERSION.test(version)) throw new TypeError(`the version of plugin ${name} is not a semantic version`);
  if (triggers.length === 0) throw new TypeError(`plugin ${name} names no trigger`);
}
