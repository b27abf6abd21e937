import { toConfigIssues } from './config-issues.ts';
import type { Plugin, PluginCategory, PluginDefinition } from './plugin.ts';
import type { StandardResult, StandardSchemaV1 } from './standard-schema.ts';
import { isTrigger } from './trigger-stages.ts';

/**
 * Makes a plugin that fits a registry of plugins with any config. Its definition is checked at once; a config is checked by
 * `compile`, which lists every mistake and never shows a value.
 * A schema that is asynchronous, throws or gives garbage is a mistake with code `schema_failed`.
 * @throws TypeError for a definition that cannot work
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
      const result = validated(schema, config);
      if (typeof result === 'string') {
        const message = `the config schema of plugin ${name} ${result}`;
        return { ok: false, issues: [{ pointer: '', code: 'schema_failed', message }] } as const;
      }
      if (result.issues !== undefined) return { ok: false, issues: toConfigIssues(result.issues, config) } as const;
      const { value } = result;
      return { ok: true, setup: (services) => setup(value, services) } as const;
    },
  } satisfies Plugin);
}

/** What a schema says of a config, or what is wrong with the schema. What it throws may quote the config and is not told. */
function validated<Config>(
  schema: StandardSchemaV1<unknown, Config>,
  config: unknown,
): StandardResult<Config> | 'must validate synchronously' | 'failed' {
  try {
    const result: unknown = schema['~standard'].validate(config);
    if (typeof result !== 'object' || result === null) return 'failed';
    if ('then' in result) {
      // It may reject, and nobody else will look.
      Promise.resolve(result).catch(() => undefined);
      return 'must validate synchronously';
    }
    if ('issues' in result && result.issues !== undefined)
      return Array.isArray(result.issues) ? (result as never) : 'failed';
    return 'value' in result ? (result as StandardResult<Config>) : 'failed';
  } catch {
    return 'failed';
  }
}

const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const VERSION = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/;

const CATEGORIES: ReadonlySet<unknown> = new Set<PluginCategory>([
  'authentication',
  'access_control',
  'rate_limit',
  'request_protection',
  'contract',
  'enforcement',
  'traffic',
  'transformation',
  'observability',
  'ai',
]);

/** Authors in plain JavaScript have no compiler that tells them. */
function checkDefinition(definition: Omit<PluginDefinition<unknown>, 'setup'> & { readonly setup: unknown }): void {
  const { name, version, category, triggers, config, setup } = definition;
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new TypeError('a plugin name is 1 to 64 of a-z 0-9 _ and begins with a letter');
  }
  if (typeof version !== 'string' || !VERSION.test(version)) {
    throw new TypeError(`the version of plugin ${name} is not a semantic version`);
  }
  if (!CATEGORIES.has(category)) throw new TypeError(`the category of plugin ${name} is none`);
  if (!Array.isArray(triggers) || triggers.length === 0) throw new TypeError(`plugin ${name} names no trigger`);
  if (!triggers.every(isTrigger)) throw new TypeError(`plugin ${name} names a trigger that is none`);
  if (typeof config?.['~standard']?.validate !== 'function') {
    throw new TypeError(`the config of plugin ${name} is no Standard Schema`);
  }
  if (typeof setup !== 'function') throw new TypeError(`plugin ${name} has no setup`);
}
