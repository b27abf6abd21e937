import type { LogRecord } from '../shared/records/log-record.ts';

/** What a config says of its events. */
export interface EventWords {
  readonly eventType: string;
  readonly action: string;
  readonly errorAction: string;
}

/** What an event has beside the fields of a record: what was done, and whether it worked. */
export interface EventFields {
  /** Unique; the same in each try to send it. */
  readonly event_id: string;
  readonly event_type: string;
  readonly action: string;
  readonly outcome: 'success' | 'failure';
}

/** The fields of a record's event. */
export function eventFields(
  record: LogRecord,
  { eventType, action, errorAction }: EventWords,
  id: string,
): EventFields {
  const hasFailed = isFailure(record);
  return {
    event_id: id,
    event_type: eventType,
    action: hasFailed ? errorAction : action,
    outcome: hasFailed ? 'failure' : 'success',
  };
}

/** An answer that broke off is a failure, whatever its head said; of one that has not ended yet, the head decides. */
function isFailure({ status, failure, complete }: LogRecord): boolean {
  return status === null || status >= 400 || failure !== null || complete === false;
}

/** An event as JSON: its own fields, then the record's. Put together as text, which is quicker than as an object. */
export function eventJson(fields: EventFields, record: LogRecord): string {
  return `${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(record).slice(1)}`;
}
