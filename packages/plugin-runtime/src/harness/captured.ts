import type { CircuitState } from '../circuit.ts';
import type { HookOutcome } from '../plugin-step.ts';
import type { Stage } from '../plugin.ts';
import type { HookFault, RuntimeEvents } from '../runtime-events.ts';
import type { HostLog } from '../services.ts';

/** One line that a plugin, or the runtime about it, wrote. */
export interface LogLine {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly details: Readonly<Record<string, string | number | boolean>>;
}

/** One event of the runtime. */
export type RuntimeEvent =
  | { readonly type: 'hook_end'; readonly stage: Stage; readonly outcome: HookOutcome; readonly durationMs: number }
  | { readonly type: 'hook_fault'; readonly stage: Stage; readonly fault: HookFault; readonly error: unknown }
  | { readonly type: 'circuit'; readonly from: CircuitState['phase']; readonly to: CircuitState['phase'] };

/** A log that remembers its lines, but for those that only help to find a mistake. */
export function capturingLog(lines: LogLine[]): HostLog {
  return {
    warn: (message, details = {}) => void lines.push({ level: 'warn', message, details }),
    error: (message, details = {}) => void lines.push({ level: 'error', message, details }),
  };
}

/** Listeners that remember what they were told. */
export function capturingEvents(events: RuntimeEvent[]): RuntimeEvents {
  return {
    onHookEnd: (_instance, stage, outcome, durationMs) =>
      void events.push({ type: 'hook_end', stage, outcome, durationMs }),
    onHookFault: (_instance, stage, fault, error) => void events.push({ type: 'hook_fault', stage, fault, error }),
    onCircuitChange: (_instance, from, to) => void events.push({ type: 'circuit', from, to }),
  };
}
