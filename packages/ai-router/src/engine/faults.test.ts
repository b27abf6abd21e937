import {
  chatAnswer,
  chatFrames,
  chatStream,
  openAiError,
  overloadedFrame,
  type AiProviderPlan,
} from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { Attempt } from '../attempt.ts';
import { saidIn, startTestRouter } from './router.test-support.ts';

/** A fault of the first target, before anything of an answer was there, and how the attempt is told. */
interface Fault {
  readonly name: string;
  readonly plan: AiProviderPlan;
  readonly attempt: Partial<Attempt>;
  /** What the client gets when every target does so. */
  readonly alone: { readonly status: number; readonly code?: string };
  readonly modes?: readonly boolean[];
}

const exhausted = { status: 502, code: 'ai_targets_exhausted' };
const malformed = { outcome: 'provider_malformed_response', error_class: 'provider_malformed_response' } as const;

const faults: readonly Fault[] = [
  {
    name: 'silence',
    plan: { kind: 'silent' },
    attempt: { outcome: 'timeout', status: null, error_class: 'timeout' },
    alone: exhausted,
  },
  {
    name: 'a connection that is cut',
    plan: { kind: 'cut' },
    attempt: { outcome: 'transport_error', status: null, error_class: 'unreachable' },
    alone: exhausted,
  },
  {
    name: 'half a body',
    plan: { kind: 'half', body: '{"choices":[' },
    attempt: { outcome: 'transport_error', status: 200 },
    alone: exhausted,
    modes: [false],
  },
  {
    name: 'a head without a body',
    plan: { kind: 'stalled' },
    attempt: { outcome: 'timeout', status: 200 },
    alone: exhausted,
  },
  {
    name: 'garbage',
    plan: { kind: 'bytes', body: '{"choices":' },
    attempt: { ...malformed, status: 200 },
    alone: exhausted,
  },
  { name: 'a list', plan: { kind: 'bytes', body: '[1]' }, attempt: { ...malformed, status: 200 }, alone: exhausted },
  { name: 'null', plan: { kind: 'bytes', body: 'null' }, attempt: { ...malformed, status: 200 }, alone: exhausted },
  { name: 'nothing', plan: { kind: 'bytes', body: '' }, attempt: { ...malformed, status: 200 }, alone: exhausted },
  {
    name: 'HTML with status 200',
    plan: { kind: 'bytes', contentType: 'text/html', body: '<h1>secret-page</h1>' },
    attempt: { ...malformed, status: 200 },
    alone: exhausted,
  },
  {
    name: 'a redirect',
    plan: { kind: 'bytes', status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } },
    attempt: { outcome: 'provider_malformed_response', status: 302, error_class: 'unexpected_status' },
    alone: exhausted,
  },
  {
    name: 'HTML with status 503',
    plan: { kind: 'bytes', status: 503, contentType: 'text/html', body: '<h1>secret-page</h1>' },
    attempt: { outcome: 'provider_error', status: 503, error_class: 'status_503' },
    alone: { status: 503, code: 'provider_error' },
  },
  ...[408, 409, 425, 429, 500, 502, 503, 504].map((status) => ({
    name: `status ${status}`,
    plan: openAiError(status, 'too_bad'),
    attempt: { outcome: 'provider_error', status, error_class: 'too_bad' } as const,
    alone: { status, code: 'too_bad' },
  })),
  {
    name: 'overloaded within a stream',
    plan: { kind: 'stream', parts: [overloadedFrame] },
    attempt: { outcome: 'provider_error', status: 200, error_class: 'overloaded_error' },
    alone: exhausted,
    modes: [true],
  },
  {
    name: 'a stream without an event',
    plan: { kind: 'stream', parts: [': ping\n\n'] },
    attempt: { ...malformed, status: 200 },
    alone: exhausted,
    modes: [true],
  },
  {
    name: 'a stream that is [DONE] at once',
    plan: { kind: 'stream', parts: ['data: [DONE]\n\n'] },
    attempt: { ...malformed, status: 200 },
    alone: exhausted,
    modes: [true],
  },
  {
    name: 'a stream that is cut before an event is whole',
    plan: { kind: 'stream', parts: ['data: {"choices":'], ending: 'cut' },
    attempt: { outcome: 'transport_error', status: 200, error_class: 'unreachable' },
    alone: exhausted,
    modes: [true],
  },
  {
    name: 'events that cannot be read, and no others',
    plan: { kind: 'stream', parts: ['data: {oops\n\n', 'data: }\n\n'] },
    attempt: { ...malformed, status: 200 },
    alone: exhausted,
    modes: [true],
  },
  {
    name: 'a stream where JSON was asked for',
    plan: chatStream(),
    attempt: { ...malformed, status: 200 },
    alone: exhausted,
    modes: [false],
  },
  {
    name: 'JSON where a stream was asked for',
    plan: chatAnswer(),
    attempt: { ...malformed, status: 200 },
    alone: exhausted,
    modes: [true],
  },
];

const cases = faults.flatMap((fault) => (fault.modes ?? [false, true]).map((stream) => ({ ...fault, stream })));
const quick = { timeoutMs: 300, firstByteTimeoutMs: 300 };

describe.each(cases)('$name, stream $stream', ({ plan, attempt, alone, stream }) => {
  it('is followed by the next target, and told in the list of attempts', async () => {
    await using test = await startTestRouter({ providers: { first: quick, second: {} } });
    test.providers['first']?.plan(plan);
    const answer = await test.ask({ stream });
    expect(answer.status).toBe(200);
    expect(stream ? saidIn(answer.text) : answer.text).toContain('Hello there');
    expect(answer.attempts).toMatchObject([
      { index: 0, provider: 'first', model: 'model-of-first', retryable: true, ...attempt },
      { index: 1, provider: 'second', model: 'model-of-second', outcome: 'success', status: 200, error_class: null },
    ]);
    expect(answer.header('x-gateway-ai-fallback')).toBe('true');
    expect(answer.header('x-gateway-ai-fallback-count')).toBe('1');
    expect(answer.header('x-gateway-ai-provider')).toBe('second');
    expect(test.providers['first']?.requests).toHaveLength(1);
    expect(test.records).toMatchObject([{ outcome: 'success', fallback: true, provider: 'second' }]);
  });

  it('ends the request when it is the last attempt, with nothing of the provider that is no error of its own', async () => {
    await using test = await startTestRouter({ providers: { first: quick } });
    test.providers['first']?.plan(plan);
    const answer = await test.ask({ stream });
    expect(answer.status).toBe(alone.status);
    expect(answer.body).toMatchObject({ error: alone.code === undefined ? {} : { code: alone.code } });
    expect(answer.attempts).toMatchObject([attempt]);
    expect(answer.text).not.toMatch(/secret-page|127\.0\.0\.1|key-of/);
    expect(answer.header('x-gateway-ai-fallback')).toBeUndefined();
    expect(test.records).toHaveLength(1);
  });
});

describe('after the first event', () => {
  const [role = '', hello = ''] = chatFrames();
  it.each([
    ['a cut', { kind: 'stream', parts: [role, hello], ending: 'cut' }, 'stream_cut'],
    ['silence', { kind: 'stream', parts: [role, hello], ending: 'silence' }, 'stream_idle_timeout'],
    ['an end without a finish', { kind: 'stream', parts: [role, hello] }, 'stream_incomplete'],
    [
      'an end before all of several answers have finished',
      { kind: 'stream', parts: [role, hello, 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'] },
      'stream_incomplete',
    ],
    ['half a frame', { kind: 'stream', parts: [role, hello, 'data: {"cho'] }, 'stream_incomplete'],
  ] as const satisfies readonly (readonly [string, AiProviderPlan, string])[])(
    '%s ends the stream with an error frame, without [DONE], and no other target is asked',
    async (_name, plan, errorClass) => {
      await using test = await startTestRouter({ providers: { first: { streamIdleTimeoutMs: 300 }, second: {} } });
      test.providers['first']?.plan(plan);
      const answer = await test.ask({ stream: true, n: 2 });
      expect(answer.status).toBe(200);
      expect(answer.text.startsWith(role + hello)).toBe(true);
      expect(answer.text).toMatch(
        /data: \{"error":\{"message":"Provider stream interrupted","type":"provider_stream_error","param":null,"code":"provider_stream_error"\}\}\n\n$/,
      );
      expect(answer.text).not.toContain('[DONE]');
      expect(test.providers['second']?.requests).toEqual([]);
      expect(test.records).toMatchObject([
        {
          outcome: 'provider_stream_error',
          error_class: 'provider_stream_error',
          attempts: [{ outcome: 'provider_stream_error', error_class: errorClass, status: 200 }],
        },
      ]);
    },
  );
});
