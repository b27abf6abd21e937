import { describe, expect, it } from 'vitest';
import { noSharedStore, sharedStoreFailure, SharedStoreError, type SharedStore } from './index.ts';
import { testPlugin } from './testing.ts';
import { pluginOf } from './testing/fixtures.ts';

const script = { name: 'count', lua: "return redis.call('INCR', KEYS[1])" };

function counting() {
  return pluginOf('counting', (_config, { sharedStore }) => ({
    request: async () => void (await sharedStore.run(script, ['k'], [], { timeoutMs: 1000 })),
  }));
}

describe('the shared store of a plugin', () => {
  it('is the one that the host passes', async () => {
    const calls: unknown[] = [];
    const sharedStore: SharedStore = {
      run: (...call) => {
        calls.push(call);
        return Promise.resolve(1);
      },
    };
    await testPlugin(counting(), { sharedStore, trigger: 'before_request' }).send();
    expect(calls).toEqual([[script, ['k'], [], { timeoutMs: 1000 }]]);
  });

  it('fails each call as unavailable where the host passes none', async () => {
    const test = testPlugin(counting(), { trigger: 'before_request', execution: { failure_mode: 'strict' } });
    expect(await test.send()).toMatchObject({ status: 503, failure: { code: 'plugin_failed' } });
    const error: unknown = await noSharedStore.run(script, [], [], { timeoutMs: 1 }).catch((reason: unknown) => reason);
    expect(sharedStoreFailure(error)).toBe('unavailable');
  });

  it.each([
    [new SharedStoreError('timeout', 'late'), 'timeout'],
    [Object.assign(new Error('other class'), { code: 'failed' }), 'failed'],
    [Object.assign(new Error('a system error'), { code: 'ECONNRESET' }), undefined],
    [{ code: 'failed' }, undefined],
  ])('names why a call failed: %s', (error, code) => {
    expect(sharedStoreFailure(error)).toBe(code);
  });
});
