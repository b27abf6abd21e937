import type { LogRecord } from '../shared/records/log-record.ts';

/** What a config says of its events. */
export interface EventWords {
  readonly eventType: string;
  readonly action: string;
  readonly errorAction: string;
}

/** What an event has beside the fields of a record. */
export interface EventFields {
  /** Unique; the same in each try to send it. */
  readonly event_id: string;
  readonly event_type: string;
  readonly action: string;
  readonly outcome: 'success' | 'failure';
}

/** An event: a record that says what was done, and whether it worked. */
export type AuditEvent = EventFields & LogRecord;

/** The event of a record. */
export function auditEvent(record: LogRecord, { eventType, action, errorAction }: EventWords, id: string): AuditEvent {
  const hasFailed = isFailure(record);
  return {
    event_id: id,
    event_type: eventType,
    action: hasFailed ? errorAction : action,
    outcome: hasFailed ? 'failure' : 'success',
    ...record,
  };
}

/** An answer that broke off is a failure, whatever its head said; of one that has not ended yet, the head decides. */
function isFailure({ status, failure, complete }: LogRecord): boolean {
  return status === null || status >= 400 || failure !== null || complete === false;
}
