import { SpanKind, SpanStatusCode, trace, type Attributes, type Tracer } from '@opentelemetry/api';
import type { CircuitState } from '../circuit.ts';
import type { EventSubject, HookFault, InstanceIdentity, RuntimeEvents } from '../runtime-events.ts';
import type { Clock } from '../services.ts';
import { systemClock } from '../adapters/system-services.ts';

/** What {@link otelEvents} takes; all of it may be left out. */
export interface OtelEventsOptions {
  /** Default: the tracer `@portcullis/plugin-runtime` of the global provider. */
  readonly tracer?: Tracer;
  /** Spans shorter than this are not made, unless their hook did not do its work. Default 0: each hook has one. */
  readonly durationMsMin?: number;
  /** Must be the runtime's own where that is not the process's. */
  readonly clock?: Pick<Clock, 'nowMs'>;
}

/**
 * The runtime's events as spans. Each hook that ran is a span `plugin {name} {stage}` below the span that is active then, the
 * request's own as a rule; a hook that did not do its work says why and has status error. A change of a circuit is an event of
 * the active span, or a span of its own where none is. A span holds names, IDs, outcomes and times: no body, no header, no
 * config, and no text of an error, which may quote any of them.
 *
 * ```ts
 * createRuntime({ plugins, instances, events: otelEvents() });
 * ```
 */
export function otelEvents(options: OtelEventsOptions = {}): Required<RuntimeEvents> {
  const { tracer = trace.getTracer('@portcullis/plugin-runtime'), durationMsMin = 0, clock = systemClock } = options;
  /** The fault of a hook is told just before its end, for the same subject; hooks of one subject and instance do not overlap. */
  const faults = new WeakMap<EventSubject, Map<InstanceIdentity, HookFaultNote>>();

  const takeFault = (subject: EventSubject, instance: InstanceIdentity): HookFaultNote | undefined => {
    const notes = faults.get(subject);
    const note = notes?.get(instance);
    notes?.delete(instance);
    return note;
  };
  return {
    onHookFault(instance, _stage, fault, error, subject) {
      const notes = faults.get(subject) ?? new Map<InstanceIdentity, HookFaultNote>();
      faults.set(subject, notes.set(instance, { fault, errorType: errorTypeOf(error) }));
    },

    onHookEnd(instance, stage, outcome, durationMs, subject) {
      const note = takeFault(subject, instance);
      if (durationMs < durationMsMin && note === undefined) return;
      const endMs = clock.nowMs();
      const span = tracer.startSpan(`plugin ${instance.name} ${stage}`, {
        kind: SpanKind.INTERNAL,
        startTime: new Date(endMs - durationMs),
        attributes: {
          ...attributesOf(instance),
          ...subjectAttributes(subject),
          'portcullis.plugin.stage': stage,
          'portcullis.plugin.outcome': outcome,
          ...(note === undefined ? {} : { 'portcullis.plugin.fault': note.fault }),
          ...(note?.errorType === undefined ? {} : { 'error.type': note.errorType }),
        },
      });
      if (note !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: note.fault });
      span.end(new Date(endMs));
    },

    onCircuitChange(instance, from, to) {
      const attributes = { ...attributesOf(instance), ...phases(from, to) };
      const active = trace.getActiveSpan();
      if (active?.isRecording() === true) active.addEvent('plugin circuit changed', attributes);
      else tracer.startSpan(`plugin ${instance.name} circuit`, { attributes }).end();
    },
  };
}

interface HookFaultNote {
  readonly fault: HookFault;
  readonly errorType: string | undefined;
}

function attributesOf({ name, id, tenantId }: InstanceIdentity): Attributes {
  return {
    'portcullis.plugin.name': name,
    'portcullis.plugin.instance': id,
    ...(tenantId === '' ? {} : { 'portcullis.tenant': tenantId }),
  };
}

/** `request_id` becomes `portcullis.request_id`, as it is called in logs. */
function subjectAttributes({ logFields }: EventSubject): Attributes {
  return Object.fromEntries(Object.entries(logFields).map(([name, value]) => [`portcullis.${name}`, value]));
}

function phases(from: CircuitState['phase'], to: CircuitState['phase']): Attributes {
  return { 'portcullis.circuit.from': from, 'portcullis.circuit.to': to };
}

/** The class of an error: plugins throw anything, also what cannot be read. */
function errorTypeOf(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  try {
    return error instanceof Error ? error.constructor.name : typeof error;
  } catch {
    return 'unreadable';
  }
}
