import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpoint, setUsable, sharesOf } from './balancing.test-support.ts';
import { untried, untroubled } from './eligibility.ts';
import { RoundRobin } from './round-robin.ts';

const weights = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 });

function pick(balancer: RoundRobin, times: number): (string | undefined)[] {
  return Array.from({ length: times }, () => balancer.choose(undefined, 0, undefined, untroubled)?.address.host);
}

function countsOf(order: readonly (string | undefined)[], size: number): number[] {
  return Array.from({ length: size }, (_, index) => order.filter((host) => host === String(index)).length);
}

describe('round robin', () => {
  it('spreads the turns of a heavy endpoint out', () => {
    expect(pick(new RoundRobin(sharesOf([5, 1, 1])), 14).join('')).toBe('01000200100020'.slice(0, 14));
  });

  it('gives each exactly its share in any stretch as long as the sum of the weights', () => {
    fc.assert(
      fc.property(weights, fc.nat(50), (list, offset) => {
        const balancer = new RoundRobin(sharesOf(list));
        pick(balancer, offset);
        const sum = list.reduce((total, weight) => total + weight, 0);
        expect(countsOf(pick(balancer, sum), list.length)).toEqual(list);
      }),
    );
  });

  it('is never further from the fair share than one turn, and one for each equal', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 100 }), (list, times) => {
        const counts = countsOf(pick(new RoundRobin(sharesOf(list)), times), list.length);
        const sum = list.reduce((total, weight) => total + weight, 0);
        for (const [index, weight] of list.entries()) {
          expect(Math.abs((counts[index] ?? 0) - (times * weight) / sum)).toBeLessThanOrEqual(list.length);
        }
      }),
    );
  });

  it('never chooses who cannot be used while another can, keeps the shares of the others, and gives no credit', () => {
    fc.assert(
      fc.property(weights, fc.infiniteStream(fc.boolean()), fc.nat(30), (list, draws, before) => {
        const shares = sharesOf([...list, 3]);
        const balancer = new RoundRobin(shares);
        pick(balancer, before);
        const usable = shares.map(({ endpoint: one }, index) => {
          const isUsable = index === list.length || draws.next().value === true;
          setUsable(one, isUsable);
          return isUsable;
        });
        const all = [...list, 3];
        const sum = all.reduce((total, weight, index) => total + (usable[index] === true ? weight : 0), 0);
        const expected = all.map((weight, index) => (usable[index] === true ? weight : 0));
        expect(countsOf(pick(balancer, sum), all.length)).toEqual(expected);
        for (const { endpoint: one } of shares) setUsable(one, true);
        const whole = all.reduce((total, weight) => total + weight, 0);
        const after = countsOf(pick(balancer, whole), all.length);
        for (const [index, weight] of all.entries()) {
          expect(Math.abs((after[index] ?? 0) - weight)).toBeLessThanOrEqual(1 + all.length);
        }
      }),
    );
  });

  it('goes on where the one before it was', () => {
    const shares = sharesOf([1, 1, 1, 1]);
    const first = new RoundRobin(shares);
    pick(first, 2);
    first.leave();
    const kept = shares.slice(1);
    expect(pick(new RoundRobin(kept), 6)).toEqual(['2', '3', '1', '2', '3', '1']);
  });

  it('leaves out what was tried, and takes those at rest before none', () => {
    const shares = sharesOf([1, 1]);
    const balancer = new RoundRobin(shares);
    const [first, second] = shares.map(({ endpoint: one }) => one);
    if (first === undefined || second === undefined) throw new Error('two endpoints');
    for (let turn = 0; turn < 3; turn += 1) {
      expect(balancer.choose(undefined, 0, [first], untroubled)).toBe(second);
    }
    first.rest(0);
    second.rest(0);
    expect(balancer.choose(undefined, 10, undefined, untroubled)).toBeUndefined();
    const chosen = [1, 2, 3, 4, 5].map(() => balancer.choose(undefined, 10, undefined, untried));
    expect(new Set(chosen)).toEqual(new Set([first, second]));
  });

  it('keeps its shares when its time begins again', () => {
    const balancer = new RoundRobin([
      { endpoint: endpoint('0'), weight: 1e-4 },
      { endpoint: endpoint('1'), weight: 2e-4 },
    ]);
    pick(balancer, 3000);
    expect(countsOf(pick(balancer, 300), 2)).toEqual([100, 200]);
  });

  it('has nothing to give without endpoints', () => {
    expect(new RoundRobin([]).choose(undefined, 0, undefined, untroubled)).toBeUndefined();
  });
});
