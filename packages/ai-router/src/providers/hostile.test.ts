import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import type { AdapterCall } from './adapter.ts';
import { adapterOf } from './adapters.ts';
import { MalformedAnswerError, StreamTooLargeError, UnsupportedRequestError } from './errors.ts';
import { readStream, testCall, testProvider } from './provider.test-support.ts';
import { providerTypes } from './provider.ts';

/*
 * What clients and providers may send is anything at all. Adapters answer with one of three errors and never with another: an error that
 * nobody expected would end a request which the next target could have served.
 */

/** Names that some form gives a meaning to, so that what is made up gets somewhere. */
const names = fc.constantFrom(
  ...[
    'model',
    'messages',
    'role',
    'content',
    'type',
    'text',
    'tools',
    'tool_calls',
    'function',
    'name',
    'arguments',
    'id',
  ],
  ...[
    'image_url',
    'url',
    'stop',
    'n',
    'seed',
    'max_tokens',
    'stream_options',
    'response_format',
    'json_schema',
    'prompt',
  ],
  ...[
    'input',
    'choices',
    'delta',
    'message',
    'usage',
    'prompt_tokens',
    'finish_reason',
    'error',
    'candidates',
    'parts',
  ],
  ...[
    'output',
    'data',
    'embeddings',
    'done',
    'response',
    'thinking',
    'tool_call_id',
    '__proto__',
    'constructor',
    'toString',
  ],
);
const texts = fc.constantFrom(
  '',
  'user',
  'assistant',
  'tool',
  'system',
  'text',
  'function',
  'image_url',
  '{}',
  '{"a":',
  'data:image/png;base64,AA',
  'x',
);
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'large' },
    texts,
    fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, Infinity, Number.MAX_SAFE_INTEGER + 2, '\uD800'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 6 }),
  ),
}));
const object = fc.dictionary(names, json, { maxKeys: 10 }) as fc.Arbitrary<JsonObject>;

const allowed = [MalformedAnswerError, StreamTooLargeError, UnsupportedRequestError];

/** What an act fails with, but for the errors that are allowed. */
async function unexpected(act: () => unknown): Promise<unknown> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return allowed.some((known) => error instanceof known) ? undefined : error;
  }
}

/** As deep as a body of an ordinary size may be. */
function deepObject(): JsonObject {
  let deep: unknown = {};
  for (let level = 0; level < 50_000; level += 1) deep = level % 2 === 0 ? [deep] : { content: deep };
  return {
    messages: [{ role: 'user', content: deep }],
    choices: [{ delta: deep, message: deep }],
    model: 'x',
    input: deep,
    prompt: deep,
  };
}

describe.each(providerTypes)('%s', (type) => {
  const adapter = adapterOf(type);
  const provider = testProvider(type, 'https://host.test', { region: 'eu-west-1' });
  const calls = [...adapter.forms].flatMap((operation: AiOperation) =>
    [false, true].map((stream): AdapterCall => {
      const credential = { accessKeyId: 'a', secretAccessKey: 'b' };
      return {
        ...testCall({ provider, operation, stream, wantsStreamUsage: stream }),
        ...(type === 'bedrock' && { credential }),
      };
    }),
  );
  const call = fc.constantFrom(...calls);

  test('requests', async () => {
    await fc.assert(
      fc.asyncProperty(call, object, fc.boolean(), async (given, body, hasBytes) => {
        const text = JSON.stringify(body);
        const read = JSON.parse(text) as JsonObject;
        expect(
          await unexpected(() =>
            adapter.prepare({ ...given, body: read, ...(hasBytes && { bytes: Buffer.from(text) }) }),
          ),
        ).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });

  test('answers and errors', async () => {
    await fc.assert(
      fc.asyncProperty(call, object, async (given, body) => {
        expect(await unexpected(() => adapter.readAnswer(given, body))).toBeUndefined();
        expect(await unexpected(() => adapter.readError?.(given, 400, body))).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });

  test('streams of JSON, and of noise', async () => {
    const frame = fc.oneof(
      object.map((value) => `data: ${JSON.stringify(value)}\n\n`),
      object.map((value) => `${JSON.stringify(value)}\n`),
      fc
        .tuple(names, object)
        .map(([name, value]) => `event: ${name}\ndata: ${JSON.stringify({ ...value, type: name })}\n\n`),
      fc.string({ maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(
        call,
        fc.array(frame, { maxLength: 8 }),
        fc.integer({ min: 1, max: 50 }),
        async (given, frames, size) => {
          expect(
            await unexpected(() => {
              for (const event of readStream(adapter, given, frames.join(''), size)) {
                if (event.type === 'chunk') expect(JSON.stringify(event.value())).toContain('{');
              }
            }),
          ).toBeUndefined();
        },
      ),
      { numRuns: 100 },
    );
  });

  test('what is nested deeply', async () => {
    const body = deepObject();
    for (const given of calls) {
      expect(await unexpected(() => adapter.prepare({ ...given, body }))).toBeUndefined();
      expect(await unexpected(() => adapter.readAnswer(given, body))).toBeUndefined();
      expect(await unexpected(() => adapter.readError?.(given, 500, { error: body }))).toBeUndefined();
    }
  });

  test('models that are paths, and no paths', async () => {
    for (const given of calls) {
      for (const model of ['', '.', '..', '../x', 'a/b', 'a?b#c', 'a\r\nb', '\uD800', '__proto__', 'x'.repeat(5000)]) {
        const body = { messages: [{ role: 'user', content: 'x' }], input: 'x', prompt: 'x' };
        expect(
          await unexpected(async () => {
            const { url } = await adapter.prepare({ ...given, model, body });
            expect(new URL(url).origin).toBe('https://host.test');
            expect(url).not.toMatch(/[\s\\]|\/\.\.?(?:\/|$)/);
          }),
        ).toBeUndefined();
      }
    }
  });
});
