import { CLOSED_CIRCUIT, nextCircuit, type CircuitEvent, type CircuitState } from './circuit.ts';
import type { ResolvedPolicy } from './execution-policy.ts';
import { slotsOf, type HookSlot } from './hook-slot.ts';
import type { Plugin, PluginHooks, Stage } from './plugin.ts';
import type { InstanceIdentity, RuntimeEvents } from './runtime-events.ts';
import type { Clock, PluginLog } from './services.ts';
import type { Timers } from './timers.ts';

/** What running instances need of their surroundings. */
export interface InstanceHost {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: PluginLog;
  readonly events: RuntimeEvents;
  /** How long one call of a hook may wait for bodies. */
  readonly bodyTimeoutMs: number;
}

/** One instance that was set up: its hooks, and what the execution policy has to remember about it between requests. */
export class RunningInstance {
  readonly identity: InstanceIdentity;
  readonly plugin: Plugin;
  readonly hooks: PluginHooks;
  readonly policy: ResolvedPolicy;
  readonly host: InstanceHost;
  readonly slots: Readonly<Record<Stage, HookSlot>>;
  #circuit: CircuitState = CLOSED_CIRCUIT;
  #holders = 0;

  constructor(
    identity: InstanceIdentity,
    plugin: Plugin,
    hooks: PluginHooks,
    policy: ResolvedPolicy,
    host: InstanceHost,
  ) {
    this.identity = identity;
    this.plugin = plugin;
    this.hooks = hooks;
    this.policy = policy;
    this.host = host;
    this.slots = slotsOf(policy);
  }

  get circuit(): CircuitState {
    return this.#circuit;
  }

  /** Whether the circuit would let a call through now. Moves nothing. */
  get mayCall(): boolean {
    const { phase } = nextCircuit(this.#circuit, CALL, this.policy, this.host.clock.monotonicMs());
    return phase === 'closed' || phase !== this.#circuit.phase;
  }

  /** Moves the circuit and gives the phase it is in then. */
  onCircuitEvent(event: CircuitEvent): CircuitState['phase'] {
    const before = this.#circuit;
    this.#circuit = nextCircuit(before, event, this.policy, this.host.clock.monotonicMs());
    const isClosed = this.#circuit === CLOSED_CIRCUIT;
    if (isClosed !== (before === CLOSED_CIRCUIT)) {
      for (const slot of Object.values(this.slots)) slot.setCircuit(isClosed);
    }
    const { phase } = this.#circuit;
    if (phase !== before.phase) this.host.events.onCircuitChange?.(this.identity, before.phase, phase);
    return phase;
  }

  /** Somebody runs the instance. */
  hold(): void {
    this.#holders += 1;
  }

  /**
   * Somebody stopped running it; the last one disposes it. What goes wrong then is logged. A promise when `dispose` gave one;
   * it never rejects.
   */
  release(): Promise<void> | undefined {
    this.#holders -= 1;
    if (this.#holders > 0) return undefined;
    try {
      const ending: unknown = this.hooks.dispose?.();
      // A promise's rejection would be nobody's otherwise.
      return ending === undefined ? undefined : Promise.resolve(ending).then(() => undefined, this.#onDisposeFailed);
    } catch (error) {
      this.#onDisposeFailed(error);
      return undefined;
    }
  }

  readonly #onDisposeFailed = (error: unknown): void => {
    this.host.log.error('a plugin failed while it was disposed', {
      plugin: this.identity.name,
      instance: this.identity.id,
      error: describeError(error),
    });
  };
}

const CALL = { type: 'call' } as const;

/** Longest error text in a log line. */
const ERROR_LENGTH_MAX = 200;

/** What was thrown, in a few words. Plugins may throw anything, also an error that cannot be read. */
export function describeError(error: unknown): string {
  try {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : `a ${typeof error} was thrown`;
    return text.slice(0, ERROR_LENGTH_MAX);
  } catch {
    return 'an error that cannot be read was thrown';
  }
}
