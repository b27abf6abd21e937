import { describe, expect, it } from 'vitest';
import { RoundRobin, type Target } from './balancer.ts';

function target(id: string): Target {
  return {
    id,
    authority: id,
    client: { send: () => ({ pause() {}, resume() {}, abort() {} }), close() {}, connectTimeoutMs: 1000 },
  };
}

describe('RoundRobin', () => {
  const [a, b, c] = [target('a'), target('b'), target('c')];

  it('gives each target its share, spread out', () => {
    const balancer = new RoundRobin([
      { target: a, weight: 5 },
      { target: b, weight: 1 },
      { target: c, weight: 1 },
    ]);
    const order = Array.from({ length: 14 }, () => balancer.next()?.id).join('');
    expect(order).toBe('aabacaaaabacaa'.slice(0, 14));
  });

  it('leaves out what was tried, until nothing else is left', () => {
    const balancer = new RoundRobin([a, b].map((one) => ({ target: one, weight: 1 })));
    expect(Array.from({ length: 4 }, () => balancer.next(new Set([a]))?.id)).toEqual(['b', 'b', 'b', 'b']);
    expect(balancer.next(new Set([a, b]))).toBeDefined();
  });

  it('has nothing to give without targets', () => {
    expect(new RoundRobin([]).next()).toBeUndefined();
  });
});
