import { SecretError } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import {
  ChatBench,
  chatExchange,
  chatOf,
  completionOf,
  serviceFaults,
  startService,
  streamOf,
  type TestAnswer,
} from '../shared/chat/chat-bench.test-support.ts';
import { FAILURES_MAX, REST_MS } from '../shared/chat/service-rest.ts';
import { mistakesOf } from '../testing/bad-configs.ts';
import { llmAsJudge } from './index.ts';
import { RESPONSE_LENGTH_MAX } from './question.ts';

/** Runs one answer through the plugin whose judge says this. */
async function judged(
  config: object,
  said: unknown,
  body: unknown = completionOf('fine'),
  answer?: TestAnswer,
  path = '/',
) {
  await using service = await startService();
  service.say(said);
  const secrets = {
    read: (reference: string) => {
      if (reference === 'env://JUDGE_KEY') return 'key-of-env';
      throw new SecretError('denied', 'the operator does not let this tenant read it');
    },
  };
  await using bench = new ChatBench(llmAsJudge, { judge_url: `${service.url}${path}`, ...config }, { secrets });
  const left = await bench.answer(body, answer, await bench.ask(chatOf('the question')));
  const asked = service.requests.map(({ body: one }) => JSON.parse(one.toString()) as Record<string, unknown>);
  return { ...left, asked, headers: service.requests[0]?.headers, lines: bench.lines };
}

describe('an answer passes by', () => {
  it.each<[string, object, unknown, boolean]>([
    ['a verdict that passes', {}, { verdict: 'Pass' }, true],
    ['one that does not', {}, { verdict: 'fail' }, false],
    ['true', {}, { verdict: true }, true],
    ['false', {}, { verdict: false }, false],
    ['a verdict of one’s own', { allowed_verdicts: ['Fine '] }, { verdict: ' fine' }, true],
    ['one that is none of one’s own', { allowed_verdicts: ['fine'] }, { verdict: 'pass' }, false],
    ['a score that is enough', { minimum_score: 0.7 }, { score: 0.7 }, true],
    ['a score in a text', { minimum_score: 0.7 }, { score: '0.8' }, true],
    ['one that is not enough', { minimum_score: 0.7 }, { score: 0.69 }, false],
    [
      'a score that is enough beside a verdict that is not',
      { minimum_score: 0.7 },
      { score: 1, verdict: 'fail' },
      false,
    ],
    ['a verdict beside a score that is not enough', { minimum_score: 0.7 }, { score: 0, verdict: 'pass' }, false],
    [
      'paths of one’s own',
      { verdict_path: 'r.0.v', score_path: 'r.0.s', minimum_score: 1 },
      { r: [{ v: 'ok', s: 2 }] },
      true,
    ],
  ])('%s', async (_name, config, said, passes) => {
    const { status, text } = await judged(config, said);
    expect(status).toBe(passes ? 200 : 400);
    expect(JSON.parse(text)).toMatchObject(passes ? completionOf('fine') : { error: { code: 'content_blocked' } });
  });

  it.each([
    ['JSON', '{"verdict":"pass","score":0.9}', 200],
    ['JSON in a fence', '```json\n{"verdict":"pass","score":0.9}\n```', 200],
    ['JSON that blocks', '{"verdict":"fail","score":0.9}', 451],
  ])('what a chat judge says in %s', async (_name, content, expected) => {
    const config = { model: 'j', criteria: ['A', 'B'], minimum_score: 0.5, status_code: 451 };
    const { status, asked } = await judged(config, completionOf(content), undefined, undefined, '/v1/chat/completions');
    expect(status).toBe(expected);
    expect(asked).toEqual([
      {
        model: 'j',
        temperature: 0,
        response_format: { type: 'json_object' },
        messages: [
          { role: 'system', content: expect.stringMatching(/Criteria:\n- A\n- B$/) as unknown },
          { role: 'user', content: JSON.stringify({ prompt: 'the question', response: 'fine' }) },
        ],
      },
    ]);
  });
});

describe('the judge gets', () => {
  it('criteria, prompt and answer, and its key', async () => {
    const config = { criteria: 'be kind', model: 'j', api_key: 'k-1', headers: { 'X-Team': 'a' } };
    const { asked, headers } = await judged(config, { verdict: 'pass' });
    expect(asked).toEqual([{ model: 'j', criteria: 'be kind', prompt: 'the question', response: 'fine' }]);
    expect(headers).toMatchObject({ authorization: 'Bearer k-1', 'x-team': 'a', 'content-type': 'application/json' });
  });

  it('a key of the environment that the operator lets the tenant read', async () => {
    const { headers } = await judged({ api_key_env: 'JUDGE_KEY' }, { verdict: 'pass' });
    expect(headers).toMatchObject({ authorization: 'Bearer key-of-env' });
    const { status, asked } = await judged({ api_key_env: 'DATABASE_URL' }, { verdict: 'pass' });
    expect([status, asked]).toEqual([503, []]);
  });

  it.each<[string, unknown, TestAnswer | undefined, string]>([
    ['a stream', streamOf(['a ', 'b']), { type: 'text/event-stream' }, 'a b'],
    ['words', 'a b', { type: 'text/plain' }, 'a b'],
    ['a form that nobody knows', { response: 'a', more: { words: ['b'] } }, undefined, 'a\nb'],
    ['several choices', { choices: [{ message: { content: 'a' } }, { message: { content: 'b' } }] }, undefined, 'a\nb'],
    ['Anthropic’s form', { type: 'message', content: [{ type: 'text', text: 'a' }] }, undefined, 'a'],
    [
      'a stream of responses, once',
      ['{"type":"response.output_text.delta","delta":"a"}', '{"type":"response.output_text.done","text":"a"}']
        .map((data) => `data: ${data}\n\n`)
        .join(''),
      { type: 'text/event-stream' },
      'a',
    ],
  ])('the text of %s', async (_name, body, answer, response) => {
    const { asked, text } = await judged({}, { verdict: 'pass' }, body, answer);
    expect(asked).toMatchObject([{ response }]);
    expect(text).toBe(typeof body === 'string' ? body : JSON.stringify(body));
  });

  it.each<[string, unknown, TestAnswer?]>([
    ['answers that say nothing', { choices: [{ message: { content: null, tool_calls: [] } }] }],
    ['vectors', { object: 'list', data: [{ object: 'embedding', embedding: [1] }] }],
    ['errors', completionOf('x'), { status: 500 }],
    ['what the gateway says', completionOf('x'), { source: 'gateway' }],
    ['images', 'x', { type: 'image/png' }],
  ])('no question about %s', async (_name, body, answer) => {
    const { asked, status } = await judged({}, { verdict: 'fail' }, body, answer);
    expect([asked, status]).toEqual([[], answer?.status ?? 200]);
  });

  it('no prompt where the request stage was not its own', async () => {
    await using service = await startService();
    service.say({ verdict: 'pass' });
    await using bench = new ChatBench(llmAsJudge, { judge_url: service.url });
    await bench.answer(completionOf('fine'), {}, chatExchange(chatOf('q')));
    expect(service.requests.map(({ body }) => JSON.parse(body.toString()) as object)).toEqual([
      { criteria: expect.any(String) as string, response: 'fine' },
    ]);
  });
});

describe('a judge that fails', () => {
  const unfit: readonly (readonly [string, string, object, unknown])[] = [
    ['no verdict', 'no_verdict', {}, { score: 1 }],
    ['a verdict that is no text', 'no_verdict', {}, { verdict: { a: 1 } }],
    ['no score where one is needed', 'no_score', { minimum_score: 1 }, { verdict: 'pass', score: 'high' }],
  ];
  it.each(unfit)('by %s', async (_name, reason, config, said) => {
    const refused = await judged(config, said, undefined, { headers: ['x-gateway-ai-provider', 'p'] });
    expect([refused.status, refused.header('x-gateway-ai-provider')]).toEqual([503, 'p']);
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'judge_unavailable' } });
    const { status, text, lines } = await judged({ ...config, fail_open: true }, said);
    expect([status, JSON.parse(text), lines]).toEqual([
      200,
      completionOf('fine'),
      [expect.stringContaining(`the judge judged nothing: messages pass without it {"reason":"${reason}"`)],
    ]);
  });

  it.each(serviceFaults)('by %s', async (_name, reason, behaviour) => {
    await using service = await startService();
    service.behave(behaviour);
    for (const failsOpen of [false, true]) {
      await using bench = new ChatBench(llmAsJudge, {
        judge_url: service.url,
        fail_open: failsOpen,
        timeout_seconds: reason === 'timeout' ? 0.1 : 4,
      });
      const { status } = await bench.answer(completionOf('fine'));
      expect(status).toBe(failsOpen ? 200 : 503);
      expect(bench.lines.join()).toContain(reason);
      expect(bench.lines.join()).not.toContain('127.0.0.1');
      expect(bench.counts).toEqual({ messages_unjudged: 1 });
    }
  });

  it.each([false, true])('is left alone for a while (fail_open %s)', async (failsOpen) => {
    await using service = await startService();
    service.say({}, 500);
    await using bench = new ChatBench(llmAsJudge, { judge_url: service.url, fail_open: failsOpen });
    for (let turn = 0; turn < FAILURES_MAX + 3; turn += 1) await bench.answer(completionOf('fine'));
    expect(service.requests.length).toBe(FAILURES_MAX);
    service.say({ verdict: 'fail' });
    expect((await bench.answer(completionOf('fine'))).status).toBe(failsOpen ? 200 : 503);
    bench.clock.advance(REST_MS);
    expect((await bench.answer(completionOf('fine'))).status).toBe(400);
    expect((await bench.answer(completionOf('fine'))).status).toBe(400);
  });

  it.each([false, true])(
    'for what one client has it judge is asked about all others (fail_open %s)',
    async (failsOpen) => {
      await using service = await startService();
      await using bench = new ChatBench(llmAsJudge, { judge_url: service.url, fail_open: failsOpen });
      const unfit: readonly (readonly [unknown, number])[] = [
        [{ hmm: 1 }, 200],
        [{ error: 'not this text' }, 400],
        [{ error: 'not this text' }, 422],
      ];
      for (const [said, status] of unfit) {
        service.say(said, status);
        for (let turn = 0; turn < FAILURES_MAX + 1; turn += 1) await bench.answer(completionOf('poison'));
      }
      service.say({ verdict: 'fail' });
      expect((await bench.answer(completionOf('bad'))).status).toBe(400);
      service.say({ verdict: 'pass' });
      expect((await bench.answer(completionOf('fine'))).status).toBe(200);
    },
  );

  it('is not asked about what cannot be read', async () => {
    const small = { max_body_bytes: 5 };
    expect((await judged(small, { verdict: 'pass' })).status).toBe(502);
    expect((await judged({ ...small, fail_open: true }, {})).status).toBe(200);
    const { status, asked } = await judged({}, { verdict: 'pass' }, completionOf('x'.repeat(RESPONSE_LENGTH_MAX + 1)));
    expect([status, asked]).toEqual([502, []]);
  });
});

describe('an answer that is annotated', () => {
  it.each<[string, unknown, readonly (string | undefined)[]]>([
    ['passes', { verdict: 'pass', score: 0.5 }, ['passed', 'pass', '0.5']],
    ['fails', { verdict: `bäd\n${'x'.repeat(80)}` }, ['failed', `b?d?${'x'.repeat(60)}`, undefined]],
  ])('goes on when it %s', async (_name, said, headers) => {
    const upstream = { headers: ['x-gateway-ai-judge', 'forged', 'X-Gateway-AI-Judge-Score', '1'] };
    const { status, text, header } = await judged({ action: 'annotate' }, said, undefined, upstream);
    expect([status, JSON.parse(text)]).toEqual([200, completionOf('fine')]);
    expect(['x-gateway-ai-judge', 'x-gateway-ai-judge-verdict', 'x-gateway-ai-judge-score'].map(header)).toEqual(
      headers,
    );
  });
});

it.each<[string, object, readonly string[]]>([
  ['two keys', { api_key: 'a', api_key_env: 'B' }, ['/api_key_env: must not stand beside api_key']],
  [
    'a chat judge without a model',
    { judge_url: 'https://j.test/v1/chat/completions' },
    ['/model: is required: a judge that is asked as a chat needs one'],
  ],
  [
    'a key twice',
    { api_key: 'a', headers: { authorization: 'b' } },
    ['/headers: must not hold Authorization beside a key'],
  ],
  ['no verdict that passes', { allowed_verdicts: [] }, ['/allowed_verdicts: must not be empty']],
  ['a key of two lines', { api_key: 'a\nb' }, ['/api_key: must be of visible ASCII characters']],
  ['a variable that is none', { api_key_env: 'A=B' }, ['/api_key_env: must be the name of a variable']],
])('refuses %s in a config', (_name, config, mistakes) => {
  expect(mistakesOf(llmAsJudge, { judge_url: 'https://j.test', ...config })).toEqual(mistakes);
});
