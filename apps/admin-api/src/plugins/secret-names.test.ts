import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfiguration, recordsOf } from '../data-planes/read-configuration.test-support.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';

const name = 'session_cookie_auth';
const map = { valid_sessions: { 'canary-1': { roles: ['a'] }, 'canary-2': {} } };
const list = { valid_sessions: [{ id: 'canary-1', roles: ['a'] }, { id: 'canary-2' }] };
const masked = [
  { id: expect.stringMatching(/^\[redacted/) as unknown, roles: ['a'] },
  { id: expect.stringMatching(/^\[redacted/) as unknown },
];

describeOnEachDatabase('maps whose names are secrets', (context) => {
  let service: TestService;
  let token = '';
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.call(method, `/api/v1/admin${path}${path.includes('?') ? '&' : '?'}tenant_id=acme`, body);
  const done = async (method: string, path: string, body?: unknown): Promise<Answer['body']> => {
    const answer = await call(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    expect(JSON.stringify(answer)).not.toContain('canary');
    return answer.body;
  };
  const delivered = async (family: string): Promise<readonly unknown[]> => {
    const { body } = await service.call('GET', '/api/v1/data-plane/config', undefined, { token });
    return recordsOf(readConfiguration(body), family);
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    await done('POST', '/gateways', { id: 'edge', name: 'edge' });
    token = (await done('POST', '/data-planes', { gateway_id: 'edge', name: 'node' })).token;
  });
  afterAll(() => service.stop());

  it('are kept as lists, shown with masks and delivered whole', async () => {
    const made = await done('POST', '/plugins', { name, config: map });
    expect(made.config.valid_sessions).toEqual(masked);
    expect(await delivered('plugins')).toMatchObject([{ config: list }]);
    await done('PATCH', `/plugins/${made.id}`, { config: made.config });
    await done('PUT', `/plugins/${made.id}`, { name, config: map });
    expect(await delivered('plugins')).toMatchObject([{ config: list }]);
    await done('DELETE', `/plugins/${made.id}`);
  });

  it('are the same as lists to bundles', async () => {
    const bundle = { tenant_id: 'acme', plugins: [{ id: 'p', name, config: map }] };
    await done('POST', '/config/import', bundle);
    expect(await delivered('plugins')).toMatchObject([{ config: list }]);
    expect(await done('POST', '/config/import?overwrite=true', bundle)).toMatchObject({ counts: { updated: 0 } });
    const exported = await done('GET', '/config/export');
    expect(exported.plugins).toMatchObject([{ config: { valid_sessions: masked } }]);
    await done('DELETE', '/plugins/p');
  });

  it('are kept as lists in routes too', async () => {
    const route = { name: 'r', path: '/r', plugins: [{ name, config: map }] };
    expect(await done('POST', '/gateways/edge/routes', route)).toMatchObject({
      plugins: [{ config: { valid_sessions: masked } }],
    });
    expect(await delivered('routes')).toMatchObject([{ plugins: [{ config: list }] }]);
    await done('DELETE', '/gateways/edge/routes/r');
  });

  it('are refused with a mask for a name, and no mistake tells a name', async () => {
    const astray = await call('POST', '/plugins', { name, config: { valid_sessions: { '[redacted]': {} } } });
    expect([astray.status, astray.body]).toMatchObject([422, { code: 'secret_required' }]);
    const wrong = await call('POST', '/plugins', { name, config: { valid_sessions: { 'canary-1': { roles: 1 } } } });
    expect([wrong.status, wrong.body.errors]).toMatchObject([422, [{ pointer: '/config/valid_sessions/0/roles' }]]);
    expect(JSON.stringify(wrong.body)).not.toContain('canary');
  });
});
