import { temporaryFolder } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { createLog } from './logging.ts';
import { startTestService } from './testing/test-service.test-support.ts';

const canary = 'CaNaRy7f3a';

describe('the log of the service', () => {
  it('has a line with the ID for each request, and nothing of what headers, bodies and queries held', async () => {
    await using folder = await temporaryFolder();
    const lines: string[] = [];
    const log = createLog('trace', { write: (line) => void lines.push(line) });
    const service = await startTestService(`sqlite:${folder.join('test.db')}`, {
      log,
      settings: { PORTCULLIS_CORS_ORIGINS: 'https://console.test' },
    });
    await service.addTenant('acme');
    const names = [
      'accept',
      'cookie',
      'forwarded',
      'idempotency-key',
      'if-match',
      'if-none-match',
      'origin',
      'proxy-authorization',
      'referer',
      'user-agent',
      'x-api-key',
      'x-forwarded-for',
      'x-forwarded-host',
    ];
    const headers = Object.fromEntries(names.map((name) => [name, canary]));
    const bodies: readonly unknown[] = [
      { name: canary, description: canary, [canary]: canary },
      `{"name":"${canary}`,
      `{"${canary}":1,"${canary}":2}`,
      { username: canary, password: canary, tenant_id: canary },
      { refresh_token: canary },
      { name: 'ok', config: { valid_keys: [canary] } },
    ];
    const paths = ['/auth/login', '/auth/refresh', '/auth/logout', '/api/v1/admin/gateways', '/api/v1/admin/plugins'];
    for (const path of paths) {
      for (const body of bodies) {
        for (const query of [`?tenant_id=acme`, `?tenant_id=${canary}`, `?${canary}=${canary}`]) {
          await service.call('POST', path + query, body, { headers });
          await service.call('GET', path + query, undefined, { headers, token: canary });
        }
      }
    }
    await service.call('GET', '/health', undefined, { headers: { 'x-request-id': `${canary} not an ID` } });
    await service.call('GET', '/health', undefined, { headers: { 'x-request-id': 'asked-for-this' } });
    await service.stop();
    expect(lines.filter((line) => line.includes(canary))).toEqual([]);
    expect(lines.filter((line) => line.includes(service.token))).toEqual([]);
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const requests = entries.filter((entry) => entry['msg'] === 'request');
    expect(requests.length).toBeGreaterThan(180);
    expect(requests.every((entry) => /^[\w.~-]{8,128}$/.test(String(entry['request_id'])))).toBe(true);
    expect(requests.filter((entry) => entry['request_id'] === 'asked-for-this')).toHaveLength(1);
  });
});
