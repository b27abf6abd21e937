import { eventually } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { answerOf, recordsOf, saying, startAnswering } from './responders.test-support.ts';

it('AI requests are counted on the status page, also those whose raw record nobody wants', async () => {
  await using gateway = await startAnswering((call) => {
    call.observe({
      sampled: call.exchange.request.path === '/kept',
      ...saying({
        operation: 'chat',
        provider: 'p"1',
        model: 'm',
        outcome: 'success',
        usage: { input_tokens: 5, output_tokens: 2 },
        gateway_ms: 1,
      }),
    });
    return answerOf('ok');
  });
  for (const path of ['/dull', '/dull', '/kept']) await (await fetch(gateway.url + path)).text();
  const page = await eventually(async () => {
    const text = await (await fetch(`${gateway.statusUrl}/metrics`)).text();
    return text.includes('outcome="success"} 3') && text;
  });
  expect(page).toContain('gateway_ai_requests_total{provider="p\\"1",model="m",operation="chat",outcome="success"} 3');
  expect(page).toContain('gateway_ai_tokens_total{provider="p\\"1",model="m",type="input"} 15');
  expect(page).toContain('gateway_ai_overhead_seconds_count 3');
  expect(page).toMatch(
    /gen_ai_client_token_usage_bucket\{[^}]*le="16"[^}]*gen_ai_token_type="input"\} 3|gen_ai_client_token_usage_bucket\{[^}]*gen_ai_token_type="input",le="16"\} 3/,
  );
  await eventually(() => recordsOf(gateway).length === 1);
});
