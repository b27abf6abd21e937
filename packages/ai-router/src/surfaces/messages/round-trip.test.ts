import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { ChatRequest, ChatTurn } from '../../providers/chat-form/chat-request.ts';
import { anthropicAdapter } from '../../providers/anthropic/anthropic-adapter.ts';
import { anthropicRequest } from '../../providers/anthropic/anthropic-request.ts';
import { readChatRequest } from '../../providers/chat-form/read-chat-request.ts';
import { readStream, testCall, testProvider } from '../../providers/provider.test-support.ts';
import { messagesSurface } from './messages-surface.ts';
import { readMessage } from './read-message.test-support.ts';

const provider = testProvider('anthropic', 'https://api.anthropic.com/v1');
/** Text of white space alone is left out on the way. */
const text = fc.string({ minLength: 1 }).filter((value) => /\S/.test(value));
const object = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });
const id = fc.stringMatching(/^[a-z0-9_-]{1,20}$/);

const image = fc.constantFrom(
  { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
  { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
);
const part = fc.oneof(
  text.map((value) => ({ type: 'text', text: value })),
  image,
);
const call = fc.record({ id, name: fc.constantFrom('f', 'g'), input: object }).map((given) => ({
  id: given.id,
  type: 'function',
  function: { name: given.name, arguments: JSON.stringify(given.input) },
}));
/** A user speaks, and the model answers: with text, or with calls that are answered. */
const exchange = fc
  .tuple(
    fc.array(part, { minLength: 1, maxLength: 3 }),
    text,
    fc.uniqueArray(call, { maxLength: 3, selector: (given) => given.id }),
    text,
  )
  .map(([content, said, calls, result]) => [
    { role: 'user', content },
    { role: 'assistant', content: said, ...(calls.length > 0 && { tool_calls: calls }) },
    ...calls.map((given) => ({ role: 'tool', tool_call_id: given.id, content: result })),
  ]);
const chat = fc
  .record(
    {
      system: text,
      exchanges: fc.array(exchange, { minLength: 1, maxLength: 3 }),
      max_tokens: fc.integer({ min: 1, max: 9999 }),
      temperature: fc.constantFrom(0, 0.5, 1),
      top_p: fc.constantFrom(0.1, 0.9),
      stop: fc.array(text, { minLength: 1, maxLength: 3 }),
      user: text,
      tool_choice: fc.constantFrom('auto', 'none', 'required', { type: 'function', function: { name: 'f' } }),
    },
    { requiredKeys: ['exchanges', 'max_tokens', 'tool_choice'] },
  )
  .map(({ system, exchanges, ...rest }): JsonObject => ({
    ...rest,
    messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...exchanges.flat()],
    tools: ['f', 'g'].map((name) => ({
      type: 'function',
      function: { name, parameters: { type: 'object', properties: {} } },
    })),
  }));

/** What a request means, texts of a model that follow each other as one. */
function meaning(request: ChatRequest): unknown {
  const turns = request.turns.map((turn: ChatTurn) =>
    turn.role === 'assistant' ? { ...turn, texts: [turn.texts.join('')] } : turn,
  );
  return { ...request, turns };
}

describe('what is said as a message and again as a chat', () => {
  test('means the same', () => {
    fc.assert(
      fc.property(chat, (body) => {
        const message = anthropicRequest(testCall({ provider, body, model: 'm' }));
        expect(meaning(readChatRequest(messagesSurface.toChat(message)))).toEqual(meaning(readChatRequest(body)));
      }),
    );
  });

  test('is the same message again', () => {
    fc.assert(
      fc.property(chat, (body) => {
        const message = anthropicRequest(testCall({ provider, body, model: 'm' }));
        const again = messagesSurface.toChat(message);
        expect(anthropicRequest(testCall({ provider, body: again, model: 'm' }))).toEqual(message);
      }),
    );
  });
});

const block = fc.oneof(
  text.map((value) => ({ type: 'text', text: value })),
  fc.record({ type: fc.constant('tool_use'), id, name: fc.constant('f'), input: object }),
);
/** Text comes first, and in one block: a chat has one place for it. */
const blocks = fc
  .uniqueArray(block, { maxLength: 4, selector: (given) => ('id' in given ? given.id : 'text') })
  .map((given) => given.toSorted((left, right) => (left.type === right.type ? 0 : left.type === 'text' ? -1 : 1)));
const counts = fc.record({
  input_tokens: fc.nat(),
  output_tokens: fc.nat(),
  cache_creation_input_tokens: fc.constant(0),
  cache_read_input_tokens: fc.nat(),
});

function stopReason(content: readonly { readonly type: string }[]): string {
  return content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
}

test('an answer comes back as it was', () => {
  fc.assert(
    fc.property(blocks, counts, (content, usage) => {
      const message = {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content,
        stop_reason: stopReason(content),
        stop_sequence: null,
        usage,
      };
      // As it comes over the wire.
      const parsed = JSON.parse(JSON.stringify(message)) as JsonObject;
      const { body } = anthropicAdapter.readAnswer(testCall({ provider }), parsed);
      expect(messagesSurface.fromChat(body, {})).toEqual(parsed);
    }),
  );
});

test('a stream comes back as it was', () => {
  fc.assert(
    fc.property(blocks, counts, fc.integer({ min: 1, max: 50 }), (content, usage, size) => {
      const events: JsonObject[] = [{ type: 'message_start', message: { id: 'msg_1', model: 'm', usage } }];
      for (const [index, given] of content.entries()) {
        const { start, delta, written } = streamed(given);
        events.push({ type: 'content_block_start', index, content_block: start });
        for (let at = 0; at < written.length; at += 3) {
          events.push({ type: 'content_block_delta', index, delta: delta(written.slice(at, at + 3)) });
        }
        events.push({ type: 'content_block_stop', index });
      }
      events.push(
        { type: 'message_delta', delta: { stop_reason: stopReason(content) }, usage },
        { type: 'message_stop' },
      );
      const bytes = events
        .map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
        .join('');
      const stream = messagesSurface.openStream({});
      let back = '';
      for (const event of readStream(anthropicAdapter, testCall({ provider, stream: true }), bytes, size)) {
        if (event.type === 'chunk') back += stream.push(event);
      }
      const message = readMessage(back + stream.end());
      expect(message.blocks.map(({ written }) => written)).toEqual(content.map((given) => streamed(given).written));
      expect(message).toMatchObject({ stopReason: stopReason(content), usage });
    }),
  );
});

interface Streamed {
  readonly start: JsonObject;
  readonly written: string;
  delta(piece: string): JsonObject;
}

function streamed(given: { readonly type: string; readonly text?: string; readonly input?: unknown }): Streamed {
  if (given.text !== undefined) {
    return { start: { type: 'text', text: '' }, written: given.text, delta: (text) => ({ type: 'text_delta', text }) };
  }
  return {
    start: { ...given, input: {} },
    written: JSON.stringify(given.input),
    delta: (partial_json) => ({ type: 'input_json_delta', partial_json }),
  };
}
