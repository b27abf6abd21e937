import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { routingPrompt } from '../routing/routing-prompt.ts';
import { estimateTokens } from './estimate-tokens.ts';

const said = (content: unknown, role = 'user') => ({ role, content });

describe('an estimate', () => {
  it('is a token for four characters, rounded up once, and what the answer may have', () => {
    const messages = [said('12345'), said('678')];
    expect(estimateTokens('chat', { messages, max_tokens: 10 })).toEqual({
      promptTokens: 2,
      maxTokens: 10,
      total: 12,
      promptCharacters: 8,
    });
  });

  it.each([
    [{ max_completion_tokens: 5, max_tokens: 9 }, 9],
    [{ max_completion_tokens: 0, max_tokens: 9 }, 9],
    [{ max_completion_tokens: 0 }, 0],
    [{ max_tokens: 9, n: 4 }, 36],
    [{ max_tokens: 9, n: 0 }, 9],
    [{ max_tokens: 1e300, n: 128 }, Number.MAX_SAFE_INTEGER],
    [{ max_completion_tokens: null, max_tokens: 9 }, 9],
    [{ max_tokens: -4 }, 0],
    [{ max_tokens: 'many' }, 0],
    [{ max_tokens: 1.2 }, 2],
    [{}, 0],
  ])('%j allows %d', (fields, expected) => {
    expect(estimateTokens('chat', { messages: [], ...fields }).maxTokens).toBe(expected);
  });

  it('takes the limit by the name that the form has for it', () => {
    const fields = { max_completion_tokens: 1, max_tokens: 90, max_output_tokens: 7, n: 2, best_of: 3 };
    const allowed = (['messages', 'completions', 'responses', 'embeddings'] as const).map(
      (operation) => estimateTokens(operation, { messages: [], ...fields }).maxTokens,
    );
    expect(allowed).toEqual([90, 270, 7, 0]);
  });

  it.each([
    [
      'chat',
      {
        messages: [
          said([
            { type: 'text', text: 'abcd' },
            { type: 'image_url', image_url: { url: 'x'.repeat(99) } },
          ]),
        ],
      },
      4,
    ],
    ['chat', { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: '{"a":1}' } }] }] }, 7],
    [
      'chat',
      { messages: [{ role: 'assistant', content: null, function_call: { arguments: '{}' } }, said('12', 'tool')] },
      4,
    ],
    ['messages', { system: 'abc', messages: [said('d')] }, 4],
    ['messages', { system: [{ type: 'text', text: 'abc' }], messages: [] }, 3],
    [
      'messages',
      {
        messages: [
          said([
            { type: 'tool_use', input: { a: 1 } },
            { type: 'tool_result', content: [{ type: 'text', text: 'xyz' }] },
          ]),
        ],
      },
      10,
    ],
    ['completions', { prompt: ['ab', 'cd'], suffix: 'e' }, 5],
    ['embeddings', { input: ['abc', 'd'], max_tokens: 50 }, 4],
    ['responses', { instructions: 'ab', input: 'cd', max_output_tokens: 3 }, 4],
    [
      'responses',
      { input: [said([{ type: 'input_text', text: 'abc' }]), { type: 'function_call_output', output: 'de' }] },
      5,
    ],
  ] as const)('%s %j has %d characters', (operation, body, characters) => {
    expect(estimateTokens(operation, body).promptCharacters).toBe(characters);
  });

  it('of embeddings has no answer, and of numbers is how many they are', () => {
    expect(estimateTokens('embeddings', { input: [1, 2, 3], max_tokens: 9 }).total).toBe(3);
    expect(estimateTokens('completions', { prompt: [[1, 2], [3]], max_tokens: 9 }).total).toBe(12);
    expect(estimateTokens('responses', { input: 'x', max_output_tokens: 9 }).total).toBe(10);
  });

  it('is a whole number from zero on, whatever comes', () => {
    const operations = fc.constantFrom('chat', 'completions', 'embeddings', 'responses', 'messages' as const);
    fc.assert(
      fc.property(
        operations,
        fc.dictionary(fc.constantFrom('messages', 'prompt', 'input', 'max_tokens', '__proto__'), fc.jsonValue()),
        (operation, body) => {
          const { total } = estimateTokens(operation, body);
          expect(Number.isSafeInteger(total) ? total : 0).toBeGreaterThanOrEqual(0);
          expect(typeof routingPrompt(operation, body)).toBe('string');
        },
      ),
    );
  });
});

describe('what hints are compared with', () => {
  it.each([
    [
      'chat',
      {
        messages: [said('first question, a long one'), said('answer', 'assistant'), said('second question, long too')],
      },
      'second question, long too',
    ],
    [
      'chat',
      { messages: [said('translate this to French'), said('oui', 'assistant'), said('and German?')] },
      'translate this to French\nand German?',
    ],
    ['chat', { messages: [said('be nice', 'system')] }, ''],
    [
      'messages',
      {
        system: 'x',
        messages: [
          said([
            { type: 'tool_result', content: 'y' },
            { type: 'text', text: 'a question of some length' },
          ]),
        ],
      },
      'a question of some length',
    ],
    ['completions', { prompt: ['one', 'two'] }, 'one\ntwo'],
    ['responses', { input: [said('a question of some length')] }, 'a question of some length'],
    ['responses', { instructions: 'x', input: 'plain' }, 'plain'],
  ] as const)('%s %j', (operation, body, expected) => {
    expect(routingPrompt(operation, body)).toBe(expected);
  });
});
