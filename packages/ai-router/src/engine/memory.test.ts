import { chatFrames, eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { createLocalLimits } from '../policy/local-limits.ts';
import { readPolicy } from '../policy/read-policy.ts';
import { isStream, startTestRouter, systemClock, takeAnswer } from './router.test-support.ts';

const STREAMS = 1000;
const AT_ONCE = 20;

describe('a thousand streams that are cut, by the provider or by the client', () => {
  it('leave no connection, no timer, no listener and no tokens that are held back', async () => {
    const timers = new Set<symbol>();
    const limits = createLocalLimits({ clock: systemClock });
    await using test = await startTestRouter({
      providers: { first: {} },
      policies: [readPolicy('default', { token_budget: 1_000_000_000 })],
      limits,
      timers: {
        after(ms, callback) {
          const id = Symbol();
          timers.add(id);
          const timer = setTimeout(() => (timers.delete(id), callback()), ms);
          return () => (clearTimeout(timer), void timers.delete(id));
        },
      },
    });
    const provider = test.providers['first'];
    const [role = '', hello = ''] = chatFrames();
    const signal = new WatchedSignal();
    for (let sent = 0; sent < STREAMS; sent += AT_ONCE) {
      const isLeaving = (sent / AT_ONCE) % 2 === 1;
      provider?.plan({ kind: 'stream', parts: [role, hello], ending: isLeaving ? 'silence' : 'cut' });
      await Promise.all(Array.from({ length: AT_ONCE }, () => cutOne(isLeaving)));
    }
    async function cutOne(isLeaving: boolean): Promise<void> {
      const answer = await test.begin({ stream: true, max_tokens: 500 }, signal.signal);
      if (!isLeaving) expect((await takeAnswer(answer)).text).toContain('provider_stream_error');
      else if (isStream(answer.body)) answer.body.cancel();
    }
    expect(test.records).toHaveLength(STREAMS);
    expect(timers.size).toBe(0);
    expect(signal.listeners).toBe(0);
    await eventually(() => expect(provider?.connections()).toBe(0));
    const charged = test.records.reduce(
      (sum, { usage }) => sum + (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0),
      0,
    );
    const policy = readPolicy('default', { token_budget: 1_000_000_000 });
    const after = limits.admit({ tenantId: 'acme', policy, subject: '*', model: 'public', estimate: 0 });
    expect(after.headers.tokens?.remaining).toBe(1_000_000_000 - charged);
  });
});

/** A signal that knows how many listen to it. */
class WatchedSignal {
  listeners = 0;
  readonly signal: AbortSignal = new AbortController().signal;

  constructor() {
    const { signal } = this;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...given: Parameters<AbortSignal['addEventListener']>) => {
      this.listeners += 1;
      add(...given);
    };
    signal.removeEventListener = (...given: Parameters<AbortSignal['removeEventListener']>) => {
      this.listeners -= 1;
      remove(...given);
    };
  }
}
