import { chatFrames } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { startTestRouter } from './router.test-support.ts';

const PING = ': still thinking\n\n';
const [role = '', hello = '', ...rest] = chatFrames();

describe('comments of a provider', () => {
  it.each(['chat', 'messages'] as const)('go on to clients of %s once the answer has begun', async (operation) => {
    await using test = await startTestRouter({ providers: { first: {} } });
    test.providers['first']?.plan({ kind: 'stream', parts: [role, PING, hello, PING, ...rest] });
    const answer = await test.ask({ stream: true, max_tokens: 9 }, { operation });
    expect(answer.text.split(PING)).toHaveLength(3);
    expect(answer.text).toContain('Hello');
  });

  it('begin no answer: what fails behind them is followed by the next target', async () => {
    await using test = await startTestRouter();
    test.providers['first']?.plan({ kind: 'stream', parts: [PING, PING], ending: 'cut' });
    const answer = await test.ask({ stream: true });
    expect([answer.text.includes(PING), answer.attempts.length]).toEqual([false, 2]);
  });
});
