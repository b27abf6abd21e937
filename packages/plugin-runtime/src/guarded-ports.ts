import type { RuntimeEvents } from './runtime-events.ts';
import type { HostLog, PluginLog } from './services.ts';

/** A log whose failures reach nobody: a hook that logs, or fails and is logged, must not fail the request for it. */
export function guardedLog(log: HostLog): PluginLog {
  return {
    debug: unheard((message, details) => log.debug?.(message, details)),
    warn: unheard((message, details) => log.warn(message, details)),
    error: unheard((message, details) => log.error(message, details)),
  };
}

/** Whoever watches may fail; what is watched goes on. */
function unheard(write: PluginLog['warn']): PluginLog['warn'] {
  return (message, details) => {
    try {
      write(message, details);
    } catch {
      // As said.
    }
  };
}

/** A log whose every line says which instance wrote it: a gateway may run many of one plugin. */
export function instanceLog(log: PluginLog, { name, id }: { readonly name: string; readonly id: string }): PluginLog {
  const origin = { plugin: name, instance: id };
  return {
    debug: (message, details) => log.debug(message, { ...details, ...origin }),
    warn: (message, details) => log.warn(message, { ...details, ...origin }),
    error: (message, details) => log.error(message, { ...details, ...origin }),
  };
}

/** Listeners whose failures reach nobody. What nobody listens to stays absent, so that it costs nothing. */
export function guardedEvents(events: RuntimeEvents): RuntimeEvents {
  const { onHookEnd, onHookFault, onCircuitChange } = events;
  const guarded: { -readonly [Name in keyof RuntimeEvents]: RuntimeEvents[Name] } = {};
  if (onHookEnd !== undefined) {
    guarded.onHookEnd = (instance, stage, outcome, durationMs, subject) => {
      try {
        onHookEnd.call(events, instance, stage, outcome, durationMs, subject);
      } catch {
        // Whoever watches has failed; what is watched goes on.
      }
    };
  }
  if (onHookFault !== undefined) {
    guarded.onHookFault = (instance, stage, fault, error, subject) => {
      try {
        onHookFault.call(events, instance, stage, fault, error, subject);
      } catch {
        // As above.
      }
    };
  }
  if (onCircuitChange !== undefined) {
    guarded.onCircuitChange = (instance, from, to) => {
      try {
        onCircuitChange.call(events, instance, from, to);
      } catch {
        // As above.
      }
    };
  }
  return guarded;
}
