import { eventually, startAiProvider } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';
import { startTestGateway, type TestGateway } from '../testing/test-gateway.test-support.ts';

async function ask(gateway: TestGateway, stream = false): Promise<string | null> {
  const answer = await fetch(`${gateway.url}/ai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'Hello?' }] }),
  });
  await answer.arrayBuffer();
  expect(answer.status).toBe(200);
  return answer.headers.get('x-gateway-ai-cache');
}

it('a cache record switches caching on and off while the gateway runs, and metrics count what it did', async () => {
  await using provider = await startAiProvider();
  const config = {
    providers: [{ name: 'first', type: 'openai_compatible', base_url: `${provider.url}/v1`, api_key: 'k' }],
    default_provider: 'first',
  };
  const resources = (...records: readonly object[]): Resources => ({
    routes: [{ id: 'r', name: 'r', paths: ['/ai'], plugins: [{ name: 'ai_proxy', config }] }],
    ai_records: records.map((record) => ({ ...record, created_at_ms: 1 })),
  });
  const cache = { id: 'c1', kind: 'cache', name: 'default', config: { mode: 'hybrid' } };
  const policy = { id: 'p1', kind: 'policy', name: 'default', config: { token_budget: 1_000_000 } };
  await using gateway = await startTestGateway(resources(), { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' });
  expect(await ask(gateway)).toBe('disabled');
  await gateway.publish(resources(cache));
  expect([await ask(gateway), await ask(gateway), await ask(gateway, true)]).toEqual(['miss', 'hit', 'bypass']);
  // Another record changes: what was kept stays.
  await gateway.publish(resources(cache, policy));
  expect(await ask(gateway)).toBe('hit');
  await gateway.publish(resources({ ...cache, enabled: false }, policy));
  expect(await ask(gateway)).toBe('disabled');
  await eventually(async () => {
    const metrics = await (await fetch(`${gateway.statusUrl}/metrics`)).text();
    const counted = (result: string): string | undefined =>
      new RegExp(`gateway_ai_cache_total\\{result="${result}"\\} (\\d+)`).exec(metrics)?.[1];
    return ['disabled', 'miss', 'hit', 'bypass'].map(counted).join() === '2,1,2,1';
  });
});
