import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { exchangeOf } from '../../testing/plugin-bench.ts';
import { faultPolicy } from './body-problems.ts';

const exchange = exchangeOf({});

function bench(isStrict: boolean) {
  const lines: (readonly [string, unknown])[] = [];
  const line = (level: string) => (_message: string, details?: object) => void lines.push([level, details]);
  const log = { debug: line('debug'), warn: line('warn'), error: line('error') };
  const clock = new FakeClock();
  return { lines, clock, policy: faultPolicy({ log, clock }, isStrict, 'JSON') };
}

describe('faultPolicy', () => {
  it('lets bodies pass with one warning a minute, and a line for each', () => {
    const { lines, clock, policy } = bench(false);
    expect(policy(exchange, 'request', 'malformed')).toBeUndefined();
    policy(exchange, 'response', 'too_large');
    clock.advance(60_000);
    policy(exchange, 'response', 'broken');
    expect(lines).toEqual([
      ['warn', { side: 'request', reason: 'malformed', request_id: 'r1' }],
      ['debug', { side: 'response', reason: 'too_large', request_id: 'r1' }],
      ['warn', { side: 'response', reason: 'broken', request_id: 'r1' }],
    ]);
  });

  it.each([
    ['too_large', 413],
    ['too_complex', 413],
    ['encoding', 415],
    ['charset', 415],
    ['types', 400],
    ['broken', 400],
    ['not_utf8', 400],
    ['malformed', 400],
  ] as const)('strict: %s of a request is %d, of a response 502', (fault, status) => {
    const { lines, policy } = bench(true);
    const answer = policy(exchange, 'request', fault);
    expect(answer?.status).toBe(status);
    expect(answer?.headers).toEqual(['content-type', 'application/problem+json']);
    expect(JSON.parse(String(answer?.body))).toMatchObject({ status, request_id: 'r1' });
    expect(policy(exchange, 'response', fault)?.status).toBe(502);
    expect(lines.map(([level]) => level)).toEqual(['debug', 'debug']);
  });
});
