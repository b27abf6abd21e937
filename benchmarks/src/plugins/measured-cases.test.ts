import { describe, expect, it } from 'vitest';
import { measureCases, type PluginCost } from './measured-cases.ts';

const cost = (nanoseconds: number, more: Partial<PluginCost> = {}): PluginCost => ({
  nanoseconds,
  bytes: nanoseconds,
  isWhole: false,
  ...more,
});

const forever = { repetitions: 3, budgetMs: Number.POSITIVE_INFINITY };
const still = (): number => 0;

describe('cases that are measured', () => {
  it('are asked by turns, and give medians', async () => {
    const asked: string[] = [];
    const given = [3, 10, 11, 2, 1, 99];
    const costOf = (name: string) => {
      asked.push(name);
      return Promise.resolve(cost(given.shift() ?? 0, name === 'b' ? { isWhole: true, firstUs: 7 } : {}));
    };
    const { costs, failures } = await measureCases(['a', 'b'], forever, costOf, still);
    expect(asked).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
    expect([...costs]).toEqual([
      ['a', cost(2)],
      ['b', cost(11, { isWhole: true, firstUs: 7 })],
    ]);
    expect(failures.size).toBe(0);
  });

  it('lose a figure where one fails, and no other', async () => {
    let tries = 0;
    const costOf = (name: string) => {
      if (name === 'down') return Promise.reject(new Error('never there'));
      if (name === 'late' && (tries += 1) === 1) return Promise.reject(new Error('not there yet'));
      return Promise.resolve(cost(5));
    };
    const { costs, failures } = await measureCases(['down', 'late', 'fine'], forever, costOf, still);
    expect([...costs.keys()].toSorted()).toEqual(['fine', 'late']);
    expect([...failures]).toEqual([
      ['down', 'never there'],
      ['late', 'not there yet'],
    ]);
  });

  it('are all measured once, and not again when the time is over', async () => {
    const asked: string[] = [];
    let nowMs = 0;
    const costOf = (name: string) => {
      asked.push(name);
      nowMs += 10;
      return Promise.resolve(cost(1));
    };
    await measureCases(['a', 'b', 'c'], { repetitions: 99, budgetMs: 45 }, costOf, () => nowMs);
    expect(asked).toEqual(['a', 'b', 'c', 'c', 'b']);
  });
});
