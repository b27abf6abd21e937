import { createRuntime, type ExchangeState } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { apiKeyAuth } from '../api_key_auth/index.ts';
import { ipBlacklist } from '../ip_blacklist/index.ts';
import { exchangeOf } from '../testing/plugin-bench.ts';
import { responseCache } from './index.ts';

const key = 'alice-0123456789';
const gateway = { id: 'g1', name: 'edge' };

describe('a cache before plugins that decide who may ask', () => {
  it('says so once, with their names, and does its part where there are none', async () => {
    const lines: unknown[] = [];
    const note = (message: string, details?: object): void => void lines.push([message, details]);
    const runtime = createRuntime({
      plugins: [responseCache, apiKeyAuth, ipBlacklist].map(({ plugin }) => plugin),
      instances: [{ id: 'p1', name: 'response_cache', config: { ttl_seconds: 60 } }],
      log: { warn: note, error: note },
    });
    const guards = [
      { name: 'api_key_auth', config: { valid_keys: [key] } },
      { name: 'ip_blacklist', config: { blocked_ips: ['198.51.100.1'] } },
    ];
    const guarded = runtime.chainFor({ gateway, inline: guards });
    const open = runtime.chainFor({ gateway });
    const ask = async (chain: typeof open): Promise<ExchangeState> => {
      const facts = { route: { id: 'r', name: 'orders' } };
      const exchange = exchangeOf({ method: 'GET', headers: ['X-API-Key', key], facts });
      if ((await chain.runRequest(exchange)) === 'continue') {
        const readBody = () => Promise.resolve(new Uint8Array(1));
        exchange.setResponse({ status: 200, headers: [], source: 'upstream', readBody });
      }
      await chain.runResponse(exchange);
      return exchange;
    };
    const said: (string | undefined)[] = [];
    for (const chain of [open, guarded, guarded, open]) {
      said.push((await ask(chain)).response.headers.get('x-cache-status'));
    }
    expect(said).toEqual(['MISS', 'BYPASS', 'BYPASS', 'HIT']);
    expect(lines).toEqual([
      [
        expect.stringContaining('does nothing here'),
        { later_plugins: 'api_key_auth, ip_blacklist', route: 'orders', plugin: 'response_cache', instance: 'p1' },
      ],
    ]);
  });
});
