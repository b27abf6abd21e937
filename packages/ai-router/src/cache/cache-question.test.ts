import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import { type CacheQuestion, cacheQuestion, type CacheRequest, type QuestionScope } from './cache-question.ts';

const settings = { id: 'c1', variesByTenant: true, variesByConsumer: true };
const scope: QuestionScope = { tenantId: 'acme', settings, embedderId: 'hash/256' };

function ask(body: JsonObject, more: Partial<CacheRequest> = {}, where: Partial<QuestionScope> = {}): CacheQuestion {
  const question = maybe(body, more, where);
  if (question === undefined) throw new Error('not cached');
  return question;
}

function maybe(body: JsonObject, more: Partial<CacheRequest> = {}, where: Partial<QuestionScope> = {}) {
  const request: CacheRequest = {
    operation: 'chat',
    body,
    bodyBytes: 100,
    consumerId: 'ann',
    vendorHeaders: undefined,
    plan: 'p',
  };
  return cacheQuestion({ ...request, ...more }, { ...scope, ...where });
}

const message = (text: string): JsonObject => ({ role: 'user', content: text });
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }),
);

/** Fields of a request that shape its answer, each with values that differ. Source: OpenAI API, chat completions. */
const shaping: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  model: text,
  temperature: fc.double({ min: 0, max: 2, noNaN: true }),
  top_p: fc.double({ min: 0, max: 1, noNaN: true }),
  max_tokens: fc.nat(4000),
  max_completion_tokens: fc.nat(4000),
  stop: fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 })),
  tools: fc.array(fc.record({ type: fc.constant('function'), function: fc.record({ name: text }) }), { minLength: 1 }),
  tool_choice: fc.oneof(
    fc.constantFrom('auto', 'none', 'required'),
    fc.record({ function: fc.record({ name: text }) }),
  ),
  response_format: fc.record({ type: fc.constantFrom('text', 'json_object'), json_schema: fc.dictionary(text, text) }),
  n: fc.integer({ min: 1, max: 5 }),
  seed: fc.integer(),
  presence_penalty: fc.double({ min: -2, max: 2, noNaN: true }),
  frequency_penalty: fc.double({ min: -2, max: 2, noNaN: true }),
  logit_bias: fc.dictionary(fc.nat(50_000).map(String), fc.integer({ min: -100, max: 100 })),
  parallel_tool_calls: fc.boolean(),
  reasoning_effort: fc.constantFrom('low', 'medium', 'high'),
  functions: fc.array(fc.record({ name: text }), { minLength: 1 }),
  modalities: fc.constantFrom(['text'], ['text', 'audio']),
  logprobs: fc.boolean(),
  top_logprobs: fc.nat(20),
  verbosity: fc.constantFrom('low', 'high'),
  prediction: fc.record({ type: fc.constant('content'), content: text }),
  web_search_options: fc.dictionary(text, text),
  service_tier: fc.constantFrom('auto', 'flex'),
  something_of_tomorrow: fc.jsonValue(),
};
const messages = fc.array(
  fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content: text, name: text }),
  {
    minLength: 1,
    maxLength: 4,
  },
);
const body = fc.record<JsonObject>(
  { messages, ...shaping },
  { requiredKeys: ['messages', 'model'] },
) as fc.Arbitrary<JsonObject>;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

describe('keys', () => {
  it('differ whenever a field that shapes the answer does', () => {
    const change = fc
      .constantFrom(...Object.keys(shaping))
      .chain((field) => fc.tuple(fc.constant(field), shaping[field] ?? fc.constant(0)));
    fc.assert(
      fc.property(body, change, (given, [field, value]) => {
        const whole = maybe(given);
        const { [field]: _, ...without } = given;
        for (const changed of [{ ...given, [field]: value }, without]) {
          if (same(given[field] ?? null, changed[field as keyof typeof changed] ?? null)) continue;
          const other = maybe(changed);
          if (whole === undefined || other === undefined) continue;
          expect(other.key).not.toBe(whole.key);
          // Only the last text of a user may differ within a partition.
          if (whole.partition !== undefined) expect(other.partition).not.toBe(whole.partition);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('differ for other messages, and partitions for all but the last text of a user', () => {
    fc.assert(
      fc.property(messages, messages, (one, other) => {
        const [first, second] = [ask({ messages: one }), ask({ messages: other })];
        expect(first.key === second.key).toBe(same(sorted(one), sorted(other)));
      }),
    );
    const history = [
      { role: 'system', content: 'Be brief.' },
      message('Tell me of Rome'),
      { role: 'assistant', content: 'Ok' },
    ];
    const [one, two] = ['continue', 'go on'].map((last) => ask({ messages: [...history, message(last)] }));
    const elsewhere = ask({
      messages: [{ ...history[0], content: 'Be long.' }, ...history.slice(1), message('continue')],
    });
    expect([one?.prompt, one?.partition === two?.partition, one?.key === two?.key]).toEqual(['continue', true, false]);
    expect(elsewhere.partition).not.toBe(one?.partition);
  });

  it.each<[string, Partial<CacheRequest>, Partial<QuestionScope>]>([
    ['operation', { operation: 'messages' }, {}],
    ['consumer', { consumerId: 'bob' }, {}],
    ['no consumer', { consumerId: undefined }, {}],
    ['a consumer without a name', { consumerId: '' }, {}],
    ['targets', { plan: 'q' }, {}],
    ['headers for a vendor', { vendorHeaders: ['anthropic-beta', 'x'] }, {}],
    ['tenant', {}, { tenantId: 'globex' }],
    ['cache', {}, { settings: { ...settings, id: 'c2' } }],
  ])('differ for another %s', (_, more, where) => {
    const asked = { messages: [message('Hello?')] };
    const [one, other] = [ask(asked), ask(asked, more, where)];
    expect(other.key).not.toBe(one.key);
    expect(other.partition).not.toBe(one.partition);
  });

  it('are those of all consumers, or of all tenants, where the settings say so', () => {
    const asked = { messages: [message('Hello?')] };
    const ofAll = { settings: { ...settings, variesByConsumer: false } };
    expect(ask(asked, { consumerId: 'bob' }, ofAll).key).toBe(ask(asked, {}, ofAll).key);
    const shared = { settings: { ...settings, variesByTenant: false } };
    expect(ask(asked, {}, { ...shared, tenantId: 'globex' }).key).toBe(ask(asked, {}, shared).key);
    expect(ask(asked, { consumerId: 'bob' }, { ...shared, tenantId: 'globex' }).key).not.toBe(
      ask(asked, {}, shared).key,
    );
  });

  it('vectors of another source are compared with none of this', () => {
    const asked = { messages: [message('Hello?')] };
    expect(ask(asked, {}, { embedderId: 'openai/small' }).partition).not.toBe(ask(asked).partition);
  });

  it('are the same for what asks for the same', () => {
    const one = { model: 'm', temperature: 0, messages: [{ role: 'user', content: 'Hi', name: 'x' }], stream: false };
    const other = {
      messages: [{ name: 'x', content: 'Hi', role: 'user' }],
      ...{ temperature: 0, model: 'm', user: 'u-1', metadata: { a: 'b' }, safety_identifier: 's', store: false },
    };
    expect(ask(other)).toEqual(ask(one));
    // The order of names is that of the answer, where a schema says so.
    const schema = (...names: string[]) => ({
      ...one,
      response_format: { json_schema: { properties: Object.fromEntries(names.map((name) => [name, {}])) } },
    });
    expect(ask(schema('why', 'verdict')).key).not.toBe(ask(schema('verdict', 'why')).key);
  });
});

function sorted(list: readonly JsonObject[]): unknown {
  return list.map((item) => Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

describe('what is not cached', () => {
  const asked = { messages: [message('Hello?')] };
  it.each<[string, AiOperation, JsonObject, Partial<CacheRequest>]>([
    ['large', 'chat', asked, { bodyBytes: 256 * 1024 + 1 }],
    ['kept by its provider', 'chat', { ...asked, store: true }, {}],
    ['a response that its provider keeps', 'responses', { input: 'Hi' }, {}],
    ['a response that goes on', 'responses', { input: 'Hi', store: false, previous_response_id: 'r' }, {}],
    ['a number that readers differ in', 'chat', { ...asked, seed: 2 ** 53 }, {}],
    ['a number that is none', 'chat', { ...asked, seed: Infinity }, {}],
  ])('%s', (_, operation, given, more) => {
    expect(maybe(given, { operation, ...more })).toBeUndefined();
  });

  it.each<[AiOperation, JsonObject, string | undefined]>([
    ['responses', { input: 'Hi', store: false }, 'Hi'],
    ['responses', { input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }], store: false }, 'Hi'],
    ['completions', { prompt: 'Hi' }, 'Hi'],
    ['completions', { prompt: ['Hi'] }, undefined],
    ['embeddings', { input: 'Hi' }, undefined],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }, 'Hi'],
    ['chat', { messages: [message('x'.repeat(4097))] }, undefined],
    ['chat', { messages: [message('  ')] }, undefined],
    ['chat', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] }, undefined],
  ])('%s %j is compared by %j', (operation, given, prompt) => {
    expect(ask(given, { operation }).prompt).toBe(prompt);
  });
});
