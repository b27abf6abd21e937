import type { SloState } from '../evaluation.ts';
import { type AlertEvent, type AlertOutcome, type AlertRecord, type TimelineEvent, unacknowledged } from './alert.ts';

type EventOf<Type extends AlertEvent['type']> = Extract<AlertEvent, { type: Type }>;

/**
 * What an event makes of an alert. It changes nothing; whoever stores alerts reads the record, calls this and writes what it
 * says in one transaction. Source: spec, SLO evaluation and alert state.
 *
 * - An evaluation sets the state. A change of it clears the acknowledgement and is an entry of the timeline; the same state
 *   again keeps the acknowledgement and `since`. An evaluation of an older definition, or an older one of the same, is dropped.
 * - Warnings and critical alerts can be acknowledged, also again with another note. Others are refused.
 * - An update keeps the state until the next evaluation.
 */
export function nextAlertState(record: AlertRecord, event: AlertEvent): AlertOutcome {
  if (event.type === 'evaluated') return evaluated(record, event);
  return event.type === 'acknowledged' ? acknowledged(record, event) : updated(record, event);
}

function evaluated(record: AlertRecord, event: EventOf<'evaluated'>): AlertOutcome {
  if (isOlder(record, event)) return { ok: true, record, isApplied: false };
  const { atMs, definitionVersion, evaluation } = event;
  const { alert } = record;
  const news = { evaluatedAtMs: atMs, definitionVersion };
  if (evaluation.state === alert.state) {
    const since = alert.since ?? timestamp(atMs);
    return { ok: true, record: { alert: { ...alert, since }, ...news }, isApplied: true };
  }
  const next = { state: evaluation.state, since: timestamp(atMs), ...unacknowledged };
  const timelineEvent = entry('transition', alert.state, event, { to_state: evaluation.state, evaluation });
  return { ok: true, record: { alert: next, ...news }, isApplied: true, timelineEvent };
}

function isOlder(record: AlertRecord, { atMs, definitionVersion }: EventOf<'evaluated'>): boolean {
  if (definitionVersion !== record.definitionVersion) return definitionVersion < record.definitionVersion;
  return record.evaluatedAtMs !== null && atMs < record.evaluatedAtMs;
}

function acknowledged(record: AlertRecord, event: EventOf<'acknowledged'>): AlertOutcome {
  const { alert } = record;
  if (alert.state !== 'warning' && alert.state !== 'critical') {
    const message = `The alert is ${alert.state}: only a warning or a critical alert can be acknowledged.`;
    return { ok: false, code: 'invalid_state', message };
  }
  const next = {
    ...alert,
    acknowledged: true,
    acknowledged_by: event.by,
    acknowledged_at: timestamp(event.atMs),
    note: event.note,
  };
  const timelineEvent = entry('acknowledged', alert.state, event, { note: event.note });
  return { ok: true, record: { ...record, alert: next }, isApplied: true, timelineEvent };
}

function updated(record: AlertRecord, event: EventOf<'updated'>): AlertOutcome {
  const definitionVersion = Math.max(record.definitionVersion, event.definitionVersion);
  const timelineEvent = entry('updated', record.alert.state, event, {});
  return { ok: true, record: { ...record, definitionVersion }, isApplied: true, timelineEvent };
}

function entry(
  type: TimelineEvent['type'],
  state: SloState,
  { atMs, by }: AlertEvent,
  more: Partial<TimelineEvent>,
): TimelineEvent {
  return {
    type,
    from_state: state,
    to_state: state,
    actor: by ?? null,
    note: null,
    evaluation: null,
    at: timestamp(atMs),
    ...more,
  };
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
