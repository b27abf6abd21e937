import { expect, it } from 'vitest';
import { createLoginThrottle, loginLimits } from './login-throttle.ts';

it('of a million guesses from everywhere an account gets no more than its limit, and its owner is let in', () => {
  let nowMs = 0;
  const throttle = createLoginThrottle(() => nowMs);
  const owner = { tenantId: 'acme', username: 'victim', address: '192.0.2.1' };
  expect(throttle.attempt(owner)).toBe(0);
  throttle.succeeded(owner);
  let checked = 0;
  for (let guess = 0; guess < 1_000_000; guess += 1) {
    nowMs += 4;
    const address = `10.${guess % 100}.${guess % 250}.${guess % 241}`;
    if (throttle.attempt({ ...owner, address }) === 0) checked += 1;
  }
  const { capacity, refillMs } = loginLimits.account;
  expect(checked).toBeLessThanOrEqual(capacity + nowMs / refillMs);
  expect(checked).toBeGreaterThan(capacity);
  expect(throttle.attempt(owner)).toBe(0);
});
