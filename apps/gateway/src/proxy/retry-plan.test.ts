import { describe, expect, it } from 'vitest';
import { failures } from '../transport/upstream-failures.ts';
import { pauseBeforeRetry, pauseMsMax, type FailedAttempt } from './retry-plan.ts';

const first: FailedAttempt = {
  failure: failures.connectFailed,
  method: 'POST',
  repeatable: false,
  attempts: 1,
  hasUntried: false,
  elapsedMs: 0,
};

describe('a retry', () => {
  it.each<[string, Partial<FailedAttempt>, number | undefined]>([
    ['goes to an untried target at once', { hasUntried: true }, 0],
    ['waits before the same target', {}, 10],
    ['waits twice as long each time', { attempts: 4 }, 80],
    ['waits no longer than the longest pause', { attempts: 5000 }, pauseMsMax],
    ['does not come after the last', { attempts: 5001, hasUntried: true }, undefined],
    ['does not come after the budget', { elapsedMs: 59_995 }, undefined],
    ['comes at once after a closed connection', { failure: failures.reset, method: 'GET', repeatable: true }, 0],
    ['does not repeat a sent body', { failure: failures.reset, method: 'PUT' }, undefined],
    ['does not repeat an unsafe method', { failure: failures.reset, repeatable: true }, undefined],
    ['does not come after a slow answer', { failure: failures.timeout, method: 'GET', repeatable: true }, undefined],
    ['does not ask a refused address again', { failure: failures.refused, hasUntried: true }, undefined],
    ['leaves a busy target for another', { failure: failures.busy, hasUntried: true }, 0],
    ['does not press on a busy target', { failure: failures.busy }, undefined],
  ])('%s', (_name, parts, expected) => {
    expect(pauseBeforeRetry({ ...first, ...parts }, 5000, 60_000)).toBe(expected);
  });
});
