import type { CircuitState } from './circuit.ts';
import type { HookOutcome } from './plugin-step.ts';
import type { Stage } from './plugin.ts';

/** Which instance an event is about. One object per instance, the same in all its events. */
export interface InstanceIdentity {
  readonly id: string;
  /** Name of the plugin. */
  readonly name: string;
  readonly tenantId: string;
}

/** The request or the connection that a hook was called for. One object, the same in all its events. */
export interface EventSubject {
  /** `request_id` or `connection_id`. */
  readonly logFields: Readonly<Record<string, string>>;
}

/** Why a hook did not do its work. Only the first three are failures of the plugin and count for its circuit. */
export type HookFault = 'threw' | 'timed_out' | 'bad_result' | 'circuit_open' | 'at_capacity' | 'given_up';

/** What a host may watch, for metrics. What a listener throws is dropped. What is not listened to costs nothing. */
export interface RuntimeEvents {
  /** A hook ended or was left out by its policy. Listening costs one reading of the clock per hook. */
  readonly onHookEnd?: (
    instance: InstanceIdentity,
    stage: Stage,
    outcome: HookOutcome,
    durationMs: number,
    subject: EventSubject,
  ) => void;
  /** A hook did not do its work. `error` is what it threw, if anything. */
  readonly onHookFault?: (
    instance: InstanceIdentity,
    stage: Stage,
    fault: HookFault,
    error: unknown,
    subject: EventSubject,
  ) => void;
  readonly onCircuitChange?: (
    instance: InstanceIdentity,
    from: CircuitState['phase'],
    to: CircuitState['phase'],
  ) => void;
}
