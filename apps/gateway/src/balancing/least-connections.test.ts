import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setUsable, sharesOf } from './balancing.test-support.ts';
import { untroubled } from './eligibility.ts';
import { LeastConnections } from './least-connections.ts';

describe('least connections', () => {
  it('always chooses one with the fewest requests for its weight, among those that can be used', () => {
    const endpoints = fc.array(
      fc.record({ weight: fc.integer({ min: 1, max: 9 }), load: fc.nat(20), usable: fc.boolean() }),
      {
        minLength: 1,
        maxLength: 10,
      },
    );
    fc.assert(
      fc.property(endpoints, fc.nat(30), (list, times) => {
        const shares = sharesOf(list.map(({ weight }) => weight));
        const balancer = new LeastConnections(shares);
        for (const [index, { endpoint }] of shares.entries()) {
          for (let load = list[index]?.load ?? 0; load > 0; load -= 1) endpoint.begin(0);
          setUsable(endpoint, list[index]?.usable === true);
        }
        for (let turn = 0; turn <= times; turn += 1) {
          const usable = shares.filter(({ endpoint }) => endpoint.health.usable);
          const lowest = Math.min(...usable.map(({ endpoint, weight }) => endpoint.inFlight / weight));
          const chosen = balancer.choose(undefined, 0, undefined, untroubled);
          const share = shares.find(({ endpoint }) => endpoint === chosen);
          expect(share === undefined ? undefined : share.endpoint.inFlight / share.weight).toBe(
            usable.length === 0 ? undefined : lowest,
          );
          expect(chosen?.health.usable ?? true).toBe(true);
          chosen?.begin(0);
          const other = shares[turn % shares.length]?.endpoint;
          if (other !== undefined && other.inFlight > 0) other.end();
          if (other !== undefined && turn % 3 === 0) setUsable(other, !other.health.usable);
        }
      }),
    );
  });

  it('spreads requests that come one after the other by weight', () => {
    const shares = sharesOf([3, 1]);
    const balancer = new LeastConnections(shares);
    const order = Array.from({ length: 8 }, () => balancer.choose(undefined, 0, undefined, untroubled)?.address.host);
    expect(order.filter((host) => host === '0')).toHaveLength(6);
  });

  it('gives no credit to one that was busy for long', () => {
    const shares = sharesOf([1, 1]);
    const balancer = new LeastConnections(shares);
    const [slow] = shares;
    slow?.endpoint.begin(0);
    const next = (): string | undefined => balancer.choose(undefined, 0, undefined, untroubled)?.address.host;
    for (let turn = 0; turn < 100; turn += 1) expect(next()).toBe('1');
    slow?.endpoint.end();
    const order = Array.from({ length: 10 }, next);
    expect(order.filter((host) => host === '0').length).toBeLessThanOrEqual(6);
    expect(order.filter((host) => host === '0').length).toBeGreaterThanOrEqual(4);
  });
});
