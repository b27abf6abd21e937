import { describe, expect, it } from 'vitest';
import { SharedCalls } from './shared-calls.ts';

const forever = () => new AbortController().signal;

describe('SharedCalls', () => {
  it('make one call for all who wait for a key, and another for another key', async () => {
    const calls = new SharedCalls<string>();
    const begun: string[] = [];
    const ask = (key: string) => calls.wait(key, forever(), async () => `${key}${begun.push(key)}`);
    expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual(['a1', 'a1', 'b2']);
    expect([calls.size, await ask('a')]).toEqual([0, 'a3']);
  });

  it('give a failure to all who wait, and remember none', async () => {
    const calls = new SharedCalls<string>();
    const failing = () => calls.wait('a', forever(), () => Promise.reject(new Error('gone')));
    const outcomes = await Promise.allSettled([failing(), failing()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await calls.wait('a', forever(), () => Promise.resolve('back'))).toBe('back');
  });

  it('go on without a caller who leaves, and end when the last one has left', async () => {
    const calls = new SharedCalls<string>();
    const callers = [new AbortController(), new AbortController()];
    let ending: AbortSignal | undefined;
    const waits = callers.map(({ signal }) =>
      calls.wait('a', signal, (given) => {
        ending = given;
        return new Promise(() => undefined);
      }),
    );
    callers[0]?.abort();
    await expect(waits[0]).rejects.toThrow('aborted');
    expect([ending?.aborted, calls.size]).toEqual([false, 1]);
    callers[1]?.abort('left');
    await expect(waits[1]).rejects.toThrow('the caller left');
    expect([ending?.aborted, calls.size]).toEqual([true, 0]);
  });

  it('begin nothing for a caller who has left already', async () => {
    const calls = new SharedCalls<string>();
    await expect(calls.wait('a', AbortSignal.abort(), () => Promise.resolve('a'))).rejects.toThrow('aborted');
    expect(calls.size).toBe(0);
  });

  it('end the old call only, when somebody asks anew', async () => {
    const calls = new SharedCalls<string>();
    const left = new AbortController();
    const first = calls.wait('a', left.signal, () => new Promise(() => undefined));
    left.abort();
    const second = calls.wait('a', forever(), () => Promise.resolve('second'));
    await expect(first).rejects.toThrow('aborted');
    expect(await second).toBe('second');
  });
});
