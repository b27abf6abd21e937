import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../shared/records/log-record.ts';
import { readStatsd } from '../testing/statsd-lines.ts';
import { DATAGRAM_BYTES_MAX, packLines } from './datagrams.ts';
import { dialects } from './dialects.ts';
import { lineMaker } from './metric-lines.ts';
import { tagList } from './tags.ts';

const figures = {
  status: 599,
  status_source: 'upstream',
  latency_ms: 123_456.789,
  upstream_latency_ms: 0.001,
  gateway_latency_ms: 0,
  request_bytes: Number.MAX_SAFE_INTEGER,
  response_bytes: 0,
  method: 'OPTIONS',
};
// The rest of a record says nothing to the lines.
const record = figures as LogRecord;

/** Anything an administrator may call a route, with what means something to servers more often than by chance. */
const anyName = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\n', '|', ':', '@', '#', ',', ';', '=', '[', ']', ' ', '\u0000', '\ud800'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  minLength: 1,
  maxLength: 256,
});
const dialectNames = ['dogstatsd', 'telegraf', 'librato', 'signalfx', 'graphite'] as const;

describe('lines of metrics', () => {
  it('are read as they were meant, whatever routes are called, and fit a datagram each', () => {
    fc.assert(
      fc.property(fc.constantFrom(...dialectNames), anyName, anyName, anyName, (dialect, gateway, service, route) => {
        const make = lineMaker({
          namespace: 'n'.repeat(100),
          dialect: dialects[dialect],
          tags: tagList(Array.from({ length: 4 }, (_, index) => `${`t${index}`.padEnd(50, 'x')}:${'v'.repeat(50)}`)),
          hasRouteTags: true,
          sampleRate: 0.0001,
        });
        const lines = make(record, { gateway, service, route });
        const datagrams = packLines(lines).map((datagram) => datagram.toString('utf8'));
        expect(datagrams.every((datagram) => Buffer.byteLength(datagram) <= DATAGRAM_BYTES_MAX)).toBe(true);
        const metrics = datagrams.flatMap((datagram) => readStatsd(datagram, dialect));
        expect(metrics.map(({ name }) => name.slice(101))).toEqual([
          'request.count',
          'request.latency',
          'upstream.latency',
          'gateway.latency',
          'request.size',
          'response.size',
        ]);
        expect(metrics.map(({ value }) => value)).toEqual([1, 123_456.789, 0.001, 0, Number.MAX_SAFE_INTEGER, 0]);
        expect(new Set(metrics.map(({ tags, rate }) => [Object.keys(tags).length, rate].join()))).toEqual(
          new Set(['11,0.0001']),
        );
      }),
    );
  });

  it('say a request without an answer', () => {
    const make = lineMaker({
      namespace: 'n',
      dialect: dialects.dogstatsd,
      tags: [],
      hasRouteTags: false,
      sampleRate: 1,
    });
    const cut = { ...record, status: null, status_source: null, upstream_latency_ms: null };
    expect(make(cut, { gateway: 'g', service: undefined, route: undefined })[0]).toBe(
      'n.request.count:1|c|#method:OPTIONS,status:none,status_class:none,source:none',
    );
  });
});

describe('packLines', () => {
  it('keeps every line whole and in order, and fills datagrams', () => {
    const lines = fc.array(fc.string({ minLength: 1, maxLength: 30 }).map((text) => text.replaceAll('\n', 'x')));
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 80 }), (given, bytesMax) => {
        const packed = packLines(given, bytesMax);
        expect(packed.flatMap((datagram) => datagram.toString('utf8').split('\n'))).toEqual(given);
        for (const [index, datagram] of packed.entries()) {
          expect(datagram.length <= bytesMax || !datagram.includes('\n')).toBe(true);
          const next = packed[index + 1]?.toString('utf8').split('\n')[0];
          if (next !== undefined) expect(datagram.length + 1 + Buffer.byteLength(next)).toBeGreaterThan(bytesMax);
        }
      }),
    );
  });
});
