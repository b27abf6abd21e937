import { describe, expect, it } from 'vitest';
import { AnswerStoreError, type AnswerStore } from '../cache/answer-store.ts';
import { type Embedder, EmbeddingError } from '../cache/embedding/embedder.ts';
import { startCached, wordVectors } from './cached.test-support.ts';

const ask = (content: string, before: readonly object[] = []) => ({ messages: [...before, { role: 'user', content }] });
const France = 'What is the capital of France?';

describe('a question that means the same', () => {
  it.each(['semantic', 'hybrid'])(
    '%s: gets the answer that was kept for another, and says how like they are',
    async (mode) => {
      await using test = await startCached({ config: { mode } });
      await test.ask(ask(France));
      const answer = await test.ask(ask("Tell me, what's the capital of France"));
      expect(answer.header('x-gateway-ai-cache')).toBe('hit');
      expect(answer.header('x-gateway-ai-cache-type')).toBe('semantic');
      expect(Number(answer.header('x-gateway-ai-cache-similarity'))).toBeGreaterThanOrEqual(0.92);
      expect(test.records[1]).toMatchObject({ cache: 'hit', cache_type: 'semantic' });
      const again = await test.ask(ask(France));
      expect(again.header('x-gateway-ai-cache-type')).toBe(mode === 'hybrid' ? 'exact' : 'semantic');
      expect(test.calls()).toBe(1);
    },
  );

  it('is another question for a cache that is exact', async () => {
    await using test = await startCached();
    await test.ask(ask(France));
    expect((await test.ask(ask(`${France} `))).header('x-gateway-ai-cache')).toBe('miss');
  });

  it.each([
    ['another thing', 'What is the capital of Italy?'],
    ['another time', 'What was the capital of France?'],
    ['a number', 'What is the capital of France? 2'],
    ['the opposite', 'What is not the capital of France?'],
  ])('%s is not the same, whatever the threshold lets through', async (_, other) => {
    await using test = await startCached({ config: { mode: 'hybrid', similarity_threshold: 0 } });
    await test.ask(ask(France));
    expect((await test.ask(ask(other))).header('x-gateway-ai-cache')).toBe('miss');
  });

  it('belongs to its conversation, its settings and its consumer', async () => {
    await using test = await startCached({ config: { mode: 'hybrid' } });
    const rome = [
      { role: 'user', content: 'Tell me of Rome' },
      { role: 'assistant', content: 'Ok.' },
    ];
    await test.ask(ask('Please continue', rome));
    const states = [
      await test.ask(ask('continue please', [{ role: 'user', content: 'Tell me of Paris' }, ...rome.slice(1)])),
      await test.ask({ ...ask('continue please', rome), temperature: 0.1 }),
      await test.ask({ ...ask('continue please', rome), tools: [{ type: 'function', function: { name: 'f' } }] }),
      await test.ask(ask('continue please', rome), { consumer: { id: 'bob', groups: [] } }),
      await test.ask(ask('Continue, please', rome)),
    ].map((answer) => answer.header('x-gateway-ai-cache'));
    expect(states).toEqual(['miss', 'miss', 'miss', 'miss', 'hit']);
  });
});

const failing = (status: 502 | 503): Embedder => ({
  ...wordVectors,
  isBuiltIn: false,
  embed: () => Promise.reject(new EmbeddingError(status, 'no vector')),
});

describe('a source of vectors that fails', () => {
  it.each([
    ['semantic', ['miss', 'miss'], 2],
    ['hybrid', ['miss', 'hit'], 1],
  ] as const)('%s, fail open: the request goes on without a search', async (mode, states, calls) => {
    const troubles: string[] = [];
    const onTrouble = (part: string): number => troubles.push(part);
    await using test = await startCached({ config: { mode }, embedder: failing(503), onTrouble });
    const answers = [await test.ask(), await test.ask()];
    expect(answers.map((answer) => answer.header('x-gateway-ai-cache'))).toEqual(states);
    expect([test.calls(), new Set(troubles)]).toEqual([calls, new Set(['embedding'])]);
  });

  it.each([502, 503] as const)('fail closed: the request fails with %i, and no provider is asked', async (status) => {
    const config = { mode: 'hybrid', embedding_fail_open: false };
    await using test = await startCached({ config, embedder: failing(status) });
    const answer = await test.ask();
    expect([answer.status, answer.body['error'], test.calls()]).toMatchObject([
      status,
      { code: 'embedding_failed' },
      0,
    ]);
    expect(test.records).toMatchObject([{ outcome: 'refused', error_class: 'embedding_failed' }]);
    expect(test.answers.flights.size).toBe(0);
  });

  it('is not asked by a client that bypasses the cache', async () => {
    const config = { mode: 'semantic', embedding_fail_open: false };
    await using test = await startCached({ config, embedder: failing(503) });
    const statuses = [
      await test.ask({}, { cacheControl: 'no-store' }),
      await test.ask({}, { cacheControl: 'no-cache' }),
      await test.ask({ stream: true }),
    ].map((answer) => answer.status);
    expect(statuses).toEqual([200, 200, 200]);
  });
});

describe('a store that fails', () => {
  const broken = (failure: Error, isLate: boolean): AnswerStore => {
    const fail = (): never => {
      throw failure;
    };
    const failLater = async (): Promise<never> => {
      await Promise.resolve();
      throw failure;
    };
    const call = isLate ? failLater : fail;
    return { get: call, findLike: call, put: call };
  };

  it.each([false, true])('has nothing, and fails no request (later %s)', async (isLate) => {
    const troubles: string[] = [];
    const onTrouble = (part: string): number => troubles.push(part);
    const store = broken(new AnswerStoreError('unavailable', 'gone'), isLate);
    await using test = await startCached({ config: { mode: 'hybrid' }, store, onTrouble });
    const answers = [await test.ask(), await test.ask()];
    expect(answers.map((answer) => [answer.status, answer.header('x-gateway-ai-cache')])).toEqual([
      [200, 'miss'],
      [200, 'miss'],
    ]);
    expect(troubles.length).toBeGreaterThanOrEqual(4);
    expect(test.answers.flights.size).toBe(0);
  });

  it('that has no index and may not do without fails the request: 503', async () => {
    const found = { get: () => undefined, put: () => undefined };
    const findLike = (): Promise<never> => Promise.reject(new AnswerStoreError('no_index', 'no index'));
    await using test = await startCached({ config: { mode: 'hybrid' }, store: { ...found, findLike } });
    const answer = await test.ask();
    expect([answer.status, answer.body['error']]).toMatchObject([503, { code: 'cache_unavailable' }]);
    expect([test.calls(), test.answers.flights.size]).toEqual([0, 0]);
  });

  it('whose entries are damaged is not believed', async () => {
    const answer = { body: '{"choices"', provider: 'p', model: 'm', storedAtMs: 0, expiresAtMs: Infinity };
    const store = { get: () => answer, findLike: () => [], put: () => undefined };
    await using test = await startCached({ store });
    expect((await test.ask({}, { isToldInBody: true })).body).toMatchObject({ gateway_ai: { cache: 'miss' } });
  });
});
