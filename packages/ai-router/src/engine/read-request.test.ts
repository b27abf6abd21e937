import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AiOperation } from '../operation.ts';
import { BODY_DEPTH_MAX, BODY_VALUES_MAX, bodyBoundsIssue } from './body-bounds.ts';
import { isRefusal, MODEL_LENGTH_MAX, readRequest } from './read-request.ts';

function read(operation: AiOperation, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return readRequest(operation, new TextEncoder().encode(text));
}

const messages = [{ role: 'user', content: 'x' }];

describe('bodies that are refused', () => {
  it.each<[AiOperation, unknown, string | undefined]>([
    ['chat', '', undefined],
    ['chat', '{', undefined],
    ['chat', '[]', undefined],
    ['chat', 'null', undefined],
    ['chat', '"text"', undefined],
    ['chat', { messages }, 'model'],
    ['chat', { model: 7, messages }, 'model'],
    ['chat', { model: '', messages }, 'model'],
    ['chat', { model: 'a\nb', messages }, 'model'],
    ['chat', { model: ' m', messages }, 'model'],
    ['chat', { model: 'x'.repeat(MODEL_LENGTH_MAX + 1), messages }, 'model'],
    ['chat', { model: 'm' }, 'messages'],
    ['chat', { model: 'm', messages: [] }, 'messages'],
    ['chat', { model: 'm', messages: {} }, 'messages'],
    ['chat', { model: 'm', messages: [...messages, 'text'] }, 'messages[1]'],
    ['messages', { model: 'm', messages: 'text' }, 'messages'],
    ['chat', { model: 'm', messages, stream: 'yes' }, 'stream'],
    ['completions', { model: 'm' }, 'prompt'],
    ['completions', { model: 'm', prompt: '' }, 'prompt'],
    ['embeddings', { model: 'm', input: [] }, 'input'],
    ['responses', { model: 'm', input: 7 }, 'input'],
    ['responses', { model: 'm', input: 'x', max_output_tokens: '9' }, 'max_output_tokens'],
    ['chat', { model: 'm', messages, max_tokens: '900000' }, 'max_tokens'],
    ['chat', { model: 'm', messages, n: [128] }, 'n'],
  ])('%s %j', (operation, body, param) => {
    const refused = read(operation, body);
    expect(refused).toMatchObject({ code: 'invalid_request_error', ...(param !== undefined && { param }) });
  });

  it('do not take a name of every object for a field', () => {
    expect(read('chat', '{"__proto__":{"model":"m"},"messages":[{}]}')).toMatchObject({ param: 'model' });
  });
});

describe('bodies that would become more than they are worth', () => {
  const list = (levels: number): string =>
    `{"model":"m","messages":[{}],"x":${'['.repeat(levels)}"]}\\""${']'.repeat(levels)}}`;

  it('are refused above a depth, and above a number of values, before they are parsed', () => {
    expect(isRefusal(read('chat', list(BODY_DEPTH_MAX - 1)))).toBe(false);
    expect(read('chat', list(BODY_DEPTH_MAX))).toMatchObject({ code: 'invalid_request_error' });
    const many = (count: number): unknown => read('embeddings', `{"model":"m","input":[${'1,'.repeat(count)}1]}`);
    expect(many(BODY_VALUES_MAX - 3)).not.toHaveProperty('code');
    expect(many(BODY_VALUES_MAX)).toMatchObject({ code: 'request_too_large' });
    expect(read('embeddings', { model: 'm', input: ',[{'.repeat(BODY_VALUES_MAX) })).not.toHaveProperty('code');
  });

  it('agree with the parser on where strings end', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const bytes = new TextEncoder().encode(JSON.stringify(value));
        expect(bodyBoundsIssue(bytes)).toBeUndefined();
      }),
    );
  });

  it('or that are no UTF-8 are none', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"model":"m","messages":[{"content":"bo'),
      Buffer.of(0xff),
      Buffer.from('mb"}]}'),
    ]);
    expect(readRequest('chat', bytes)).toMatchObject({ code: 'invalid_request_error' });
  });
});

describe('bytes that go on as they came', () => {
  const bytesOf = (text: string): boolean => {
    const given = read('chat', text);
    return !isRefusal(given) && given.bytes !== undefined;
  };

  it('are those which all readers of JSON read alike', () => {
    expect(bytesOf('{"model":"m","messages":[{}]}')).toBe(true);
    expect(bytesOf('{"model":"cheap","messages":[{}],"model":"dear"}')).toBe(false);
    expect(bytesOf('{"mod\\u0065l":"dear","messages":[{}],"model":"cheap"}')).toBe(false);
    expect(bytesOf('{"model":"m","messages":[{}],"max_tokens":1,"max_tokens":100000}')).toBe(false);
    expect(bytesOf('{"model":"m","messages":[{"content":"\\u4f60"}]}')).toBe(true);
  });
});
