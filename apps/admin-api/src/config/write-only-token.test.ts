import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';

/** Wire contract, Paths and small rules: a token with `admin:write` alone may not read. */
describeOnEachDatabase('a bundle that comes with a token that may only write', (context) => {
  let service: TestService;
  let token = '';
  const send = (path: string, bearer?: string): Promise<Answer> => {
    const services = [{ gateway_name: 'edge', name: 'one', url: 'http://new.test' }];
    const bundle = { tenant_id: 'acme', gateways: [{ name: 'edge' }], services };
    return service.call('POST', `/api/v1/admin${path}`, bundle, bearer === undefined ? {} : { token: bearer });
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    const robot = { tenant_id: 'acme', name: 'robot', scopes: ['admin:write'] };
    token = (await service.call('POST', '/api/v1/admin/api-tokens', robot)).body.token;
    const bundle = {
      tenant_id: 'acme',
      gateways: [{ name: 'edge' }, { name: 'untold' }],
      services: [{ gateway_name: 'edge', name: 'one', url: 'http://former.test' }],
    };
    expect((await service.call('POST', '/api/v1/admin/config/import', bundle)).body.status).toBe('success');
  });
  afterAll(() => service.stop());

  it.each(['/config/sync', '/config/sync?dry_run=true', '/config/import?dry_run=true'])(
    'has no dry run: %s would show what is there',
    async (path) => {
      const answer = await send(path, token);
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
      expect(answer.body.detail).toContain('admin:read');
    },
  );

  it('is applied, and the answer says what changed, not from what, nor what else there is', async () => {
    const shown = await send('/config/sync?dry_run=true');
    expect(JSON.stringify(shown.body)).toMatch(/former\.test.*untold/);
    const { status, body } = await send('/config/sync?dry_run=false', token);
    expect([status, body.status]).toEqual([200, 'success']);
    expect(body.diff).toMatchObject({
      summary: { update: 1, unmanaged: 1 },
      changes: [{ action: 'update', name: 'one' }],
      unmanaged: [],
      not_listed: { changes: 0, unmanaged: 1 },
    });
    expect(JSON.stringify(body)).toContain('new.test');
    expect(JSON.stringify(body)).not.toMatch(/former|untold/);
  });
});
