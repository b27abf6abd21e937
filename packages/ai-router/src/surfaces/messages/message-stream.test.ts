import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { StreamChunk } from '../../providers/adapter.ts';
import { EVENT_BYTES_MAX, StreamTooLargeError } from '../../providers/errors.ts';
import { messagesSurface } from './messages-surface.ts';
import { type ReadMessage, readMessage } from './read-message.test-support.ts';

function chunk(value: JsonObject): StreamChunk {
  return { type: 'chunk', value: () => value, textLength: 0 };
}

/** A chunk with one choice. */
function said(delta: JsonObject, finish_reason: string | null = null): JsonObject {
  return { id: 'c', model: 'gpt', choices: [{ index: 0, delta, finish_reason }] };
}

function call(index: number, args: string, start: JsonObject = {}, name?: string): JsonObject {
  return { tool_calls: [{ index, ...start, function: { ...(name !== undefined && { name }), arguments: args } }] };
}

function text(values: readonly JsonObject[], request: JsonObject = {}): string {
  const stream = messagesSurface.openStream(request);
  return values.map((value) => stream.push(chunk(value))).join('') + stream.end();
}

function read(values: readonly JsonObject[], request?: JsonObject): ReadMessage {
  return readMessage(text(values, request));
}

test('a stream is the exact events of a message', () => {
  const values = [
    said({ role: 'assistant', content: '' }),
    said({ content: 'Hel' }),
    said({ content: 'lo' }),
    said({}, 'stop'),
  ];
  const usage = { id: 'c', choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } };
  const zero = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };
  const expected = [
    {
      type: 'message_start',
      message: {
        id: 'msg_c',
        type: 'message',
        role: 'assistant',
        model: 'gpt',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: zero,
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { ...zero, input_tokens: 9, output_tokens: 2 },
    },
    { type: 'message_stop' },
  ];
  expect(text([...values, usage])).toBe(
    expected.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
  );
});

test('text goes on at once', () => {
  const stream = messagesSurface.openStream({});
  expect(stream.push(chunk(said({ content: 'Hel' })))).toContain('Hel');
  expect(stream.push(chunk(said({ content: 'lo' })))).toContain('lo');
});

test.each([
  ['protocol-conversion/openai-to-anthropic-stream.sse', 'Hello world', 'end_turn'],
  ['protocol-conversion/openrouter-double-finish.sse', 'Hi!', 'end_turn'],
  ['protocol-conversion/usage-only-final-chunk.sse', 'Hi', 'end_turn'],
  ['protocol-conversion/deepseek-usage-null.sse', 'Hi!', 'end_turn'],
  ['protocol-conversion/null-finish-reason.sse', 'Hi!', 'end_turn'],
])('the transcript %s', (name, written, stopReason) => {
  const transcript = readFileSync(new URL(`../../testdata/apisix/${name}`, import.meta.url), 'utf8');
  const values = transcript
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as JsonObject);
  const message = read(values);
  expect(message.blocks).toEqual([{ type: 'text', written }]);
  expect(message.stopReason).toBe(stopReason);
  expect(message.usage).not.toMatchObject({ input_tokens: 0 });
});

describe('calls', () => {
  test('have IDs that Anthropic takes in a later turn, each its own', () => {
    const [foreign, none, other] = [
      read([said(call(0, '{', { id: 'functions.f:0' }, 'f')), said(call(0, '}', { id: 'functions.f:0' }))]),
      read([said(call(0, '{}', {}, 'f'))]),
      read([{ ...said(call(0, '{}', {}, 'f')), id: 'd' }]),
    ].map(({ blocks }) => blocks);
    const id: unknown = expect.stringMatching(/^[\w-]{1,64}$/);
    for (const blocks of [foreign, none, other]) {
      expect(blocks).toEqual([{ type: 'tool_use', id, name: 'f', written: '{}' }]);
    }
    expect(other).not.toEqual(none);
  });

  test('are whole and in order however their fragments are mixed', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }).map((value) => JSON.stringify(value));
    const calls = fc.array(fc.record({ json, length: fc.integer({ min: 1, max: 20 }) }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(calls, fc.infiniteStream(fc.nat(100)), fc.boolean(), (given, picks, isText) => {
        const left = given.map(({ json: whole, length }, index) => ({
          values: [
            call(index, '', { id: `id${index}`, type: 'function' }, `f${index}`),
            ...Array.from({ length: Math.ceil(whole.length / length) }, (_, at) =>
              call(index, whole.slice(at * length, (at + 1) * length)),
            ),
          ],
        }));
        const values: JsonObject[] = isText ? [said({ content: 'Look' })] : [];
        // Beginnings come in order, as indexes do; the rest is mixed.
        for (const { values: own } of left) values.push(said(own.shift() ?? {}));
        for (const pick of picks) {
          const rest = left.filter(({ values: own }) => own.length > 0);
          if (rest.length === 0) break;
          values.push(said(rest[pick % rest.length]?.values.shift() ?? {}));
        }
        const message = read([...values, said({}, 'tool_calls')]);
        expect(message.stopReason).toBe('tool_use');
        expect(message.blocks).toEqual([
          ...(isText ? [{ type: 'text', written: 'Look' }] : []),
          ...given.map(({ json: written }, index) => ({
            type: 'tool_use',
            id: `id${index}`,
            name: `f${index}`,
            written,
          })),
        ]);
      }),
    );
  });

  test('one after another go on at once', () => {
    const stream = messagesSurface.openStream({});
    stream.push(chunk(said(call(0, '{"a":"}"', { id: 'a' }, 'f'))));
    expect(stream.push(chunk(said(call(0, '}'))))).toContain('content_block_delta');
    const next = stream.push(chunk(said(call(1, '{"b"', { id: 'b' }, 'g'))));
    expect(next).toMatch(/content_block_stop[^]*"id":"b"[^]*partial_json":"\{\\"b\\""/);
    // What comes late for a call that is over is no part of it.
    expect(stream.push(chunk(said(call(0, ' '))))).toBe('');
  });

  test('that wait go on as soon as the one before them is whole', () => {
    const stream = messagesSurface.openStream({});
    stream.push(chunk(said(call(0, '{"a":', { id: 'a' }, 'f'))));
    expect(stream.push(chunk(said(call(1, '{"b":2}', { id: 'b' }, 'g'))))).toBe('');
    expect(stream.push(chunk(said(call(0, '1}'))))).toMatch(/1\}[^]*content_block_stop[^]*"id":"b"[^]*\{\\"b\\":2\}/);
  });

  test('of one index and several IDs are several', () => {
    const values = [said(call(0, '{}', { id: 'a' }, 'f')), said(call(0, '{}', { id: 'b' }, 'g')), said({}, 'stop')];
    expect(read(values)).toMatchObject({ blocks: [{ id: 'a' }, { id: 'b' }], stopReason: 'tool_use' });
  });

  test('whose ID is told again and again are one', () => {
    const values = [said(call(0, '{', { id: 'a' }, 'f')), said(call(0, '}', { id: 'a' }, 'f'))];
    expect(read(values).blocks).toEqual([{ type: 'tool_use', id: 'a', name: 'f', written: '{}' }]);
  });

  test('are followed by text in its own block', () => {
    const values = [
      said(call(0, '{"a":', { id: 'a' }, 'f')),
      said({ content: 'B' }),
      said(call(0, '1}')),
      said({ content: 'C' }),
    ];
    expect(read(values).blocks.map(({ type, written }) => [type, written])).toEqual([
      ['tool_use', '{"a":1}'],
      ['text', 'BC'],
    ]);
  });

  test('that wait are bounded, and so is their number', () => {
    const stream = messagesSurface.openStream({});
    stream.push(chunk(said(call(0, '{', { id: 'a' }, 'f'))));
    expect(() => {
      for (let at = 0; at <= EVENT_BYTES_MAX / 1000 + 1; at += 1) {
        stream.push(chunk(said(call(1, 'x'.repeat(1000), { id: 'b' }, 'g'))));
      }
    }).toThrow(StreamTooLargeError);
    const many = messagesSurface.openStream({});
    expect(() => {
      for (let at = 0; at < 2000; at += 1) many.push(chunk(said(call(at, '{}', { id: `${at}` }, 'f'))));
    }).toThrow(StreamTooLargeError);
  });
});

test('thoughts are for who asked for them', () => {
  const values = [said({ reasoning_content: 'Hm' }), said({ content: 'Yes' })];
  expect(read(values).blocks).toEqual([{ type: 'text', written: 'Yes' }]);
  expect(read(values, { thinking: { type: 'adaptive' } }).blocks).toEqual([
    { type: 'thinking', written: 'Hm' },
    { type: 'text', written: 'Yes' },
  ]);
});

test('an empty answer, and one without anything', () => {
  for (const values of [[said({ content: '' }), said({}, 'length')], []]) {
    expect(read(values).names).toEqual(['message_start', 'message_delta', 'message_stop']);
  }
});

test('a refusal is one', () => {
  expect(read([said({ refusal: 'No' }), said({}, 'stop')])).toMatchObject({ blocks: [{ written: 'No' }] });
});
