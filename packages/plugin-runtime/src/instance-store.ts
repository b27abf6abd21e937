import type { Plugin } from './plugin.ts';
import type { RunningInstance } from './running-instance.ts';

/**
 * The instances that one runtime runs, by what they are made of. An instance that the previous runtime ran and that has not
 * changed is taken over, so that its counters and its circuit survive a new configuration.
 */
export class InstanceStore {
  readonly #running = new Map<string, StoredInstance>();
  readonly #keys = new WeakMap<RunningInstance, string>();
  /** Disposals that go on, those of the runtimes before too: who waits for the last one's end waits for all. */
  readonly #endings: Set<Promise<void>>;
  #previous: InstanceStore | undefined;
  #isReleased = false;

  constructor(previous: InstanceStore | undefined) {
    this.#previous = previous;
    this.#endings = previous === undefined ? new Set() : previous.#endings;
  }

  /** The instance of this key, taken over where one runs, else made; for one user more. */
  obtain(key: string, plugin: Plugin, make: () => RunningInstance): RunningInstance {
    const known = this.#running.get(key);
    if (known !== undefined) {
      known.users += 1;
      return known.instance;
    }
    const earlier = this.#earlierOf(key);
    const instance = earlier?.plugin === plugin ? earlier : make();
    instance.hold();
    this.#running.set(key, { instance, users: 1 });
    this.#keys.set(instance, key);
    return instance;
  }

  /** Lets go of an instance for one user; without any it leaves the store. */
  release(instance: RunningInstance): void {
    const key = this.#keys.get(instance);
    const stored = key === undefined ? undefined : this.#running.get(key);
    if (key === undefined || stored?.instance !== instance) return;
    stored.users -= 1;
    if (stored.users > 0) return;
    this.#running.delete(key);
    this.#letGo(instance);
  }

  /** All instances, for reports on circuits. */
  values(): readonly RunningInstance[] {
    return Array.from(this.#running.values(), ({ instance }) => instance);
  }

  /** Whether {@link releaseAll} was called. */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** Lets go of all instances; those that nobody else runs are disposed. Safe to call twice. */
  releaseAll(): void {
    this.#isReleased = true;
    for (const { instance } of this.#running.values()) this.#letGo(instance);
    this.#running.clear();
    this.#previous = undefined;
  }

  /** Resolves when all disposals that go on now are over, those that fail too, and those of instances that this runtime did not take over. */
  async settled(): Promise<void> {
    await Promise.all(this.#endings);
  }

  #letGo(instance: RunningInstance): void {
    const ending = instance.release();
    if (ending === undefined) return;
    const kept = ending.then(() => void this.#endings.delete(kept));
    this.#endings.add(kept);
  }

  #earlierOf(key: string): RunningInstance | undefined {
    const previous = this.#previous;
    if (previous === undefined) return undefined;
    // One that is gone has nothing to give, and is not kept in memory.
    if (previous.isReleased) this.#previous = undefined;
    return previous.#running.get(key)?.instance;
  }
}

/** An instance and how many chains, or the collection, use it in this runtime. */
interface StoredInstance {
  readonly instance: RunningInstance;
  users: number;
}
