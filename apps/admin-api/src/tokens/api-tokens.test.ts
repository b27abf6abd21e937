import { FakeClock } from '@portcullis/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';

const path = '/api/v1/admin/api-tokens';

describeOnEachDatabase('admin API tokens', (context) => {
  const clock = new FakeClock({ nowMs: Date.now() });
  let service: TestService;
  let admin = '';
  const start = async (): Promise<void> => {
    service = await startTestService(context.url(), { nowMs: clock.nowMs, monotonicMs: clock.monotonicMs });
  };
  beforeAll(async () => {
    await start();
    await service.addTenant('acme');
    admin = await service.addUser('acme', 'boss', 'admin');
  });
  afterAll(() => service.stop());

  const call = (method: string, place: string, body?: unknown) => service.call(method, place, body, { token: admin });
  const make = async (body: object) => {
    const made = await call('POST', path, { scopes: ['admin:read'], ...body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body as { readonly id: string; readonly token: string; readonly prefix: string };
  };
  const status = async (token: string): Promise<number> =>
    (await service.call('GET', '/tenants/current', undefined, { token })).status;

  it('are shown once, at creation, and told apart by their first characters', async () => {
    const { id, token, prefix } = await make({ name: 'once', description: 'd' });
    expect(token).toMatch(/^gwadm_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    expect(token.startsWith(prefix)).toBe(true);
    expect(prefix).toHaveLength(12);
    const secret = token.split('_')[2] ?? '';
    for (const place of [`${path}/${id}`, path, '/api/v1/admin/audits/?limit=200']) {
      const { body } = await call('GET', place);
      expect(JSON.stringify(body), place).toContain(id);
      expect(JSON.stringify(body), place).not.toMatch(new RegExp(`${secret}|secret_hash|token_id`));
    }
    for (const table of ['resources', 'audit_records', 'changes'] as const) {
      const rows = await context.database().read.selectFrom(table).selectAll().execute();
      expect(JSON.stringify(rows), table).not.toContain(secret);
    }
  });

  it('have no PUT and no PATCH, and a name once in a tenant', async () => {
    const { id } = await make({ name: 'fixed' });
    for (const method of ['PUT', 'PATCH']) {
      expect((await call(method, `${path}/${id}`, { scopes: ['admin:write'] })).status, method).toBe(405);
    }
    expect((await call('POST', path, { name: 'fixed', scopes: ['admin:read'] })).body.code).toBe('name_exists');
    for (const scopes of [[], ['admin:read', 'admin:read'], ['read'], 'admin:read']) {
      expect((await call('POST', path, { name: 'odd', scopes })).status, JSON.stringify(scopes)).toBe(422);
    }
  });

  it('are found by ID and by name, and carry notes', async () => {
    const notes = { description: 'for the pipeline', labels: { team: 'shop' } };
    const { id } = await make({ name: 'pipeline', ...notes });
    expect((await call('GET', `${path}/pipeline`)).body).toMatchObject({ id, ...notes });
    expect((await call('GET', `${path}?labels=team=shop`)).body.items).toMatchObject([{ id }]);
    expect((await call('DELETE', `${path}/pipeline`)).status).toBe(204);
    expect((await call('GET', `${path}/${id}`)).status).toBe(404);
  });

  it('make tokens of no more scopes, that end no later', async () => {
    const at = (ms: number): string => new Date(clock.nowMs() + ms).toISOString();
    const expiresAt = at(60_000);
    const narrow = await make({ name: 'narrow', scopes: ['admin:write'], expires_at: expiresAt });
    const by = (token: string, body: object) => service.call('POST', path, body, { token });
    const writing = { scopes: ['admin:write'] };
    for (const [body, pointers] of [
      [{ scopes: ['admin:read'] }, ['/scopes/0']],
      [{ scopes: ['admin:write', 'admin:read'] }, ['/scopes/1']],
      [{ ...writing, expires_at: at(60_001) }, ['/expires_at']],
      [{ ...writing, expires_at: '9999-12-31T23:59:59Z' }, ['/expires_at']],
      [{ scopes: ['admin:read'], expires_at: at(61_000) }, ['/scopes/0', '/expires_at']],
    ] as const) {
      const { status, body: problem } = await by(narrow.token, { name: 'wide', ...body });
      const named = (problem.errors ?? []).map(({ pointer }: { readonly pointer: string }) => pointer);
      expect([status, named], JSON.stringify(body)).toEqual([422, pointers]);
    }
    expect((await by(narrow.token, { name: 'like it', ...writing })).body).toMatchObject({ expires_at: expiresAt });
    // Whether null is refused or means nothing, it is no way out.
    const endless = await by(narrow.token, { name: 'endless', ...writing, expires_at: null });
    expect([422, expiresAt]).toContain(endless.status === 201 ? endless.body.expires_at : endless.status);
    const sooner = at(1000);
    expect((await by(narrow.token, { name: 'sooner', ...writing, expires_at: sooner })).body).toMatchObject({
      expires_at: sooner,
    });
    const wide = await make({ name: 'wide', scopes: ['admin:read', 'admin:write'] });
    const child = await by(wide.token, { name: 'child', scopes: ['admin:read'] });
    expect([child.status, child.body.expires_at, child.body.tenant_id]).toEqual([201, undefined, 'acme']);
    expect((await by(child.body.token, { name: 'grandchild', scopes: ['admin:read'] })).status).toBe(403);
    expect((await by(wide.token, { name: 'up', scopes: ['admin:read'], tenant_id: 'globex' })).status).toBe(403);
  });

  it('make no token any more once they are revoked, not even within the 5 s', async () => {
    const { id, token } = await make({ name: 'leaked', scopes: ['admin:read', 'admin:write'] });
    expect(await status(token)).toBe(200);
    // A revocation that this replica has not heard of.
    await context
      .database()
      .transaction((transaction) => transaction.deleteFrom('resources').where('id', '=', id).execute());
    expect(await status(token), 'let in from memory').toBe(200);
    const made = await service.call('POST', path, { name: 'heir', scopes: ['admin:write'] }, { token });
    expect([made.status, made.body.code]).toEqual([401, 'unauthenticated']);
    expect((await call('GET', `${path}/heir`)).status).toBe(404);
  });

  it('are refused from their expiry on, to the moment', async () => {
    const expiresAt = new Date(clock.nowMs() + 60_000).toISOString();
    const { token } = await make({ name: 'brief', expires_at: expiresAt });
    clock.advance(59_999);
    expect(await status(token)).toBe(200);
    clock.advance(1);
    expect(await status(token)).toBe(401);
    expect((await call('POST', path, { name: 'odd', scopes: ['admin:read'], expires_at: 'soon' })).status).toBe(422);
  });

  it('are revoked by deletion within 5 s', async () => {
    const { id, token } = await make({ name: 'revoked' });
    expect(await status(token)).toBe(200);
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(204);
    clock.advance(5_000);
    expect(await status(token)).toBe(401);
    expect((await call('GET', `${path}/${id}`)).status).toBe(404);
  });

  it('tell when they were used last, also after a restart', async () => {
    const { id, token } = await make({ name: 'used' });
    const unused = await make({ name: 'unused' });
    const usedAt = new Date(clock.nowMs()).toISOString();
    expect(await status(token)).toBe(200);
    await service.stop();
    await start();
    expect((await call('GET', `${path}/${id}`)).body).toMatchObject({ last_used_at: usedAt });
    expect((await call('GET', `${path}/${unused.id}`)).body).not.toHaveProperty('last_used_at');
  });
});
