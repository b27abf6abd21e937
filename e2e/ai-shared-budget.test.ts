import { eventually, hasRedis, startAiProvider, startRedis } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { startProtectedRoutes } from './support/protected-routes.ts';
import { startSecondGateway } from './support/second-gateway.ts';

const timeoutMs = 120_000;
/** What each request is estimated to use, and what the fake provider says that it used. */
const TOKENS = 21;
const FITTING = 10;
const chat = { model: 'm', messages: [{ role: 'user', content: 'Hello?' }], max_tokens: TOKENS - 2 };

describe.skipIf(!hasRedis)(
  'one token budget for two gateways, through a real control plane (needs redis-server)',
  () => {
    it('admits what fits over both, and nothing while Redis is away', { timeout: timeoutMs }, async () => {
      await using redis = await startRedis();
      await using provider = await startAiProvider();
      await using routes = await startProtectedRoutes({ PORTCULLIS_REDIS_URL: redis.url });
      await using second = await startSecondGateway(routes, redis.url);
      const providers = [{ name: 'fake', type: 'openai', base_url: `${provider.url}/v1`, api_key: 'sk-fake' }];
      const budget = { token_budget: FITTING * TOKENS };
      await routes.protect('ai', 'ai_proxy', {
        ...{ providers, default_provider: 'fake', consumer_policies: { default: budget } },
      });
      const origins = [routes.stack.gatewayUrl, second.url];
      for (const origin of origins) {
        await eventually(async () => (await fetch(`${origin}/ai/v1/models`)).status === 200, { timeoutMs });
      }
      const ask = async (origin: string): Promise<{ readonly status: number; readonly code: unknown }> => {
        const answer = await fetch(`${origin}/ai/v1/chat/completions`, { method: 'POST', body: JSON.stringify(chat) });
        const body = (await answer.json()) as { error?: { code?: unknown } };
        return { status: answer.status, code: body.error?.code };
      };
      const answers = await Promise.all(
        Array.from({ length: 4 * FITTING }, (_, index) => ask(origins[index % origins.length] ?? '')),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(FITTING);
      expect(provider.requests).toHaveLength(FITTING);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(new Set(refused.map(({ status, code }) => `${status} ${String(code)}`))).toEqual(
        new Set(['429 token_budget_exceeded']),
      );

      await redis.process.kill('SIGKILL');
      expect(await ask(second.url)).toEqual({ status: 503, code: 'limits_unavailable' });
    });
  },
);
