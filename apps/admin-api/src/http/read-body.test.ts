import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { BodyBudget } from './body-budget.ts';
import { readBody } from './read-body.ts';

const pace = { graceMs: 100, bytesPerSecondMin: 1_000 };
const wide = { totalMax: 10_000_000, callerMax: 10_000_000, freeMax: 0 };

describe('reading a body', () => {
  it('a burst earns no long pause: who then is silent gets 408', async () => {
    const source = new PassThrough();
    const budget = new BodyBudget(wide);
    const bounds = { bytesMax: 1_000_000, contentLength: undefined, pace, share: budget.share('a') };
    const reading = readBody(source, bounds);
    // At the least pace these are 500 seconds' worth.
    source.write(Buffer.alloc(500_000));
    await expect(reading).rejects.toMatchObject({ code: 'request_timeout' });
    expect(budget.heldBytes).toBe(500_000);
    source.destroy();
  });

  it('stops at once when bodies hold too much together', async () => {
    const source = new PassThrough();
    const share = new BodyBudget({ ...wide, callerMax: 1_000 }).share('a');
    const reading = readBody(source, { bytesMax: 1_000_000, contentLength: undefined, pace, share });
    source.write(Buffer.alloc(1_001));
    await expect(reading).rejects.toMatchObject({ code: 'unavailable', headers: { 'retry-after': '10' } });
    expect(source.isPaused()).toBe(true);
    source.destroy();
  });
});
