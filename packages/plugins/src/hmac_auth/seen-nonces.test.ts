import { describe, expect, it } from 'vitest';
import { PluginBench } from '../testing/plugin-bench.ts';
import { macOf, messageSigned, NOW_MS } from './hmac-requests.test-support.ts';
import { hmacAuthOver } from './index.ts';
import { PERIOD_MS, SeenNonces, type GivenNonce } from './seen-nonces.ts';

const CREATED = NOW_MS / 1000;
const COMPONENTS = '("@method" "@authority" "@path" "@query")';
const withNonce = (nonce: string, keyid = 'key', created = CREATED) =>
  messageSigned({ input: `${COMPONENTS};created=${created};keyid="${keyid}";nonce="${nonce}"` });
const bench = (nonces = new SeenNonces(), more: object = {}) =>
  new PluginBench(hmacAuthOver(nonces), { signature_forms: ['message_signature'], require_nonce: true, ...more });

describe('hmac_auth with nonces', () => {
  it('needs them where the config says so, and takes each once', async () => {
    const plugin = bench();
    const ask = async (...given: Parameters<typeof withNonce>) => (await plugin.request(withNonce(...given))).result;
    const without = messageSigned({ input: `${COMPONENTS};created=${CREATED};keyid="key"` });
    expect((await plugin.request(without)).result).toBe('respond');
    expect([await ask('a'), await ask('a'), await ask('b'), await ask('')]).toEqual([
      'continue',
      'respond',
      'continue',
      'respond',
    ]);
    plugin.clock.advance(600_000 + PERIOD_MS);
    expect([await ask('a', 'key', CREATED + 660), await ask('a', 'key', CREATED + 660)]).toEqual([
      'continue',
      'respond',
    ]);
  });

  it('remembers none of a wrong signature', async () => {
    const plugin = bench();
    expect((await plugin.request(withNonce('a', 'other'))).result).toBe('respond');
    const input = `${COMPONENTS};created=${CREATED};keyid="key";nonce="a"`;
    expect((await plugin.request(messageSigned({ input, signature: macOf('') }))).result).toBe('respond');
    expect((await plugin.request(withNonce('a'))).result).toBe('continue');
  });

  it('remembers them when its config changes', async () => {
    const nonces = new SeenNonces();
    expect((await bench(nonces).request(withNonce('a'))).result).toBe('continue');
    const changed = bench(nonces, { hide_credentials: true });
    expect((await changed.request(withNonce('a'))).result).toBe('respond');
    expect((await changed.request(withNonce('b'))).result).toBe('continue');
  });

  it('tells who has used up all room to come again', async () => {
    const plugin = bench(new SeenNonces(1));
    expect((await plugin.request(withNonce('a'))).result).toBe('continue');
    expect((await plugin.request(withNonce('b'))).exchange.response.status).toBe(429);
  });
});

describe('seen nonces', () => {
  const given = (nonce: string, more: Partial<GivenNonce> = {}): GivenNonce => ({
    ...{ tenantId: 't', instanceId: 'i', keyId: 'key', nonce, nowMs: 0, untilMs: 1000, ...more },
  });
  /** How many nonces of a key pass before there is no room. */
  const filled = (seen: SeenNonces, more: Partial<GivenNonce>) => {
    let count = 0;
    while (seen.take(given(String(count), more)) === 'new') count += 1;
    return count;
  };

  it('are those of a tenant, an instance and a key', () => {
    const seen = new SeenNonces();
    expect(seen.take(given('1'))).toBe('new');
    expect(seen.take(given('1'))).toBe('seen');
    for (const other of [{ tenantId: 'u' }, { instanceId: 'j' }, { keyId: 'k' }, { keyId: 'key1', nonce: '' }])
      expect(seen.take(given('1', other))).toBe('new');
  });

  it('are never forgotten too early, and a minute later at most', () => {
    const seen = new SeenNonces(2);
    for (const [nonce, untilMs] of [
      ['a', PERIOD_MS - 1],
      ['b', PERIOD_MS],
    ] as const)
      expect(seen.take(given(nonce, { untilMs }))).toBe('new');
    const at = (nonce: string, nowMs: number) => seen.take(given(nonce, { nowMs, untilMs: nowMs + 1 }));
    expect([at('a', PERIOD_MS - 1), at('b', PERIOD_MS), at('b', 2 * PERIOD_MS - 1)]).toEqual(['seen', 'seen', 'seen']);
    expect([at('a', 2 * PERIOD_MS - 1), at('b', 2 * PERIOD_MS), at('b', 2 * PERIOD_MS)]).toEqual([
      'new',
      'new',
      'seen',
    ]);
  });

  it('of one key leave room for those of others, each a share of it', () => {
    const seen = new SeenNonces(100);
    expect(filled(seen, { keyId: 'greedy' })).toBe(100);
    expect(seen.take(given('0', { keyId: 'greedy' }))).toBe('seen');
    expect([filled(seen, { keyId: 'good' }), filled(seen, { keyId: 'late' })]).toEqual([50, 34]);
    const others = Array.from({ length: 200 }, (_key, index) => filled(seen, { keyId: `k${index}` }));
    expect(others.reduce((sum, count) => sum + count, 184)).toBe(200);
    expect(filled(seen, { tenantId: 'other' })).toBe(100);
    expect(seen.take(given('more', { keyId: 'greedy', nowMs: PERIOD_MS, untilMs: PERIOD_MS }))).toBe('new');
  });

  it('of tenants that have none any more take no room', () => {
    const seen = new SeenNonces();
    for (const tenantId of ['a', 'b']) seen.take(given('1', { tenantId }));
    expect(seen.size).toBe(2);
    seen.take(given('1', { tenantId: 'c', nowMs: PERIOD_MS, untilMs: PERIOD_MS }));
    expect(seen.size).toBe(1);
  });
});
