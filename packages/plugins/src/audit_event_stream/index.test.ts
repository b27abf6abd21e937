import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmitterBench, type TestExchange } from '../testing/emitter-bench.ts';
import { startHttpSink, type HttpSink } from '../testing/http-sink.ts';
import { auditEventStream } from './index.ts';

let sink: HttpSink;
beforeEach(async () => {
  sink = await startHttpSink();
});
afterEach(() => sink.close());

/** Events of requests, all in one call. */
async function eventsOf(
  config: object,
  ...exchanges: readonly TestExchange[]
): Promise<readonly Record<string, unknown>[]> {
  const bench = new EmitterBench(auditEventStream, { audit_endpoint: sink.url, ...config });
  for (const exchange of exchanges) await bench.send(exchange);
  await bench.dispose();
  return sink.records();
}

describe('audit_event_stream', () => {
  it('sends a record that says what was done', async () => {
    const [event] = await eventsOf({ event_type: 'orders', action: 'read' }, { method: 'GET', path: '/orders/1' });
    expect(event).toMatchObject({
      event_id: expect.stringMatching(/^[\w-]{8,}$/) as unknown,
      event_type: 'orders',
      action: 'read',
      outcome: 'success',
      method: 'GET',
      path: '/orders/1',
      tenant_id: 't1',
    });
  });

  it.each([
    [200, 'success', 'read'],
    [302, 'success', 'read'],
    [400, 'failure', 'read.failed'],
    [403, 'failure', 'read.failed'],
    [500, 'failure', 'read.failed'],
  ])('says of status %d: %s', async (status, outcome, action) => {
    const [event] = await eventsOf({ action: 'read', error_action: 'read.failed' }, { status });
    expect(event).toMatchObject({ status, outcome, action });
  });

  it('gives each event an ID of its own, whatever its request was called', async () => {
    const events = await eventsOf(
      { request_id_header: 'x-request-id' },
      ...[1, 2, 3].map(() => ({ headers: ['x-request-id', 'same'] })),
    );
    expect(new Set(events.map(({ event_id: id }) => id)).size).toBe(3);
    expect(events.map(({ request_id: id }) => id)).toEqual(['same', 'same', 'same']);
  });

  it('sends CloudEvents: one in the form for one, several in the form for several', async () => {
    const config = { content_type: 'application/cloudevents+json', event_type: 'com.example.read', endpoint: sink.url };
    const [event] = await eventsOf(config, { path: '/a' });
    expect(sink.requests[0]?.headers['content-type']).toBe('application/cloudevents+json');
    expect(event).toMatchObject({
      specversion: '1.0',
      type: 'com.example.read',
      source: '/gateways/g1',
      subject: '/a',
      datacontenttype: 'application/json',
      data: { action: 'request', outcome: 'success', path: '/a' },
    });
    const { timestamp } = (event?.['data'] ?? {}) as { readonly timestamp?: string };
    expect([typeof event?.['id'], event?.['time']]).toEqual(['string', timestamp]);
    await eventsOf(config, {}, {});
    expect(sink.requests[1]?.headers['content-type']).toBe('application/cloudevents-batch+json');
    expect(sink.records()).toHaveLength(3);
  });

  it('answers 502 where the trail refuses an event that is waited for', async () => {
    sink.answerWith((res) => void res.writeHead(400).end());
    const bench = new EmitterBench(auditEventStream, { endpoint: sink.url, fail_on_error: true });
    const { response } = await bench.send();
    expect([response.status, sink.records()]).toEqual([
      502,
      [expect.objectContaining({ outcome: 'success', complete: null })],
    ]);
    await bench.dispose();
  });

  it.each([
    ['no endpoint', {}, ''],
    ['two endpoints', { endpoint: 'https://a.test/', audit_endpoint: 'https://b.test/' }, '/endpoint'],
    ['an empty action', { endpoint: 'https://a.test/', action: '' }, '/action'],
    ['a long type', { endpoint: 'https://a.test/', event_type: 'x'.repeat(257) }, '/event_type'],
  ])('may not have %s', (_name, config, pointer) => {
    const compiled = auditEventStream.plugin.compile(config);
    expect(compiled.ok ? [] : compiled.issues.map((issue) => issue.pointer)).toContain(pointer);
  });
});
