import { describe, expect, it } from 'vitest';
import {
  ChatBench,
  chatExchange,
  chatOf,
  completionOf,
  startService,
  type TestAnswer,
} from '../shared/chat/chat-bench.test-support.ts';
import { llmAsJudge } from './index.ts';

/** Runs one answer through the plugin whose judge says this. */
async function judged(verdict: string, body: unknown, answer?: TestAnswer) {
  await using service = await startService();
  service.say({ verdict });
  await using bench = new ChatBench(llmAsJudge, { judge_url: service.url });
  const { status } = await bench.answer(body, answer);
  return { status, asked: service.requests.map(({ body: one }) => JSON.parse(one.toString()) as object) };
}

describe('the judge is asked about', () => {
  const chat = (message: object, choice: object = {}) => ({ choices: [{ index: 0, message, ...choice }] });
  const call = { name: 'answer', arguments: '{"text":"t-1"}' };
  const output = (item: object) => ({ object: 'response', output: [item] });
  const content = (block: object) => ({ type: 'message', content: [block] });
  it.each<[string, unknown, TestAnswer?]>([
    ['tools', chat({ content: null, tool_calls: [{ id: 'c', type: 'function', function: call }] })],
    ['tools beside a content', chat({ content: 'ok', tool_calls: [{ function: call }] })],
    ['a function', chat({ content: null, function_call: call })],
    ['a tool of words', chat({ tool_calls: [{ type: 'custom', custom: { name: 'a', input: 't-1' } }] })],
    ['a refusal', chat({ content: null, refusal: 't-1' })],
    ['thoughts', chat({ content: '', reasoning_content: 't-1' })],
    ['a transcript', chat({ content: null, audio: { transcript: 't-1' } })],
    ['tokens alone', chat({ content: '' }, { logprobs: { content: [{ token: 't-1', logprob: 0 }] } })],
    ['Anthropic’s tools', content({ type: 'tool_use', name: 'a', input: { text: 't-1' } })],
    ['Anthropic’s thoughts', content({ type: 'thinking', thinking: 't-1' })],
    ['a call in responses', output({ type: 'function_call', ...call })],
    [
      'tools of a stream',
      ['{"text":"t-', '1"}']
        .map((part) => ({
          choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: part } }] } }],
        }))
        .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
        .join(''),
      { type: 'text/event-stream' },
    ],
    ['bytes of no type', chat({ content: 't-1' }), { type: 'application/octet-stream' }],
  ])('what a model says by %s', async (_name, body, answer) => {
    const { asked, status } = await judged('fail', body, answer);
    expect([asked, status]).toMatchObject([[{ response: expect.stringContaining('t-1') as string }], 400]);
  });

  it('a text once, without its tokens', async () => {
    const tokens = { content: [{ token: 'fi', logprob: 0, top_logprobs: [{ token: 'no', logprob: -9 }] }] };
    const { asked } = await judged('pass', chat({ content: 'fine' }, { logprobs: tokens }));
    expect(asked).toMatchObject([{ response: 'fine' }]);
  });

  it('answers to GET, but no lists of models', async () => {
    await using service = await startService();
    service.say({ verdict: 'fail' });
    await using bench = new ChatBench(llmAsJudge, { judge_url: service.url });
    const models = { object: 'list', data: [{ id: 'm-1', object: 'model', owned_by: 'somebody' }] };
    const statuses = [];
    for (const [body, request] of [
      [models, undefined],
      [models, chatOf('q')],
      [{ object: 'list', data: [{ object: 'model' }, { text: 'written' }] }, undefined],
      [completionOf('fine'), undefined],
      [completionOf('fine'), chatOf('q')],
    ] as const) {
      statuses.push((await bench.answer(body, {}, chatExchange(request, { method: 'GET' }))).status);
    }
    expect(statuses).toEqual([200, 400, 400, 400, 400]);
  });
});
