import { chatAnswer, chatFrames, chatStream, frame, gate } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { readPolicy } from '../policy/read-policy.ts';
import { startTestRouter, takeAnswer } from './router.test-support.ts';

/*
 * What users of other AI gateways complain about, as far as it is the engine's. Source: ai, Twenty complaints.
 */

const [role = '', hello = ''] = chatFrames();

describe('7 and 8: budgets', () => {
  const policies = [readPolicy('alice', { token_budget: 100 })];
  const consumer = { id: 'alice', groups: [] };

  it('are not overspent by requests that run together', async () => {
    await using test = await startTestRouter({ policies, providers: { first: {} } });
    const held = gate();
    const [first = '', ...rest] = chatFrames();
    test.providers['first']?.plan({ kind: 'stream', parts: [first, held, ...rest] });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => test.begin({ stream: true, max_tokens: 30 }, undefined, { consumer })),
    );
    // Each holds 2 + 30 back until it is over: three have room.
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(3);
    held.open();
    const taken = await Promise.all(answers.map((answer) => takeAnswer(answer)));
    const refused = taken.filter(({ status }) => status === 429);
    expect(refused.map(({ body }) => body)).toMatchObject(
      refused.map(() => ({ error: { code: 'token_budget_exceeded' } })),
    );
    test.providers['first']?.plan(chatAnswer());
    // 63 were used: what was held and not used is free again.
    expect((await test.ask({ max_tokens: 30 }, { consumer })).status).toBe(200);
    expect((await test.ask({ max_tokens: 30 }, { consumer })).status).toBe(429);
  });

  it('are given back by requests that fail, and charge nothing', async () => {
    await using test = await startTestRouter({ policies, providers: { first: {} } });
    test.providers['first']?.plan({ kind: 'cut' });
    for (let turn = 0; turn < 5; turn += 1) await test.ask({ max_tokens: 90 }, { consumer });
    test.providers['first']?.plan(chatAnswer());
    const answer = await test.ask({ max_tokens: 90 }, { consumer });
    expect([answer.status, answer.header('x-ratelimit-limit-tokens')]).toEqual([200, '100']);
  });
});

describe('10: usage of streams', () => {
  it('is asked for when the client does not, and the chunk that tells it is not passed on', async () => {
    await using test = await startTestRouter({ providers: { first: {} } });
    const { text } = await test.ask({ stream: true });
    expect(test.providers['first']?.requests[0]?.body).toMatchObject({ stream_options: { include_usage: true } });
    expect(text).not.toContain('"usage"');
    expect(test.records).toMatchObject([{ usage: { input_tokens: 9, output_tokens: 12, estimated: false } }]);
  });

  it('is passed on when the client asks for it', async () => {
    await using test = await startTestRouter({ providers: { first: {} } });
    const { text } = await test.ask({ stream: true, stream_options: { include_usage: true } });
    expect(text).toBe(chatFrames().join(''));
  });

  it('is what was said even when it is zero, and an estimate where nothing was said', async () => {
    await using test = await startTestRouter({ providers: { first: {} } });
    test.providers['first']?.plan(
      chatAnswer({ inputTokens: 0, outputTokens: 0 }),
      chatStream({ inputTokens: 0, outputTokens: 0 }),
      chatAnswer({ withUsage: false }),
      chatStream({ withUsage: false }),
    );
    for (const stream of [false, true, false, true]) await test.ask({ stream });
    const [zero, guess] = [
      { output_tokens: 0, estimated: false },
      { input_tokens: 2, output_tokens: 3, estimated: true },
    ];
    expect(test.records.map(({ usage }) => usage)).toMatchObject([zero, zero, guess, guess]);
  });

  it('may come with the finish, and finishes may come twice', async () => {
    const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
    await using test = await startTestRouter({ providers: { first: {} } });
    const parts = [role, hello, frame({ ...finish, usage }), frame({ ...finish, usage }), 'data: [DONE]\n\n'];
    test.providers['first']?.plan({ kind: 'stream', parts });
    expect((await test.ask({ stream: true })).text).toBe(parts.join(''));
    expect(test.records).toMatchObject([{ usage: { input_tokens: 5, output_tokens: 7 } }]);
  });
});
