import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attempt } from '../attempt.ts';
import { headerText } from './answer-headers.ts';
import { AttemptLog, ATTEMPTS_HEADER_LENGTH_MAX, attemptsHeader } from './attempt-log.ts';
import { errorClassOf, retryAfterOf } from './provider-answer.ts';
import { RECORD_LENGTH_MAX, recordOf } from './request-record.ts';
import { StreamOutput } from './stream-output.ts';
import { chargeOf, costOf } from './usage-charge.ts';

const attempt = fc.record({
  index: fc.nat(500),
  provider: fc.string({ maxLength: 128, unit: 'grapheme-ascii' }),
  model: fc.string({ maxLength: 256, unit: 'binary' }),
  outcome: fc.constant('timeout' as const),
  status: fc.constant(null),
  error_class: fc.constant('timeout'),
  retryable: fc.boolean(),
  latency_ms: fc.nat(),
  ttft_ms: fc.constant(null),
  started_at: fc.constant('2026-01-01T00:00:00.000Z'),
});

describe('the header of attempts', () => {
  it('is ASCII of bounded length that is still a list, with the last attempt in it', () => {
    fc.assert(
      fc.property(fc.array(attempt, { minLength: 1, maxLength: 60 }), (attempts: Attempt[]) => {
        const header = attemptsHeader(attempts);
        const told = JSON.parse(header) as Attempt[];
        expect(header).toMatch(/^[\x20-\x7e]*$/);
        expect(header.length).toBeLessThanOrEqual(ATTEMPTS_HEADER_LENGTH_MAX);
        expect(told.at(-1)).toEqual(attempts.at(-1));
        if (told.length > 1) expect(told[0]).toEqual(attempts[0]);
      }),
    );
  });
});

describe('texts in headers', () => {
  it('are printable ASCII, whatever a client calls its model', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(headerText(text)).toMatch(/^[\x20-\x7e]*$/);
      }),
    );
    expect([headerText('gpt-4o'), headerText('模型'), headerText(' a')]).toEqual([
      'gpt-4o',
      '%E6%A8%A1%E5%9E%8B',
      '%20a',
    ]);
  });

  it('of a provider are words or nothing', () => {
    const errorOf = (type: unknown) => errorClassOf({ status: 500, body: { error: { type } } });
    expect([errorOf('overloaded_error'), errorOf('two words'), errorOf(7), errorOf('x'.repeat(65))]).toEqual([
      'overloaded_error',
      'status_500',
      'status_500',
      'status_500',
    ]);
    expect(['7', '', 'a\r\nb', 'x'.repeat(65)].map((value) => retryAfterOf(['retry-after', value]))).toEqual([
      '7',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('what is charged', () => {
  it('is what the provider says; what broke off counts at least what was seen', () => {
    const usage = { inputTokens: 10, outputTokens: 1 };
    expect(chargeOf(usage, 99, 400, true)).toMatchObject({ inputTokens: 10, outputTokens: 1, isEstimated: false });
    expect(chargeOf(usage, 99, 400, false)).toMatchObject({ inputTokens: 10, outputTokens: 100, isEstimated: true });
    expect(chargeOf(undefined, 99, 401, true)).toMatchObject({ inputTokens: 99, outputTokens: 101, isEstimated: true });
  });

  it('costs what the pricing says, cached tokens apart', () => {
    const charge = { inputTokens: 1_000_000, outputTokens: 500_000, cachedInputTokens: 400_000, isEstimated: false };
    const pricing = { inputPerMillion: 2, outputPerMillion: 10 };
    expect(costOf(charge, undefined)).toBeNull();
    expect(costOf(charge, pricing)).toBe(7);
    expect(costOf(charge, { ...pricing, cachedInputPerMillion: 1 })).toBeCloseTo(6.6, 10);
  });
});

describe('the output of a stream', () => {
  it('is the frames in their order, and neighbours of one piece are not copied', () => {
    const piece = new TextEncoder().encode('data: 1\n\ndata: 2\n\ndata: 3\n\n');
    const output = new StreamOutput('chat', undefined, false);
    const chunk = (bytes: Uint8Array) => ({ type: 'chunk', value: () => ({}), bytes, textLength: 0 }) as const;
    for (let at = 0; at < piece.length; at += 9) output.chunk(chunk(piece.subarray(at, at + 9)));
    const taken = output.take();
    expect([taken?.buffer, taken?.byteOffset, taken?.byteLength]).toEqual([piece.buffer, 0, piece.length]);
    expect(output.take()).toBeUndefined();
    output.chunk(chunk(piece.subarray(0, 9)));
    output.chunk(chunk(piece.subarray(18)));
    output.done();
    expect(new TextDecoder().decode(output.take())).toBe('data: 1\n\ndata: 3\n\ndata: [DONE]\n\n');
  });
});

describe('times of attempts', () => {
  it('are those of the calendar, to the millisecond', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4_102_444_800_000 }), { minLength: 1 }), (times) => {
        for (const ms of times) {
          const log = new AttemptLog();
          log.add({ provider: 'p', model: 'm', startedAtMs: ms + 0.4, begunMs: 0 }, { outcome: 'success' }, 0);
          expect(log.decisive?.started_at).toBe(new Date(ms).toISOString());
        }
      }),
    );
  });
});

describe('a record', () => {
  it('fits into an observation, whatever clients and providers call things', () => {
    const hard = '\u0001'.repeat(256);
    for (const count of [1, 3, 60]) {
      const attempts = new AttemptLog();
      const open = { provider: '"'.repeat(128), model: '\u2028"'.repeat(128), startedAtMs: 0, begunMs: 0 };
      for (let made = 0; made < count; made += 1) attempts.add(open, { outcome: 'timeout', errorClass: 'timeout' }, 1);
      const record = recordOf({
        ...{ request: { operation: 'chat', body: new Uint8Array(), requestId: 'r' }, stream: false, model: hard },
        ...{
          modelRoute: hard,
          policy: 'p'.repeat(128),
          outcome: 'success',
          errorClass: undefined,
          attempts,
          responseModel: hard,
        },
        ...{
          charge: undefined,
          pricing: undefined,
          gatewayMs: 1,
          providerMs: 1,
          unreadableEvents: 0,
          cache: 'disabled',
          hit: undefined,
        },
        ...{ prompt: hard, response: hard },
      });
      expect(JSON.stringify(record).length).toBeLessThanOrEqual(RECORD_LENGTH_MAX);
      expect(record.prompt).not.toBe('');
      expect(record.attempts.at(-1)).toEqual(attempts.decisive);
    }
  });
});
