import { describe, expect, it } from 'vitest';
import {
  ChatBench,
  chatOf,
  completionOf,
  saidIn,
  serviceFaults,
  startService,
  streamOf,
  type TestAnswer,
} from '../shared/chat/chat-bench.test-support.ts';
import { FAILURES_MAX } from '../shared/chat/service-rest.ts';
import type { TestRequest } from '../testing/plugin-bench.ts';
import { cloudGuardrails } from './index.ts';

const keys = { access_key_id: 'AK-1', secret_access_key: 'SK-1' };
const least = { guardrail_id: 'gr1', region: 'eu-central-1', ...keys };
const STREAM = { type: 'text/event-stream' };

interface Asked {
  readonly source: string;
  readonly content: readonly { readonly text: { readonly text: string } }[];
}

/** What a guardrail answers: it masks `ann`, blocks `bomb`, and says so as the cloud does. */
function guardrailAnswer({ content }: Asked): object {
  const texts = content.map(({ text }) => text.text);
  const isBlocked = texts.some((text) => text.includes('bomb'));
  const isMasked = texts.some((text) => text.includes('ann'));
  if (!isBlocked && !isMasked) return { action: 'NONE', outputs: [], assessments: [{}] };
  const outputs = isBlocked ? [{ text: 'Sorry.' }] : texts.map((text) => ({ text: text.replaceAll('ann', '{NAME}') }));
  const entity = { match: 'ann', type: 'NAME', action: 'ANONYMIZED' };
  const word = { match: 'bomb', action: 'BLOCKED' };
  const assessments = [
    {
      ...(isMasked && { sensitiveInformationPolicy: { piiEntities: [entity] } }),
      ...(isBlocked && { wordPolicy: { customWords: [word] } }),
    },
  ];
  return { action: 'GUARDRAIL_INTERVENED', outputs, assessments };
}

async function startGuardrail(config: object = {}) {
  const service = await startService();
  const asked: Asked[] = [];
  service.behave((_req, res, { body }) => {
    const one = JSON.parse(body.toString()) as Asked;
    asked.push(one);
    res.end(JSON.stringify(guardrailAnswer(one)));
  });
  const bench = new ChatBench(cloudGuardrails, { ...least, endpoint_url: service.url, ...config });
  return {
    ...{ asked, service, bench },
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

async function ran(config: object, body: unknown, request: TestRequest = {}) {
  await using test = await startGuardrail(config);
  const exchange = await test.bench.ask(body, request);
  const status = exchange.hasResponse ? exchange.response.status : 200;
  const bytes = exchange.hasResponse ? exchange.response.body : await exchange.request.readBody(1e7);
  return { status, text: Buffer.from(bytes ?? []).toString(), asked: test.asked, exchange, lines: test.bench.lines };
}

async function left(config: object, body: unknown, answer?: TestAnswer) {
  await using test = await startGuardrail(config);
  return {
    ...(await test.bench.answer(body, answer)),
    asked: test.asked,
    lines: test.bench.lines,
    counts: test.bench.counts,
  };
}

describe('a request', () => {
  it.each<[string, object, unknown, number]>([
    ['without a finding passes', {}, chatOf('hello'), 200],
    ['that is blocked is refused', {}, chatOf('a bomb'), 400],
    ['whose text is masked is refused where the action is to block', { status_code: 451 }, chatOf('ann'), 451],
    ['that is blocked is refused where the action is to mask', { action: 'mask' }, chatOf('a bomb of ann'), 400],
    [
      'with a finding in a role of the client’s own is refused',
      {},
      { messages: [{ role: 'system', content: 'a bomb' }] },
      400,
    ],
    [
      'with a finding in a tool is refused',
      {},
      { ...chatOf('x'), tools: [{ function: { description: 'a bomb' } }] },
      400,
    ],
    [
      'with a finding in arguments that would be no JSON is refused',
      { action: 'mask' },
      { messages: [{ role: 'assistant', tool_calls: [{ function: { arguments: 'ann' } }] }] },
      400,
    ],
    ['for vectors is judged, too', {}, { input: 'a bomb' }, 400],
    ['in no known form is judged, too', {}, { q: 'a bomb' }, 400],
    ['of token numbers cannot be read', {}, { prompt: [1, 2] }, 400],
    ['that is no JSON cannot be read', {}, 'a bomb', 400],
    ['with too much text is refused', {}, chatOf('x'.repeat(100_001)), 413],
    ['that is too long is refused', { max_body_bytes: 10 }, chatOf('hello'), 413],
    ['with too many texts is refused', {}, { q: Array.from({ length: 5001 }, () => 'a') }, 413],
    [
      'whose texts are behind too many others is refused',
      {},
      { q: [...Array.from({ length: 50_001 }, () => '.'), 'bomb'] },
      413,
    ],
  ])('%s', async (_name, config, body, expected) => {
    const { status, text } = await ran(config, body);
    expect(status).toBe(expected);
    if (expected === 200) expect(text).toBe(JSON.stringify(body));
    else expect(JSON.parse(text)).toMatchObject({ error: { code: expect.any(String) as string } });
  });

  it('is masked in all its parts', async () => {
    const parts = [
      { type: 'text', text: 'an' },
      { type: 'text', text: 'n and bob' },
    ];
    const { text, asked } = await ran(
      { action: 'mask' },
      {
        messages: [
          { role: 'user', content: 'ann' },
          { role: 'user', content: parts },
        ],
      },
    );
    expect(asked.map(({ source, content }) => [source, content.map((one) => one.text.text)])).toEqual([
      ['INPUT', ['ann', 'ann and bob']],
    ]);
    expect(JSON.parse(text)).toEqual({
      messages: [
        { role: 'user', content: '{NAME}' },
        { role: 'user', content: [{ type: 'text', text: '{NAME} and bob' }] },
      ],
    });
  });

  it('goes on and is annotated where a config wants it', async () => {
    const { status, text, exchange } = await ran({ action: 'annotate' }, chatOf('a bomb'));
    exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
    expect([status, text, exchange.response.headers.get('x-gateway-ai-guardrail')]).toEqual([
      200,
      JSON.stringify(chatOf('a bomb')),
      'intervened',
    ]);
  });

  it('has one reading where a name stood twice', async () => {
    const { text, asked } = await ran({}, '{"messages":[{"role":"user","content":"a bomb","content":"x"}]}');
    expect([asked.length, text]).toEqual([1, '{"messages":[{"role":"user","content":"x"}]}']);
  });

  it('without a body, or without a word, is not asked about', async () => {
    for (const [body, request] of [
      [undefined, { method: 'GET' }],
      [{ messages: [] }, {}],
      [chatOf('…'), {}],
    ] as const) {
      const { status, asked } = await ran({}, body, request);
      expect([status, asked]).toEqual([200, []]);
    }
  });

  it('of much text is judged in several calls', async () => {
    const body = {
      messages: [
        { role: 'user', content: 'x '.repeat(20_000) },
        { role: 'user', content: `${'y'.repeat(11_000)} ann` },
      ],
    };
    const { asked, text } = await ran({ action: 'mask' }, body);
    expect(asked.length).toBe(3);
    expect(JSON.parse(text)).toEqual({
      messages: [body.messages[0], { role: 'user', content: `${'y'.repeat(11_000)} {NAME}` }],
    });
  });
});

describe('an answer', () => {
  it.each<[string, object, unknown, TestAnswer | undefined, number]>([
    ['without a finding passes', {}, completionOf('hello'), undefined, 200],
    ['that is blocked is refused', {}, completionOf('a bomb'), undefined, 400],
    ['over the pieces of a stream is refused', { status_code: 451 }, streamOf(['a bo', 'mb']), STREAM, 451],
    ['of bytes of no type is judged', {}, completionOf('a bomb'), { type: 'application/octet-stream' }, 400],
    ['of a plugin is judged', {}, completionOf('a bomb'), { source: 'plugin' }, 400],
    ['that a plugin refuses with passes', {}, { error: 'a bomb' }, { source: 'plugin', status: 403 }, 403],
    ['of the gateway passes', {}, { error: 'a bomb' }, { source: 'gateway', status: 502 }, 502],
    ['that is too long is refused', { max_body_bytes: 5 }, completionOf('hello'), undefined, 502],
    ['with too much text is refused', {}, completionOf('x'.repeat(100_001)), undefined, 502],
    [
      'that cannot be read passes where a config wants it',
      { max_body_bytes: 5, fail_open: true },
      completionOf('hello'),
      undefined,
      200,
    ],
    [
      'of a stream of responses that would be masked is refused',
      { action: 'mask' },
      'data: {"type":"response.output_text.delta","delta":"ann"}\n\n',
      STREAM,
      400,
    ],
  ])('%s', async (_name, config, body, answer, expected) => {
    const { status, text } = await left(config, body, answer);
    expect(status).toBe(expected);
    if (status < 400) expect(text).toBe(typeof body === 'string' ? body : JSON.stringify(body));
  });

  it('is masked, a stream too', async () => {
    const whole = await left({ action: 'mask' }, completionOf('I am ann'));
    expect([JSON.parse(whole.text), whole.asked[0]?.source]).toEqual([completionOf('I am {NAME}'), 'OUTPUT']);
    expect(whole.counts).toEqual({ messages_masked: 1 });
    expect(saidIn((await left({ action: 'mask' }, streamOf(['I am an', 'n!']), STREAM)).text)).toBe('I am {NAME}!');
  });

  it('is annotated where a config wants it', async () => {
    const { status, text, header } = await left({ action: 'annotate' }, completionOf('a bomb'));
    expect([status, JSON.parse(text), header('x-gateway-ai-guardrail')]).toEqual([
      200,
      completionOf('a bomb'),
      'intervened',
    ]);
  });
});

describe('a guardrail that masks', () => {
  it.each<[string, object]>([
    ['without a text for each', { outputs: [] }],
    [
      'and blocks, however deep it says so',
      { outputs: [{ text: 'x' }], assessments: [{ topicPolicy: { topics: [{ action: 'BLOCKED' }] } }] },
    ],
  ])('%s is taken to block', async (_name, answer) => {
    await using test = await startGuardrail({ action: 'mask' });
    test.service.say({ action: 'GUARDRAIL_INTERVENED', ...answer });
    expect((await test.bench.ask(chatOf('hello'))).response.status).toBe(400);
  });
});

describe('a guardrail that fails', () => {
  const unfit = [['no action', 'no_action', undefined] as const];
  it.each([...serviceFaults, ...unfit])('by %s', async (_name, reason, behaviour) => {
    for (const failsOpen of [false, true]) {
      await using test = await startGuardrail({
        fail_open: failsOpen,
        timeout_seconds: reason === 'timeout' ? 0.1 : 4,
      });
      if (behaviour === undefined) test.service.say({ outputs: [] });
      else test.service.behave(behaviour);
      const exchange = await test.bench.ask(chatOf('hello'));
      expect([exchange.hasFailed, exchange.hasResponse]).toEqual([false, !failsOpen]);
      if (!failsOpen) {
        expect(exchange.response.status).toBe(503);
        expect(Buffer.from(exchange.response.body ?? []).toString()).toContain('"guardrail_unavailable"');
      }
      expect(test.bench.lines.join()).toContain(reason);
      expect((await test.bench.answer(completionOf('hello'))).status).toBe(failsOpen ? 200 : 503);
      expect(test.bench.lines.join()).not.toContain('127.0.0.1');
      expect(test.bench.lines.join()).not.toContain('SK-1');
    }
  });
});

it('that refuses one text is asked about all others', async () => {
  await using test = await startGuardrail();
  test.service.say({ message: 'not this text' }, 400);
  for (let turn = 0; turn <= FAILURES_MAX; turn += 1) {
    expect((await test.bench.ask(chatOf('poison'))).response.status).toBe(503);
  }
  test.service.say({ action: 'NONE' });
  expect((await test.bench.ask(chatOf('hello'))).hasResponse).toBe(false);
});
