import type { LogRecord } from '../shared/records/log-record.ts';
import type { EventForm } from './audit-event.ts';

/** Media type of one CloudEvent in the structured mode, and of several. Source: CloudEvents, HTTP Protocol Binding 1.0.2, 3.2 and 3.3. */
const ONE = 'application/cloudevents+json';
const SEVERAL = 'application/cloudevents-batch+json';

/** Whether a config asks for CloudEvents. */
export function isCloudEvents(contentType: string): boolean {
  const [essence = ''] = contentType.split(';', 1);
  return [ONE, SEVERAL].includes(essence.trim().toLowerCase());
}

/** An event in the form of CloudEvents, as JSON: what tells it from others goes into the envelope, the rest is its data. */
export function cloudEventJson({ eventType, action, outcome }: EventForm, record: LogRecord, id: string): string {
  const envelope = {
    specversion: '1.0',
    id,
    type: eventType,
    source: `/gateways/${encodeURIComponent(record.gateway_id)}`,
    subject: record.path,
    time: record.timestamp,
    datacontenttype: 'application/json',
    data: { action, outcome },
  };
  return `${JSON.stringify(envelope).slice(0, -2)},${JSON.stringify(record).slice(1)}}`;
}

/** The body of a call that sends CloudEvents, each already JSON. */
export function cloudEventsBody(events: readonly string[]): { readonly text: string; readonly contentType: string } {
  const [first = '', ...more] = events;
  return more.length === 0
    ? { text: first, contentType: ONE }
    : { text: `[${events.join(',')}]`, contentType: SEVERAL };
}
