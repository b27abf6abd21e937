import { SecretError, type CompiledConfig, type Plugin, type PluginHooks } from '@portcullis/plugin-runtime';
import type { SecretTrouble } from './secret-watch.ts';

/** Stands where the config of an instance would, while one of its secrets cannot be read. */
export class LockedConfig {
  readonly trouble: Trouble;

  private constructor(trouble: Trouble) {
    this.trouble = trouble;
  }

  /** The same object for the same trouble, so that an instance that stays locked stays the same instance. */
  static because(trouble: Trouble): LockedConfig {
    const known = LockedConfig.#known.get(trouble) ?? new LockedConfig(trouble);
    LockedConfig.#known.set(trouble, known);
    return known;
  }

  static readonly #known = new Map<Trouble, LockedConfig>();
}

/** `unfit`: the secret was read, and the plugin's schema refuses it. */
type Trouble = SecretTrouble | 'unfit';

/**
 * A plugin of which instances can be locked. A locked one fails in each hook, so that what matches it is refused with 503, whatever its
 * category, unless the instance's `failure_mode` lets requests pass without it. Made once per process: instances go on from one
 * configuration to the next by the plugin's identity.
 */
export function lockable(plugin: Plugin): Plugin {
  const compile = (config: unknown): CompiledConfig =>
    config instanceof LockedConfig ? { ok: true, setup: () => lockedHooks(config) } : plugin.compile(config);
  return Object.freeze({ ...plugin, compile });
}

function lockedHooks({ trouble }: LockedConfig): PluginHooks {
  const refuse = (): never => {
    const code = trouble === 'unfit' || trouble === 'too_many' ? 'unavailable' : trouble;
    throw new SecretError(code, `a secret of the config cannot be read: ${trouble}`);
  };
  return { request: refuse, response: refuse, failsClosed: true };
}
