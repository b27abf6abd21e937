import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ChatBench, completionOf, saidIn, streamOf, type TestAnswer } from '../shared/chat/chat-bench.test-support.ts';
import { mistakesOf } from '../testing/bad-configs.ts';
import { aiResponseTransformer } from './index.ts';

const STREAM = { type: 'text/event-stream' };
const change = { replacements: { cat: 'dog', 'dog!': 'wolf' }, prefix: '<', suffix: '>' };

async function left(config: object, body: unknown, answer?: TestAnswer) {
  await using bench = new ChatBench(aiResponseTransformer, config);
  return { ...(await bench.answer(body, answer)), lines: bench.lines };
}

const event = (data: object): string => `event: e\ndata: ${JSON.stringify(data)}\n\n`;

describe('texts of a model are changed', () => {
  it.each<[string, unknown, unknown]>([
    ['in a chat, in order', completionOf('a cat! cat'), completionOf('<a wolf dog>')],
    [
      'in parts',
      completionOf([
        { type: 'text', text: 'cat' },
        { type: 'x', text: 'cat' },
      ]),
      completionOf([
        { type: 'text', text: '<dog>' },
        { type: 'x', text: 'cat' },
      ]),
    ],
    ['in each choice', { choices: [{ text: 'cat' }, { text: '' }] }, { choices: [{ text: '<dog>' }, { text: '<>' }] }],
    [
      'in Anthropic’s form, and no thoughts',
      {
        type: 'message',
        content: [
          { type: 'thinking', thinking: 'cat' },
          { type: 'text', text: 'cat' },
        ],
      },
      {
        type: 'message',
        content: [
          { type: 'thinking', thinking: 'cat' },
          { type: 'text', text: '<dog>' },
        ],
      },
    ],
    [
      'in responses',
      {
        object: 'response',
        instructions: 'cat',
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'cat' }] }],
      },
      {
        object: 'response',
        instructions: 'cat',
        output: [{ type: 'message', content: [{ type: 'output_text', text: '<dog>' }] }],
      },
    ],
    [
      'and calls of tools are not',
      { choices: [{ message: { content: null, tool_calls: [{ function: { arguments: '{"a":"cat"}' } }] } }] },
      { choices: [{ message: { content: null, tool_calls: [{ function: { arguments: '{"a":"cat"}' } }] } }] },
    ],
  ])('%s', async (_name, body, expected) => {
    expect(JSON.parse((await left(change, body)).text)).toEqual(expected);
  });

  it('in a stream, over its pieces', async () => {
    const { text, header } = await left({ ...change, header_name: 'X-Changed' }, streamOf(['a c', 'at', '!']), STREAM);
    expect([saidIn(text), header('x-changed'), text.endsWith('data: [DONE]\n\n')]).toEqual(['<a wolf>', 'true', true]);
  });

  it('in a stream of Anthropic’s, block by block', async () => {
    const delta = (index: number, text: string) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'text_delta', text },
    });
    const { text } = await left(change, [delta(0, 'c'), delta(0, 'at'), delta(1, 'x')].map(event).join(''), STREAM);
    expect(text).toBe([delta(0, '<dog>'), delta(0, ''), delta(1, '<x>')].map(event).join(''));
  });

  it('in a stream of responses, in pieces and whole', async () => {
    const events = (first: string, second: string, whole: string) => [
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: first },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: second },
      { type: 'response.output_text.done', output_index: 0, content_index: 0, text: whole },
      { type: 'response.completed', response: { output: [{ content: [{ type: 'output_text', text: whole }] }] } },
    ];
    const { text } = await left(change, events('c', 'at', 'cat').map(event).join(''), STREAM);
    expect(text).toBe(events('<dog>', '', '<dog>').map(event).join(''));
  });

  it('and coded again as they were', async () => {
    const { exchange } = await left(change, gzipSync(JSON.stringify(completionOf('cat'))), {
      headers: ['content-encoding', 'gzip'],
    });
    expect(JSON.parse(gunzipSync(exchange.response.body ?? '').toString())).toEqual(completionOf('<dog>'));
  });

  it('and metadata and a header say so', async () => {
    const config = { metadata: { policy: 'v3' }, header_name: 'X-Changed' };
    const { text, header } = await left(config, { ...completionOf('x'), metadata: { policy: 'v2', a: 1 } });
    expect([JSON.parse(text), header('x-changed')]).toEqual([
      { ...completionOf('x'), metadata: { policy: 'v3', a: 1 } },
      'true',
    ]);
  });

  it('by a list as by a map', async () => {
    const config = {
      replacements: [
        { from: 'a', to: 'b' },
        { from: 'b', to: '$&' },
      ],
    };
    expect(JSON.parse((await left(config, completionOf('a.b'))).text)).toEqual(completionOf('$&.$&'));
  });
});

describe('what cannot be changed', () => {
  const growing = { replacements: [{ from: 'a', to: 'a'.repeat(8192) }] };
  const cases: readonly [string, object, unknown, TestAnswer?][] = [
    ['JSON of another form', change, { cat: 'cat' }],
    ['no JSON', change, 'cat'],
    ['too long', { ...change, max_body_bytes: 5 }, completionOf('cat')],
    ['broken', change, 'x', { headers: ['content-encoding', 'gzip'] }],
    ['a text that would grow too long', growing, completionOf('a'.repeat(1000))],
    ['too deep', change, '['.repeat(100)],
  ];
  it.each(cases)('goes on as it came: %s', async (_name, config, body, answer) => {
    const { status, text, lines } = await left(config, body, answer);
    expect([status, text]).toEqual([200, typeof body === 'string' ? body : JSON.stringify(body)]);
    expect(lines).toEqual([expect.stringContaining('a body went on unchanged')]);
  });

  it.each(cases)('is refused in strict mode: %s', async (_name, config, body, answer) => {
    expect((await left({ ...config, strict: true }, body, answer)).status).toBe(502);
  });

  it.each<[string, TestAnswer]>([
    ['an error', { status: 400 }],
    ['what the gateway says', { source: 'gateway' }],
    ['another type', { type: 'text/plain' }],
  ])('is none of its business: %s', async (_name, answer) => {
    const { text, lines } = await left({ ...change, strict: true }, completionOf('cat'), answer);
    expect([JSON.parse(text), lines]).toEqual([completionOf('cat'), []]);
  });
});

it.each<[string, unknown, readonly string[]]>([
  ['nothing to do', { strict: true }, [': needs at least one of header_name, metadata, prefix, replacements, suffix']],
  [
    'nothing that is sought',
    { replacements: [{ from: '', to: 'x' }] },
    ['/replacements/0/from: must have at least 1 characters'],
  ],
  [
    'a header of the gateway',
    { header_name: 'Content-Length' },
    ['/header_name: names a header that the gateway itself sets'],
  ],
])('refuses %s in a config', (_name, config, mistakes) => {
  expect(mistakesOf(aiResponseTransformer, config)).toEqual(mistakes);
});
