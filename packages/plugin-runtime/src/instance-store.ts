import type { InlinePlugin, PluginInstance } from './instance.ts';
import type { Plugin } from './plugin.ts';
import type { RunningInstance } from './running-instance.ts';

/**
 * The instances that one runtime runs, by what they are made of. An instance that the previous runtime ran and that has not
 * changed is taken over, so that its counters and its circuit survive a new configuration.
 */
export class InstanceStore {
  readonly #running = new Map<string, RunningInstance>();
  #previous: InstanceStore | undefined;

  constructor(previous: InstanceStore | undefined) {
    this.#previous = previous;
  }

  /** The instance of this key, taken over where one runs, else made. */
  obtain(key: string, plugin: Plugin, make: () => RunningInstance): RunningInstance {
    const known = this.#running.get(key);
    if (known !== undefined) return known;
    const earlier = this.#previous === undefined ? undefined : this.#previous.#running.get(key);
    const instance = earlier?.plugin === plugin ? earlier : make();
    instance.hold();
    this.#running.set(key, instance);
    return instance;
  }

  /** All instances, for reports on circuits. */
  values(): Iterable<RunningInstance> {
    return this.#running.values();
  }

  /** Lets go of all instances; those that nobody else runs are disposed. Safe to call twice. */
  releaseAll(): void {
    for (const instance of this.#running.values()) instance.release();
    this.#running.clear();
    this.#previous = undefined;
  }
}

/** What makes an instance another one: everything that its hooks and its policy are made of, but not where it matches. */
export function instanceKey(
  id: string,
  tenantId: string,
  plugin: Plugin,
  record: Pick<PluginInstance | InlinePlugin, 'config' | 'execution'>,
): string {
  return JSON.stringify([id, tenantId, plugin.name, plugin.version, record.config ?? {}, record.execution ?? {}]);
}
