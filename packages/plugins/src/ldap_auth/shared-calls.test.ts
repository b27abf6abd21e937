import { describe, expect, it } from 'vitest';
import { SharedCalls } from './shared-calls.ts';

/** A call that ends when the test says so. */
function heldCall() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let begun = 0;
  let signal: AbortSignal | undefined;
  const begin = (given: AbortSignal): Promise<string> => {
    begun += 1;
    signal = given;
    return promise;
  };
  return { begin, resolve, reject, begun: () => begun, isAborted: () => signal?.aborted };
}

const never = new AbortController().signal;

describe('shared calls', () => {
  it('begin once for all who ask for the same, and anew after their end', async () => {
    const calls = new SharedCalls<string>();
    const held = heldCall();
    const all = [calls.join('a', never, held.begin), calls.join('a', never, held.begin)];
    const other = calls.join('b', never, () => Promise.resolve('other'));
    held.resolve('yes');
    expect([await Promise.all(all), await other, held.begun()]).toEqual([['yes', 'yes'], 'other', 1]);
    expect([await calls.join('a', never, held.begin), held.begun()]).toEqual(['yes', 2]);
  });

  it('go on while somebody waits, and end when nobody does', async () => {
    const calls = new SharedCalls<string>();
    const held = heldCall();
    const [first, second] = [new AbortController(), new AbortController()];
    const left = [calls.join('a', first.signal, held.begin), calls.join('a', second.signal, held.begin)] as const;
    first.abort();
    await expect(left[0]).rejects.toThrow('given up');
    expect(held.isAborted()).toBe(false);
    second.abort();
    await expect(left[1]).rejects.toThrow('given up');
    expect([held.isAborted(), held.begun()]).toEqual([true, 1]);
    const next = calls.join('a', never, held.begin);
    expect(held.begun()).toBe(2);
    held.resolve('yes');
    expect(await next).toBe('yes');
  });

  it('fail for all who wait, and are not remembered', async () => {
    const calls = new SharedCalls<string>();
    const held = heldCall();
    const all = Promise.allSettled([calls.join('a', never, held.begin), calls.join('a', never, held.begin)]);
    held.reject(new Error('gone'));
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await calls.join('a', never, () => Promise.resolve('back'))).toBe('back');
  });

  it('do not begin for who has left', async () => {
    const calls = new SharedCalls<string>();
    const held = heldCall();
    await expect(calls.join('a', AbortSignal.abort(), held.begin)).rejects.toThrow('aborted');
    expect(held.begun()).toBe(0);
  });
});
