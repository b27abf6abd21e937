import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { BoundedCalls, callsMax } from './bounded-call.ts';

/** Calls, and what was told of their outcomes. */
function watched(): { readonly calls: BoundedCalls; readonly outcomes: unknown[] } {
  const outcomes: unknown[] = [];
  return { calls: new BoundedCalls((error) => outcomes.push(error)), outcomes };
}

const long = { timeoutMs: 60_000 };

describe('calls of a driver', () => {
  it('have one outcome each: what comes after its time is none', async () => {
    const { calls, outcomes } = watched();
    let answer: (value: string) => void = () => undefined;
    const asked = calls.run(() => new Promise<string>((resolve) => (answer = resolve)), { timeoutMs: 1 });
    await expect(asked).rejects.toThrow('in time');
    answer('late');
    expect(await calls.run(async () => 'next', long)).toBe('next');
    expect(outcomes.map((error) => error instanceof Error)).toEqual([true, false]);
  });

  it('that fail before they begin give their place back', async () => {
    const { calls, outcomes } = watched();
    const broken = (): never => {
      throw new TypeError('no such argument');
    };
    for (let at = 0; at < callsMax + 1; at += 1)
      await expect(calls.run(broken, long)).rejects.toThrow('no such argument');
    expect(outcomes).toHaveLength(callsMax + 1);
  });

  it('are so many at a time, and those that are late hold their place until the driver lets go', async () => {
    const { calls } = watched();
    const answers: (() => void)[] = [];
    const held = (): Promise<void> => new Promise((resolve) => answers.push(resolve));
    const asked = Array.from({ length: callsMax }, () => calls.run(held, { timeoutMs: 1 }).catch(() => undefined));
    await Promise.all(asked);
    await expect(calls.run(held, long)).rejects.toThrow(`${callsMax} calls wait`);
    for (const answer of answers) answer();
    expect(await eventually(() => calls.run(async () => 'free', long))).toBe('free');
  });
});
