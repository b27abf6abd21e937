import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';

describeOnEachDatabase('lists of the administration API', (context) => {
  let service: TestService;
  const tokens: Record<'acme' | 'globex', string> = { acme: '', globex: '' };
  const admin = '/api/v1/admin';
  const make = async (path: string, body: object): Promise<Answer['body']> => {
    const answer = await service.call('POST', `${admin}${path}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const names = async (path: string, token = service.token): Promise<string[]> => {
    const answer = await service.call('GET', `${admin}${path}`, undefined, { token });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.items.map((record: { name: string }) => record.name);
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const tenantId of ['acme', 'globex'] as const) {
      await service.addTenant(tenantId);
      tokens[tenantId] = await service.addUser(tenantId, 'boss', 'admin');
      await make('/workspaces', { tenant_id: tenantId, name: `of-${tenantId}` });
      await make('/consumers', { tenant_id: tenantId, username: `of-${tenantId}` });
    }
  });
  afterAll(() => service.stop());

  it('answers with the caller’s own records where the family says so, and refuses elsewhere', async () => {
    for (const named of ['globex', 'nowhere']) {
      expect(await names(`/workspaces?tenant_id=${named}`, tokens.acme)).toEqual(['of-acme']);
      const refused = await service.call('GET', `${admin}/consumers?tenant_id=${named}`, undefined, {
        token: tokens.acme,
      });
      expect(refused).toMatchObject({ status: 403, body: { code: 'cross_tenant' } });
    }
    const { id } = (await service.call('GET', `${admin}/workspaces?tenant_id=globex`)).body.items[0];
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const answer = await service.call(
        method,
        `${admin}/workspaces/${id}?tenant_id=globex`,
        method === 'PATCH' ? {} : undefined,
        { token: tokens.acme },
      );
      expect(answer.status, method).toBe(403);
    }
    const write = await service.call(
      'POST',
      `${admin}/workspaces?tenant_id=globex`,
      { name: 'x' },
      { token: tokens.acme },
    );
    expect(write.status).toBe(403);
    expect(await names('/workspaces?tenant_id=globex')).toEqual(['of-globex']);
    expect((await service.call('GET', `${admin}/workspaces`)).status).toBe(400);
  });

  it('a token of a tenant is held to that tenant in the same way', async () => {
    const { token } = await make('/api-tokens', { tenant_id: 'acme', name: 'reader', scopes: ['admin:read'] });
    expect(await names('/workspaces?tenant_id=globex', token)).toEqual(['of-acme']);
    const own = await make('/api-tokens', { name: 'above', scopes: ['admin:read'] });
    expect(await names('/workspaces?tenant_id=globex', own.token)).toEqual(['of-globex']);
  });

  it('filters by the fields that a family declares', async () => {
    for (const kind of ['policy', 'cache', 'policy']) {
      const count = (await names('/ai-gateway/records?tenant_id=acme')).length;
      const config = {};
      const answer = await service.call('POST', `${admin}/ai-gateway/records`, {
        tenant_id: 'acme',
        kind,
        name: `${kind}-${count}`,
        config,
      });
      // The rules of a kind's config are the family's own; this is about the filter.
      expect([201, 422]).toContain(answer.status);
    }
    const all = (await service.call('GET', `${admin}/ai-gateway/records?tenant_id=acme`)).body.items;
    for (const kind of ['policy', 'cache', 'model_route', "o'dd"]) {
      const listed = (await service.call('GET', `${admin}/ai-gateway/records?tenant_id=acme&kind=${kind}`)).body.items;
      expect(listed).toEqual(all.filter((record: { kind: string }) => record.kind === kind));
    }
  });

  it('orders, pages and filters lists with built-in records like any other', async () => {
    const path = '/plugin-packages?tenant_id=acme&limit=200';
    const ascending = await names(`${path}&sort=name`);
    expect(ascending.length).toBeGreaterThan(1);
    expect(ascending).toEqual(ascending.toSorted());
    expect(await names(`${path}&sort=name&order=desc`)).toEqual(ascending.toReversed());
    expect(await names(`${path}&sort=id`)).toEqual(ascending);
    expect(await names(`${path}&enabled=false`)).toEqual([]);
    expect(await names(`${path}&enabled=true`)).toHaveLength(ascending.length);
    expect(await names(`${path}&labels=a=b`)).toEqual([]);
    const twice = await service.call('GET', `${admin}${path}&labels=a%3Db,a%3Dc`);
    expect(twice).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } });
    expect(await names('/plugin-packages?tenant_id=acme&sort=name&skip=1&limit=1')).toEqual([ascending[1]]);
  });
});
