import { chatAnswer, chatFrames, chatStream, frame } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { compileGuard } from '../guards/guardrails.ts';
import type { JsonObject } from '../json.ts';
import { saidIn, startTestRouter } from './router.test-support.ts';

/*
 * What users of other AI gateways complain about, as far as it is the engine's. Source: ai, Twenty complaints.
 */

const [role = '', hello = '', , ...ending] = chatFrames();

describe('15: guardrails of answers', () => {
  const guard = compileGuard({ action: 'block', terms: ['forbidden'] });
  const masking = compileGuard({ action: 'mask', mask: '#', terms: ['forbidden'] });
  const guards = (response: (typeof guard)[]) => ({
    ...{ request: [], response: response.filter((one) => one !== undefined), status: 418, message: 'blocked' },
  });

  it.each([false, true])(
    'let nothing out before their verdict, and it has its own status (stream %s)',
    async (stream) => {
      await using test = await startTestRouter({ providers: { first: {} }, guards: guards([guard]) });
      test.providers['first']?.plan((stream ? chatStream : chatAnswer)({ text: 'a forbidden word' }));
      const answer = await test.ask({ stream });
      expect([answer.status, answer.body]).toMatchObject([
        418,
        { error: { code: 'content_blocked', message: 'blocked' } },
      ]);
      expect(answer.text).not.toContain('word');
      expect(test.records).toMatchObject([{ outcome: 'refused', usage: { output_tokens: 12 } }]);
    },
  );

  it('let another target answer when a stream breaks in its middle', async () => {
    await using test = await startTestRouter({ guards: guards([guard]) });
    test.providers['first']?.plan({ kind: 'stream', parts: [role, hello], ending: 'cut' });
    const answer = await test.ask({ stream: true, stream_options: { include_usage: true } });
    expect(answer.text).toBe(chatFrames().join(''));
    expect(answer.attempts.map(({ outcome }) => outcome)).toEqual(['transport_error', 'success']);
  });

  it.each([false, true])('mask over the borders of chunks (stream %s)', async (stream) => {
    await using test = await startTestRouter({ providers: { first: {} }, guards: guards([masking]) });
    const delta = (content: string): string => frame({ choices: [{ index: 0, delta: { content } }] });
    const parts = [role, delta('a for'), delta('bidden word'), ...ending];
    test.providers['first']?.plan(stream ? { kind: 'stream', parts } : chatAnswer({ text: 'a forbidden word' }));
    const { text } = await test.ask({ stream });
    expect(stream ? saidIn(text) : (JSON.parse(text) as JsonObject)).toEqual(
      stream
        ? 'a # word'
        : expect.objectContaining({
            choices: [
              expect.objectContaining({ message: expect.objectContaining({ content: 'a # word' }) as unknown }),
            ],
          }),
    );
  });

  it('judge streams of as many pieces as long answers have', async () => {
    const providers = { first: { responseBytesMax: 64 * 1024 * 1024 } };
    await using test = await startTestRouter({ providers, guards: guards([guard]) });
    const piece = frame({
      system_fingerprint: 'fp_1',
      service_tier: 'x',
      choices: [{ index: 0, delta: { content: 'ab ' } }],
    });
    test.providers['first']?.plan({ kind: 'stream', parts: [piece.repeat(60_000), ...ending] });
    const answer = await test.ask({ stream: true });
    expect([answer.status, saidIn(answer.text).length]).toEqual([200, 180_000]);
  });
});
