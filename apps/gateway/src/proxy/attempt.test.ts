import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpoint, SetHealth } from '../balancing/balancing.test-support.ts';
import { Attempt } from './attempt.ts';

const step = fc.constantFrom('answered', 'failed', 'end', 'begin');

describe('the attempts of a request', () => {
  it('are in flight from beginning to end and reported once at most, in whatever order things happen', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const attempt = new Attempt();
        const endpoints = [endpoint('a'), endpoint('b')];
        let begun = 0;
        let open = 0;
        for (const what of steps) {
          const next = endpoints[begun % 2];
          if (what === 'begin' && next !== undefined) {
            attempt.begin(next, begun);
            begun += 1;
            open = 1;
          } else if (what === 'answered') attempt.answered(200, begun);
          else if (what === 'failed') attempt.failed('upstream_reset', begun);
          else {
            attempt.end();
            open = 0;
          }
          expect(endpoints.reduce((sum, one) => sum + one.inFlight, 0)).toBe(open);
        }
        attempt.end();
        const healths = endpoints.map(({ health }) => health).filter((health) => health instanceof SetHealth);
        expect(endpoints.map(({ inFlight }) => inFlight)).toEqual([0, 0]);
        expect(healths.reduce((sum, health) => sum + health.begun, 0)).toBe(begun);
        expect(healths.reduce((sum, health) => sum + health.outcomes.length, 0)).toBeLessThanOrEqual(begun);
      }),
    );
  });
});
