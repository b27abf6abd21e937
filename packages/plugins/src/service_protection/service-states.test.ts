import { expect, it } from 'vitest';
import type { ProtectionRules } from './service-state.ts';
import { ServiceStates, STATES_MAX } from './service-states.ts';

const rules: ProtectionRules = {
  concurrencyMax: 9,
  failuresMax: 1,
  failureRate: Infinity,
  requestsMin: 1,
  cooldownMs: 1000,
};

it('keeps a bounded number of states, and gives up one of which nothing is known first', () => {
  const states = new ServiceStates(1000, () => 0);
  const busy = states.of('busy');
  busy.enter(rules);
  const open = states.of('open');
  const entered = open.enter(rules);
  if (!('reason' in entered)) {
    entered.settle(true);
    entered.release();
  }
  const idle = states.of('idle');
  for (let nth = 3; nth <= STATES_MAX; nth += 1) states.of(`service ${nth}`);
  expect([states.of('busy') === busy, states.of('open') === open, states.of('idle') === idle]).toEqual([
    true,
    true,
    false,
  ]);
});
