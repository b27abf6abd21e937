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
  const counts = new Map<string, number>();
  const counter = (name: string) => ({
    add: (count: number) => void counts.set(name, (counts.get(name) ?? 0) + count),
  });
  return { lines, clock, counts, policy: faultPolicy({ log, clock, metrics: { counter } }, isStrict, 'JSON') };
}

describe('faultPolicy', () => {
  it('lets bodies pass with one warning a minute, and a line for each', () => {
    const { lines, clock, counts, policy } = bench(false);
    expect(policy(exchange, 'request', 'malformed')).toBeUndefined();
    policy(exchange, 'response', 'too_large');
    clock.advance(60_000);
    policy(exchange, 'response', 'broken');
    expect(lines).toEqual([
      ['warn', { side: 'request', reason: 'malformed', request_id: 'r1' }],
      ['debug', { side: 'response', reason: 'too_large', request_id: 'r1' }],
      ['warn', { side: 'response', reason: 'broken', request_id: 'r1' }],
    ]);
    expect([...counts]).toEqual([['bodies_unchanged', 3]]);
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
    const { lines, counts, policy } = bench(true);
    const answer = policy(exchange, 'request', fault);
    expect(answer?.status).toBe(status);
    expect(answer?.headers).toEqual(['content-type', 'application/problem+json']);
    expect(JSON.parse(String(answer?.body))).toMatchObject({ status, request_id: 'r1' });
    expect(policy(exchange, 'response', fault)?.status).toBe(502);
    expect(lines.map(([level]) => level)).toEqual(['debug', 'debug']);
    expect([...counts]).toEqual([['bodies_refused', 2]]);
  });
});
