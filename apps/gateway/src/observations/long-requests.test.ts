import { latencyUsMax, requestRecord } from '@portcullis/resources';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { recordOf } from './observer.ts';

it('a connection that was open for days is a record that the control plane takes', () => {
  const days = 3 * latencyUsMax;
  const record = recordOf({
    figures: {
      occurredAtMs: 1_700_000_000_000,
      routeId: 'r',
      serviceId: 's',
      method: 'GET',
      status: 200,
      statusSource: 'upstream',
      latencyUs: days,
      upstreamLatencyUs: latencyUsMax + 1,
      requestBytes: 1,
      responseBytes: 1,
    },
    requestId: 'q',
    consumerId: undefined,
    path: '/events',
    pathTemplate: undefined,
    clientIp: '192.0.2.1',
    plugins: [{ name: 'p', stage: 'stream', outcome: 'continue', duration_us: days }],
    ai: undefined,
  });
  expect(v.safeParse(requestRecord, record).success).toBe(true);
  expect([record.latency_us, record.upstream_latency_us, record.gateway_latency_us]).toEqual([
    latencyUsMax,
    latencyUsMax,
    latencyUsMax,
  ]);
});
