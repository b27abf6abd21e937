import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  ChatBench,
  chatExchange,
  completionOf,
  saidIn,
  streamOf,
  type TestAnswer,
} from '../shared/chat/chat-bench.test-support.ts';
import { aiResponseGuard } from './index.ts';

const blocking = { blocked_terms: ['bomb'], status_code: 451, message: 'not this' };
const masking = { action: 'mask', block_pii: true, blocked_terms: ['bomb'], mask: '#' };
const STREAM = { type: 'text/event-stream; charset=utf-8' };
const LINES = { type: 'application/x-ndjson' };

async function left(config: object, body: unknown, answer?: TestAnswer, path?: string) {
  await using bench = new ChatBench(aiResponseGuard, config);
  return bench.answer(body, answer, chatExchange({}, path === undefined ? {} : { path }));
}

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

describe('an answer is blocked that holds', () => {
  it.each<[string, unknown, TestAnswer?]>([
    ['a term', completionOf('a bomb')],
    ['a term in full-width letters', completionOf('a ｂｏｍｂ')],
    ['a term with something invisible in it', completionOf('a bo\u200bmb')],
    ['it in a part', completionOf([{ type: 'text', text: 'a bomb' }])],
    ['it in a text beside the choices', { choices: [], note: 'a bomb' }],
    ['it in reasoning', { choices: [{ message: { content: 'x', reasoning_content: 'a bomb' } }] }],
    [
      'it in arguments, spelt with escapes',
      { choices: [{ message: { tool_calls: [{ function: { name: 'f', arguments: '{"q":"\\u0062omb"}' } }] } }] },
    ],
    ['it in JSON of another form', { result: { deep: [{ words: 'a bomb' }] } }],
    ['it in a list', ['x', 'a bomb']],
    ['it as one word where forms have words of theirs', { id: 'bomb', data: [{ status: 'x' }] }],
    ['it in a list of anything', { object: 'list', data: [{ text: 'a bomb' }] }],
    ['it beside vectors', { object: 'list', data: [{ object: 'embedding', embedding: [1] }], note: 'a bomb' }],
    ['it as one text', '"a bomb"'],
    ['it where a name stands twice, the later time', '{"text":"fine","text":"bomb"}'],
    ['it in Anthropic’s form', { type: 'message', content: [{ type: 'text', text: 'a bomb' }] }],
    ['it in a response', { object: 'response', output: [{ content: [{ type: 'output_text', text: 'a bomb' }] }] }],
    ['it in what is no JSON though it says so', 'a bomb {'],
    ['it in words', 'a bomb', { type: 'text/plain' }],
    ['it in an answer that says no type', 'a bomb', { type: undefined }],
    ['it in one of a type nobody can read', 'a bomb', { type: ';;' }],
    ['it in a problem', { detail: 'a bomb' }, { type: 'application/problem+json', status: 500 }],
    ['it in an answer of a plugin', completionOf('a bomb'), { source: 'plugin' }],
    ['it gzipped', gzipSync(JSON.stringify(completionOf('a bomb'))), { headers: ['content-encoding', 'gzip'] }],
    ['it in brotli', brotliCompressSync('{"a":"a bomb"}'), { headers: ['content-encoding', 'br'] }],
    ['it in a stream', streamOf(['a ', 'bomb']), STREAM],
    ['it over the pieces of a stream', streamOf(['a bo', 'mb', '!']), STREAM],
    [
      'it over pieces of a stream of no known form',
      event({ token: { text: 'bo' } }) + event({ token: { text: 'mb' } }),
      STREAM,
    ],
    ['it in an event of words', 'data: a bo\n\ndata: mb\n\n', STREAM],
    ['it in a stream whose lines end with CR', 'data: {"x":"a bomb"}\r\rdata: [DONE]\r\r', STREAM],
    ['it in an event that never ended', 'data: {"x":"a bomb"}', STREAM],
    ['it over lines of JSON', '{"message":{"content":"a bo"}}\n{"message":{"content":"mb"}}\n', LINES],
    [
      'it over events of responses',
      event({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'bo' }) +
        event({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'mb' }),
      STREAM,
    ],
    [
      'it over Anthropic’s events',
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'bo' } }) +
        event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'mb' } }),
      STREAM,
    ],
  ])('%s', async (_name, body, answer) => {
    const { status, text, header } = await left(blocking, body, answer);
    expect([status, header('content-type')]).toEqual([451, 'application/json']);
    expect(JSON.parse(text)).toMatchObject({ error: { message: 'not this', code: 'content_blocked' } });
  });

  it('and clients are told in OpenAI’s form', async () => {
    expect(JSON.parse((await left(blocking, completionOf('bomb'))).text)).toEqual({
      error: { message: 'not this', type: 'content_blocked', param: null, code: 'content_blocked', request_id: 'r1' },
    });
  });

  it('and Anthropic’s clients in theirs', async () => {
    const { text } = await left(
      blocking,
      { type: 'message', content: [{ type: 'text', text: 'bomb' }] },
      {},
      '/v1/messages',
    );
    expect(JSON.parse(text)).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'not this', code: 'content_blocked' },
      request_id: 'r1',
    });
  });

  it('and what the answer says of its way and of limits stays', async () => {
    const headers = ['X-Gateway-AI-Provider', 'p', 'set-cookie', 'a=b', 'x-ratelimit-limit-tokens', '5', 'etag', '"1"'];
    const { header } = await left(blocking, completionOf('bomb'), { headers });
    expect(['x-gateway-ai-provider', 'x-ratelimit-limit-tokens', 'set-cookie', 'etag'].map(header)).toEqual([
      'p',
      '5',
      undefined,
      undefined,
    ]);
  });
});

describe('an answer passes as it came', () => {
  it.each<[string, object, unknown, TestAnswer?]>([
    ['that holds nothing', blocking, completionOf('a bombardment')],
    ['whose numbers have more digits than a number holds', blocking, '{"id": 12345678901234567890, "text":"x"}'],
    ['of words of the form', { blocked_terms: ['assistant', 'stop', 'chat.completion'] }, completionOf('fine')],
    ['of the gateway', blocking, { detail: 'bomb' }, { source: 'gateway', status: 502 }],
    ['of another type', blocking, 'bomb', { type: 'image/png' }],
    ['without a body', blocking, '', { status: 204 }],
    [
      'of a type that is not listed',
      { ...blocking, content_types: ['application/json'] },
      'bomb',
      { type: 'text/plain' },
    ],
    ['in a stream that holds nothing', blocking, `: hello\n\n${streamOf(['a', 'b'])}`, STREAM],
    ['in capitals, where case counts', { blocked_terms: ['bomb'], case_sensitive: true }, completionOf('BOMB')],
  ])('%s', async (_name, config, body, answer) => {
    const { status, text, exchange } = await left(config, body, answer);
    expect([status, text]).toEqual([answer?.status ?? 200, typeof body === 'string' ? body : JSON.stringify(body)]);
    expect(exchange.response.body).toBeUndefined();
  });
});

describe('what is masked', () => {
  it('is gone from JSON, and so are log probabilities', async () => {
    const body = {
      choices: [{ message: { content: 'mail ann@example.org a bomb' }, logprobs: { content: [{ token: 'ann' }] } }],
    };
    const { status, text, header } = await left(masking, body, { headers: ['etag', '"x"', 'content-md5', 'abc'] });
    expect(JSON.parse(text)).toEqual({ choices: [{ message: { content: 'mail # a #' }, logprobs: null }] });
    expect([status, header('content-length'), header('content-md5')]).toEqual([200, String(text.length), undefined]);
  });

  it('is gone over the pieces of a stream, whose other events stay', async () => {
    const { text } = await left(
      masking,
      `: hi\n\nid: 7\n${streamOf(['call 078-05', '-1120 or ann@ex', 'ample.org'])}`,
      STREAM,
    );
    expect(saidIn(text)).toBe('call # or #');
    expect(text.startsWith(': hi\n\nid: 7\ndata: ')).toBe(true);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('is coded again as it was', async () => {
    const body = gzipSync(JSON.stringify(completionOf('a bomb')));
    const { exchange, header } = await left(masking, body, { headers: ['content-encoding', 'gzip'] });
    expect(header('content-encoding')).toBe('gzip');
    expect(JSON.parse(gunzipSync(exchange.response.body ?? '').toString())).toEqual(completionOf('a #'));
  });

  it.each<[string, unknown, TestAnswer]>([
    ['a word', 'a bomb', { type: 'text/plain' }],
    ['a word that says no type', 'a bomb', { type: undefined }],
  ])('in words: %s', async (_name, body, answer) => {
    expect((await left(masking, body, answer)).text).toBe('a #');
  });

  it('leaves one reading where a name stood twice', async () => {
    const { text } = await left(masking, '{"text":"bomb","text":"fine"}');
    expect(text).toBe('{"text":"fine"}');
    const stream = await left(masking, 'data: {"text":"bomb","text":"fine"}\n\n', STREAM);
    expect(stream.text).toBe('data: {"text":"fine"}\n\n');
  });

  it('blocks what cannot be masked everywhere', async () => {
    const responses = event({ type: 'response.output_text.delta', delta: 'bomb' });
    expect((await left(masking, responses, STREAM)).status).toBe(400);
    const call = (args: string) => ({ choices: [{ message: { tool_calls: [{ function: { arguments: args } }] } }] });
    expect((await left(masking, call('{"bomb":1}'))).status).toBe(400);
    expect(JSON.parse((await left(masking, call('{"a":"bomb"}'))).text)).toEqual(call('{"a":"#"}'));
  });
});

it('counts what it blocks, masks and cannot judge', async () => {
  const counts: unknown[] = [];
  for (const [config, body] of [
    [blocking, completionOf('bomb')],
    [masking, completionOf('bomb')],
    [blocking, completionOf('fine')],
    [blocking, Buffer.from([0xff])],
  ] as const) {
    await using bench = new ChatBench(aiResponseGuard, config);
    await bench.answer(body);
    counts.push(bench.counts);
  }
  expect(counts).toEqual([{ messages_blocked: 1 }, { messages_masked: 1 }, {}, { messages_unjudged: 1 }]);
});

describe('an answer that cannot be judged is refused', () => {
  const deep = `${'['.repeat(65)}"bomb"${']'.repeat(65)}`;
  it.each<[string, object, unknown, TestAnswer?]>([
    ['too long', { ...blocking, max_body_bytes: 10 }, completionOf('fine')],
    ['said to be too long', blocking, completionOf('fine'), { headers: ['content-length', '9000000'] }],
    [
      'a bomb of gzip',
      { ...blocking, max_body_bytes: 100_000 },
      gzipSync('x'.repeat(1_000_000)),
      { headers: ['content-encoding', 'gzip'] },
    ],
    ['broken gzip', blocking, gzipSync('{"a":"b"}').subarray(0, 12), { headers: ['content-encoding', 'gzip'] }],
    ['a coding that is not read', blocking, 'x', { headers: ['content-encoding', 'compress'] }],
    ['coded twice', blocking, 'x', { headers: ['content-encoding', 'gzip, br'] }],
    ['another charset', blocking, 'x', { type: 'text/plain; charset=utf-16' }],
    ['no UTF-8', blocking, Buffer.from([0x22, 0xff, 0x22])],
    ['too deep', blocking, deep],
    ['of too many values', blocking, `[${'{},'.repeat(1_000_000)}1]`],
    ['a stream of too many events', blocking, 'data:a\n\n'.repeat(130_000), STREAM],
    ['a stream of too many values', blocking, `data: [${'1,'.repeat(600_000)}1]\n\n`.repeat(2), STREAM],
    ['a part of one', blocking, 'bomb', { status: 206 }],
    ['a part of one, as it says', blocking, 'bomb', { headers: ['content-range', 'bytes 0-3/9'] }],
    ['a stream with an event too deep', blocking, `data: ${deep}\n\n`, STREAM],
    ['more text than is judged', blocking, completionOf('x'.repeat(600_000))],
  ])('%s', async (_name, config, body, answer) => {
    const { status, text } = await left(config, body, answer);
    expect(status).toBe(502);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'answer_unreadable' } });
  });
});
