import type { LogRecord } from '../shared/records/log-record.ts';

/** What a config says of its events. */
export interface EventWords {
  readonly eventType: string;
  readonly action: string;
  readonly errorAction: string;
}

/** What is said of all events of one outcome. */
export interface EventForm {
  readonly eventType: string;
  readonly action: string;
  readonly outcome: 'success' | 'failure';
}

/** What a record's event is. */
export function formOf(record: LogRecord, { eventType, action, errorAction }: EventWords): EventForm {
  return isFailure(record)
    ? { eventType, action: errorAction, outcome: 'failure' }
    : { eventType, action, outcome: 'success' };
}

/** An answer that broke off is a failure, whatever its head said; of one that has not ended yet, the head decides. */
function isFailure({ status, failure, complete }: LogRecord): boolean {
  return status === null || status >= 400 || failure !== null || complete === false;
}

/**
 * An event as JSON: the record's fields, and what was done and whether it worked.
 * @param record is changed: an object that is written at once takes less than texts that are put together
 * @param id unique, the same in each try to send it
 */
export function eventJson({ eventType, action, outcome }: EventForm, record: LogRecord, id: string): string {
  return JSON.stringify(Object.assign(record, { event_id: id, event_type: eventType, action, outcome }));
}
