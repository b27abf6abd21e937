import type { AuditEvent } from './audit-event.ts';

/** Media type of one CloudEvent in the structured mode, and of several. Source: CloudEvents, HTTP Protocol Binding 1.0.2, 3.2 and 3.3. */
const ONE = 'application/cloudevents+json';
const SEVERAL = 'application/cloudevents-batch+json';

/** Whether a config asks for CloudEvents. */
export function isCloudEvents(contentType: string): boolean {
  const [essence = ''] = contentType.split(';', 1);
  return [ONE, SEVERAL].includes(essence.trim().toLowerCase());
}

/** An event in the form of CloudEvents: what tells it from others goes into the envelope, the rest is its data. */
export function cloudEvent(event: AuditEvent): Readonly<Record<string, unknown>> {
  const { event_id: id, event_type: type, ...data } = event;
  return {
    specversion: '1.0',
    id,
    type,
    source: `/gateways/${encodeURIComponent(event.gateway_id)}`,
    subject: event.path,
    time: event.timestamp,
    datacontenttype: 'application/json',
    data,
  };
}

/** The body of a call that sends CloudEvents, each already JSON. */
export function cloudEventsBody(events: readonly string[]): { readonly text: string; readonly contentType: string } {
  const [first = '', ...more] = events;
  return more.length === 0
    ? { text: first, contentType: ONE }
    : { text: `[${events.join(',')}]`, contentType: SEVERAL };
}
