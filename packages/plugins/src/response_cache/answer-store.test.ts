import { describe, expect, it } from 'vitest';
import { ANSWERS_PER_ADDRESS_MAX, AnswerStore, NOTES_MAX } from './answer-store.ts';
import { cachedAnswer, type CachedAnswer } from './cached-answer.ts';
import { MemoryBudget } from './memory-budget.ts';

function answerOf(bytes: number, language = 'en'): CachedAnswer {
  return cachedAnswer({
    ...{ status: 200, headers: ['X-A', 'b'], cacheControl: undefined, etag: undefined, lastModified: undefined },
    ...{ bornMs: 0, freshMs: 1000, isAlwaysValidated: false, forbidsStale: false, isForAll: false, isExplicit: true },
    ...{ staleIfErrorMs: 0, staleWhileRevalidateMs: 0, origin: 'route' },
    body: new Uint8Array(bytes),
    vary: [{ name: 'accept-language', value: language }],
  });
}

describe('a store', () => {
  it('holds no more than its bound, keys and headers counted, and gives up what was used least recently', () => {
    const store = new AnswerStore(new MemoryBudget(), 10_000);
    for (const key of ['a', 'b', 'c']) store.put(key, answerOf(2000), store.moment);
    expect(store.bytes).toBeGreaterThan(6000);
    expect(store.bytes).toBeLessThanOrEqual(10_000);
    store.answersOf('a');
    store.put('d', answerOf(2000), store.moment);
    expect(['a', 'b', 'c', 'd'].map((key) => store.answersOf(key).length)).toEqual([1, 0, 1, 1]);
    store.put('e'.repeat(9000), answerOf(10), store.moment);
    expect(store.bytes).toBeLessThanOrEqual(10_000);
  });

  it('takes no answer that is larger than itself, and keeps the others', () => {
    const store = new AnswerStore(new MemoryBudget(), 10_000);
    store.put('a', answerOf(10), store.moment);
    store.put('b', answerOf(20_000), store.moment);
    expect([store.answersOf('a').length, store.answersOf('b').length]).toEqual([1, 0]);
  });

  it('has a bounded number of answers for an address, one for each kind of request', () => {
    const store = new AnswerStore(new MemoryBudget());
    for (let nth = 0; nth <= ANSWERS_PER_ADDRESS_MAX; nth += 1) store.put('a', answerOf(1, `l${nth}`), store.moment);
    store.put('a', answerOf(2, 'l5'), store.moment);
    const answers = store.answersOf('a');
    expect(answers).toHaveLength(ANSWERS_PER_ADDRESS_MAX);
    expect(answers.filter(({ vary }) => vary[0]?.value === 'l5').map(({ body }) => body.length)).toEqual([2]);
    expect(answers.some(({ vary }) => vary[0]?.value === 'l0')).toBe(false);
  });

  it('takes nothing that was asked for before a change, also when it no longer knows the change', () => {
    const store = new AnswerStore(new MemoryBudget());
    const before = store.moment;
    store.invalidate('a');
    expect([store.put('a', answerOf(1), before), store.put('b', answerOf(1), before)]).toEqual([false, true]);
    expect(store.put('a', answerOf(1), store.moment)).toBe(true);
    for (let nth = 0; nth < NOTES_MAX; nth += 1) store.invalidate(`x${nth}`);
    expect([store.put('a', answerOf(1), before), store.put('c', answerOf(1), before)]).toEqual([false, false]);
    expect(store.put('a', answerOf(1), store.moment)).toBe(true);
  });

  it('drops one answer and leaves the others', () => {
    const store = new AnswerStore(new MemoryBudget());
    const [one, two] = [answerOf(1, 'a'), answerOf(1, 'b')];
    for (const answer of [one, two]) store.put('a', answer, store.moment);
    store.drop('a', one);
    store.drop('a', one);
    store.drop('b', one);
    expect(store.answersOf('a')).toEqual([two]);
  });
});

describe('the stores of a process', () => {
  it('share one bound, above which the largest gives way', () => {
    const budget = new MemoryBudget(20_000);
    const [small, large] = [new AnswerStore(budget), new AnswerStore(budget)];
    small.put('mine', answerOf(3000), 0);
    for (let nth = 0; nth < 100; nth += 1) large.put(`k${nth}`, answerOf(1000), 0);
    expect(small.bytes + large.bytes).toBeLessThanOrEqual(20_000);
    expect(small.answersOf('mine')).toHaveLength(1);
    expect(large.answersOf('k99')).toHaveLength(1);
  });

  it('give all back when they end', () => {
    const budget = new MemoryBudget(5000);
    const [ended, other] = [new AnswerStore(budget), new AnswerStore(budget)];
    ended.put('a', answerOf(3000), 0);
    ended.end();
    other.put('b', answerOf(3500), 0);
    expect([ended.bytes, other.answersOf('b').length]).toEqual([0, 1]);
  });
});
