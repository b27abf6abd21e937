import { FakeClock } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { exchangeOf, type TestRequest } from '../../testing/plugin-bench.ts';
import { noteCorrelationId } from './correlation-note.ts';
import { logRecord, type LogRecord } from './log-record.ts';
import { recordSettings, type RecordConfig } from './record-fields.ts';
import { recordOf } from './record-of.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const end = { status: 200, isComplete: true } as const;
const figures = { latencyMs: 12.34567, upstreamLatencyMs: 10, requestBytes: 3, responseBytes: 1234 };

function settingsOf(config: Partial<RecordConfig> = {}) {
  return recordSettings({ include_headers: false, ...config });
}

/** The record of a request that was answered, checked against the form of records. */
function recordOfRequest(request: TestRequest, config: Partial<RecordConfig> = {}): LogRecord {
  const exchange = exchangeOf(request);
  exchange.setResponse({ status: 200, headers: ['X-Answer', 'a', 'Set-Cookie', 'canary'], source: 'upstream' });
  return v.parse(logRecord, recordOf(exchange, { ...end, figures }, settingsOf(config), new FakeClock()));
}

describe('the record of a request', () => {
  it('says who asked for what, and what became of it', () => {
    const exchange = exchangeOf({
      method: 'GET',
      path: '/orders/12',
      query: 'page=2&token=canary',
      headers: ['User-Agent', 'curl/8', 'traceparent', traceparent, 'X-Correlation-ID', 'c1'],
      facts: { workspaceId: 'w1', route: { id: 'r', name: 'orders' }, service: { id: 's', name: 'shop' } },
    });
    exchange.applyRequestEdits({
      path: '/elsewhere',
      consumer: { id: 'u1', username: 'ann', groups: ['gold'], credentialId: 'k1' },
    });
    exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
    const record = recordOf(exchange, { ...end, figures }, settingsOf(), new FakeClock());
    expect(v.parse(logRecord, record)).toEqual({
      timestamp: '2025-12-31T23:59:59.988Z',
      request_id: 'r1',
      correlation_id: 'c1',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      span_id: 'b7ad6b7169203331',
      tenant_id: 't1',
      gateway_id: 'g1',
      workspace_id: 'w1',
      route: { id: 'r', name: 'orders' },
      service: { id: 's', name: 'shop' },
      consumer: { id: 'u1', username: 'ann', custom_id: null, groups: ['gold'] },
      credential_id: 'k1',
      method: 'GET',
      scheme: 'http',
      host: 'api.test',
      path: '/orders/12',
      query: 'page=***&token=***',
      status: 200,
      status_source: 'upstream',
      latency_ms: 12.346,
      upstream_latency_ms: 10,
      gateway_latency_ms: 2.346,
      request_bytes: 3,
      response_bytes: 1234,
      client_ip: '192.0.2.1',
      user_agent: 'curl/8',
      complete: true,
      failure: null,
    });
  });

  it('has null for what is not known', () => {
    const exchange = exchangeOf({});
    const record = recordOf(exchange, { status: undefined, isComplete: false }, settingsOf(), new FakeClock());
    const unknown = Object.entries(v.parse(logRecord, record)).filter(([, value]) => value === null);
    expect(unknown.map(([name]) => name)).toEqual([
      ...['correlation_id', 'trace_id', 'span_id', 'workspace_id', 'route', 'service', 'consumer', 'credential_id'],
      ...['status', 'status_source', 'latency_ms', 'upstream_latency_ms', 'gateway_latency_ms', 'request_bytes'],
      ...['response_bytes', 'user_agent', 'failure'],
    ]);
  });

  it('says why a request failed, and nothing of the message', () => {
    const exchange = exchangeOf({});
    exchange.fail({ code: 'plugin_failed', message: 'canary', plugin: 'json_transform' }, { status: 503, headers: [] });
    const record = recordOf(exchange, { status: 503, isComplete: true }, settingsOf(), new FakeClock());
    expect([record.status_source, record.failure]).toEqual([
      'gateway',
      { code: 'plugin_failed', plugin: 'json_transform' },
    ]);
  });

  it.each([
    ['the ID that the plugin left', {}, [], 'noted', 'noted'],
    ['the usual header without one', {}, ['x-correlation-id', 'sent'], undefined, 'sent'],
    [
      'the configured header, whatever the plugin left',
      { correlation_id_header: 'X-Own' },
      ['x-own', 'own'],
      'noted',
      'own',
    ],
    ['none for an empty header', { correlation_id_header: 'X-Own' }, ['x-own', ''], undefined, null],
  ])('has as its correlation ID %s', (_name, config, headers, noted, expected) => {
    const exchange = exchangeOf({ headers });
    if (noted !== undefined) noteCorrelationId(exchange, noted);
    expect(recordOf(exchange, end, settingsOf(config), new FakeClock()).correlation_id).toBe(expected);
  });

  it.each([
    [['x-request-id', 'mine'], 'mine'],
    [[], 'r1'],
    [['x-request-id', ''], 'r1'],
  ])('has as its request ID what a configured header says: %j', (headers, expected) => {
    expect(recordOfRequest({ headers }, { request_id_header: 'X-Request-ID' }).request_id).toBe(expected);
  });

  it('cuts what clients send', () => {
    const record = recordOfRequest({
      path: `/${'a'.repeat(5000)}`,
      query: `${'q'.repeat(5000)}=1`,
      headers: ['user-agent', 'u'.repeat(5000), 'x-correlation-id', 'c'.repeat(5000)],
    });
    expect([record.path.length, record.user_agent?.length, record.correlation_id?.length]).toEqual([1024, 1024, 1024]);
    expect(record.query.length).toBeLessThanOrEqual(1024);
  });
});

describe('headers in a record', () => {
  const headers = ['Accept', 'a/b', 'Authorization', 'canary', 'X-Two', '1', 'x-two', '2', '__proto__', 'p'];

  it('are there when all are wanted, credentials hidden, lines of one name joined', () => {
    const record = recordOfRequest({ headers }, { include_headers: true });
    const wanted = '{"accept":"a/b","authorization":"***","x-two":"1, 2","__proto__":"p"}';
    expect(JSON.stringify(record.request_headers).length).toBeGreaterThan(0);
    const raw = recordOf(exchangeOf({ headers }), end, settingsOf({ include_headers: true }), new FakeClock());
    expect(JSON.stringify(raw.request_headers)).toBe(wanted);
    expect(record.response_headers).toEqual({ 'x-answer': 'a', 'set-cookie': '***' });
  });

  it('are those of a list, whatever its case; credentials are hidden there, too', () => {
    const record = recordOfRequest({ headers }, { include_headers: ['ACCEPT', 'authorization', 'X-Answer', 'x-none'] });
    expect(record.request_headers).toEqual({ accept: 'a/b', authorization: '***' });
    expect(record.response_headers).toEqual({ 'x-answer': 'a' });
  });

  it('are not there unless they are asked for', () => {
    expect(recordOfRequest({ headers })).not.toHaveProperty('request_headers');
  });

  it('are bounded in number and length', () => {
    const many = Array.from({ length: 500 }, (_one, index) => [`x-${index}`, 'v'.repeat(3000)]).flat();
    const record = recordOfRequest({ headers: many }, { include_headers: true });
    expect(Object.keys(record.request_headers ?? {}).length).toBe(100);
    expect(record.request_headers?.['x-0']?.length).toBe(1024);
  });
});
