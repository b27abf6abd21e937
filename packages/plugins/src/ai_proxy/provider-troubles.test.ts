import type { Attempt } from '@portcullis/ai-router';
import { describe, expect, it } from 'vitest';
import { startProxy } from './ai-proxy.test-support.ts';
import { CLASSES_MAX, ProviderTroubles, QUIET_MS } from './provider-troubles.ts';

function startTroubles() {
  const clock = { now: 1000, nowMs: () => 0, monotonicMs: () => clock.now };
  const lines: string[] = [];
  const note = (message: string, details?: object): void => void lines.push(`${message} ${JSON.stringify(details)}`);
  const log = { debug: note, warn: note, error: note };
  const providers = [
    { name: 'one', type: 'openai', api_key_env: 'ONE_KEY' },
    { name: 'two', type: 'openai', api_key: 'canary' },
  ] as const;
  return { clock, lines, troubles: new ProviderTroubles([...providers], { clock, log }) };
}

const success: Attempt = {
  ...{ index: 0, provider: 'one', model: 'm', outcome: 'success', status: 200, error_class: null, retryable: false },
  ...{ latency_ms: 1, ttft_ms: null, started_at: '2026-01-01T00:00:00.000Z' },
};
const failure = (errorClass: string, fields: Partial<Attempt> = {}): Attempt => ({
  ...{ ...success, outcome: 'transport_error', status: null, error_class: errorClass, retryable: true },
  ...fields,
});

describe('troubles with a provider', () => {
  it('have one line for each class when they begin, and one when they are over', () => {
    const { clock, lines, troubles } = startTroubles();
    for (let at = 0; at < 3; at += 1) {
      troubles.note([failure('credential_unavailable'), failure('overloaded', { provider: 'two', status: 503 })]);
    }
    troubles.note([failure('unreachable'), success]);
    expect(lines).toEqual([
      'requests to an AI provider fail {"provider":"one","outcome":"transport_error","error_class":"credential_unavailable","references":"env://ONE_KEY"}',
      'requests to an AI provider fail {"provider":"two","outcome":"transport_error","error_class":"overloaded","status":503}',
      'requests to an AI provider fail {"provider":"one","outcome":"transport_error","error_class":"unreachable"}',
    ]);
    lines.length = 0;
    clock.now += QUIET_MS - 1;
    troubles.note([success]);
    expect(lines).toEqual([]);
    clock.now += 1;
    troubles.note([success, success]);
    expect(lines).toEqual([
      'an AI provider answers again {"provider":"one","failed_with":"credential_unavailable, unreachable"}',
    ]);
    troubles.note([failure('unreachable')]);
    expect(lines).toHaveLength(2);
  });

  it('are those that no client can help, of providers that there are, and bounded in their number', () => {
    const { lines, troubles } = startTroubles();
    troubles.note([
      failure('invalid_request_error', { outcome: 'provider_error', status: 400, retryable: false }),
      failure('request_unfit', { outcome: 'skipped' }),
      failure('client_closed', { outcome: 'client_closed' }),
      failure('unreachable', { provider: 'nobody' }),
    ]);
    expect(lines).toEqual([]);
    troubles.note([failure('bad_key', { outcome: 'provider_error', status: 401, retryable: false })]);
    expect(lines).toHaveLength(1);
    for (let at = 0; at < 3 * CLASSES_MAX; at += 1) troubles.note([failure(`word-${at}`)]);
    expect(lines).toHaveLength(CLASSES_MAX + 1);
  });

  it('reach the log of the plugin, without the key', async () => {
    const providers = [{ name: 'fake', type: 'openai', api_key_env: 'KEY' }];
    const secrets = { read: () => Promise.reject(new Error('canary')) };
    await using proxy = await startProxy({ providers }, { secrets });
    await proxy.send();
    await proxy.send();
    expect(proxy.log.filter((line) => line.startsWith('requests to an AI provider fail'))).toHaveLength(1);
    expect(proxy.log.join('\n')).toContain('env://KEY');
    expect(proxy.log.join('\n')).not.toContain('canary');
  });
});

describe('what is refused before it reaches the router', () => {
  it.each([
    [{ method: 'DELETE' }, 404, 'unknown', 'invalid_request_error'],
    [{ body: `"${'x'.repeat(64 * 1024 * 1024)}"` }, 413, 'chat', 'request_too_large'],
  ])(
    'case %# leaves a record, and its body and headers say what others say',
    async (request, status, operation, code) => {
      await using proxy = await startProxy();
      const answer = await proxy.send(request);
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ error: { code, request_id: 'r1' }, gateway_ai: { request_id: 'r1' } });
      expect(answer.header('x-gateway-ai-attempts')).toBe('[]');
      expect(answer.ai).toMatchObject({ operation, outcome: 'refused', error_class: code, attempts: [] });
      // Whatever reads records of the router reads these.
      const refused = await proxy.send({ body: { model: 7 } });
      expect(Object.keys(answer.ai ?? {}).toSorted()).toEqual(Object.keys(refused.ai ?? {}).toSorted());
    },
  );
});
