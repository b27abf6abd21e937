import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.test-support.ts';

const canary = 'canary-token-0123456789';
const mask = expect.stringMatching(/^\[redacted:[0-9a-f]{8}\]$/);

describeOnEachDatabase('vaults and cache stores', (context) => {
  let service: TestService;
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, `/api/v1/admin${path}?tenant_id=acme`, body);
  const make = async (path: string, body: object): Promise<Answer['body']> => {
    const answer = await call('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const sync = (records: object, query = 'dry_run=false') =>
    service.call('POST', `/api/v1/admin/config/sync?${query}`, { tenant_id: 'acme', ...records });
  const everythingStored = async (): Promise<string> => {
    const { read } = context.database();
    return JSON.stringify([
      await read.selectFrom('resources').selectAll().execute(),
      await read.selectFrom('audit_records').selectAll().execute(),
    ]);
  };
  const hashicorp = { driver: 'hashicorp', config: { address: 'https://vault.test:8200', token: canary } };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
  });
  afterAll(() => service.stop());

  it('a vault is called by its prefix, has the defaults of its driver, and seals its token', async () => {
    const made = await make('/vaults', { prefix: 'prod', ...hashicorp });
    expect(made).toMatchObject({
      name: 'prod',
      prefix: 'prod',
      config: { address: 'https://vault.test:8200', token: mask, mount: 'secret', kv_version: 2, ttl_seconds: 60 },
    });
    expect((await call('GET', '/vaults/prod')).body).toEqual(made);
    expect((await call('PUT', '/vaults/prod', made)).body).toEqual(made);
    const moved = await call('PATCH', '/vaults/prod', { config: { namespace: 'team' } });
    expect(moved.body.config).toEqual({ ...made.config, namespace: 'team' });
    const rotated = await call('PATCH', '/vaults/prod', { config: { token: `${canary}-2` } });
    expect(rotated.body.config.token).not.toBe(made.config.token);
    expect(await everythingStored()).not.toContain(canary);
  });

  it('an unknown or missing field of a driver is refused at its place, and nothing is repeated', async () => {
    for (const [body, errors] of [
      [{ driver: 'env', config: { token: canary } }, ['/config/token']],
      [
        { driver: 'env', config: { prefix: 'A-B', bogus: 1, other: 2 } },
        ['/config/prefix', '/config/bogus', '/config/other'],
      ],
      [{ driver: 'file', config: { directory: '../../etc' } }, ['/config/directory']],
      [{ driver: 'hashicorp' }, ['/config/address', '/config/token']],
      [
        { driver: 'hashicorp', config: { ...hashicorp.config, address: `https://u:${canary}@v.test` } },
        ['/config/address'],
      ],
      [{ driver: 'hashicorp', config: { ...hashicorp.config, token: '[redacted]' } }, ['/config/token']],
    ] as const) {
      const answer = await call('POST', '/vaults', { prefix: 'refused', ...body });
      expect(answer.status, JSON.stringify(body)).toBe(422);
      const pointers = answer.body.errors.map(({ pointer }: { pointer: string }) => pointer);
      expect(pointers.toSorted()).toEqual([...errors].toSorted());
      expect(JSON.stringify(answer.body)).not.toContain(canary);
    }
  });

  it('their own secrets are none that would have to be read from a vault', async () => {
    const store = { name: 'refused', driver: 'redis', url: 'redis://cache.test', password: 'vault://prod/cache' };
    const vault = { prefix: 'refused', ...hashicorp, config: { ...hashicorp.config, token: 'ENV://VAULT_TOKEN' } };
    for (const [path, body, pointer] of [
      ['/vaults', vault, '/config/token'],
      ['/cache-store-configs', store, '/password'],
    ] as const) {
      const answer = await call('POST', path, body);
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer, code: 'reference' }] } });
      expect(answer.body.errors).toHaveLength(1);
    }
    const planned = await sync({ vaults: [vault], cache_store_configs: [store] });
    expect(planned.body.validation.errors).toMatchObject([
      { pointer: '/vaults/0/config/token', code: 'reference' },
      { pointer: '/cache_store_configs/0/password', code: 'reference' },
    ]);
  });

  it('a driver is not changed over the config of another', async () => {
    await make('/vaults', { prefix: 'changing', ...hashicorp });
    const refused = await call('PATCH', '/vaults/changing', { driver: 'env' });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ code: 'unknown_field' }, {}, {}, {}, {}] } });
    const replaced = await call('PUT', '/vaults/changing', {
      prefix: 'changing',
      driver: 'env',
      config: { prefix: 'ACME_' },
    });
    expect(replaced).toMatchObject({ status: 200, body: { driver: 'env', config: { prefix: 'ACME_' } } });
    const row = await context
      .database()
      .read.selectFrom('resources')
      .select('secrets')
      .where('id', '=', replaced.body.id)
      .executeTakeFirst();
    expect(row?.secrets ?? '{}').not.toContain('token');
  });

  it('prefix and name are unique in the tenant, also for many at once', async () => {
    const answers = await Promise.all(
      [0, 1, 2].map((index) => call('POST', '/vaults', { prefix: 'race', name: `race-${index}`, driver: 'env' })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect((await call('POST', '/vaults', { prefix: 'other', name: 'prod', driver: 'env' })).status).toBe(409);
  });

  it('a cache store seals its password, shows a mask, and takes the mask back', async () => {
    const made = await make('/cache-store-configs', {
      name: 'shared',
      driver: 'redis',
      url: 'rediss://cache.test:6380/1',
      username: 'portcullis',
      password: canary,
    });
    expect(made).toMatchObject({ password: mask, prefix: '', ttl_seconds: 300 });
    expect((await call('PUT', '/cache-store-configs/shared', made)).body).toEqual(made);
    const changed = await call('PATCH', '/cache-store-configs/shared', { ttl_seconds: 60 });
    expect(changed.body).toMatchObject({ password: made.password, ttl_seconds: 60 });
    const memory = await call('PATCH', '/cache-store-configs/shared', { driver: 'memory' });
    expect(memory.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/url',
      '/username',
      '/password',
    ]);
    expect((await call('POST', '/cache-store-configs', { name: 'shared', driver: 'memory' })).status).toBe(409);
    expect(await everythingStored()).not.toContain(canary);
  });

  it('bundles: both are unchanged the second time, a mask keeps the secret, a new one needs it', async () => {
    const vault = { prefix: 'bundled', ...hashicorp };
    const store = { name: 'bundled', driver: 'redis', url: 'redis://cache.test', password: canary };
    const bundle = { vaults: [vault], cache_store_configs: [store] };
    expect((await sync(bundle)).body).toMatchObject({ status: 'success', counts: { created: 2 } });
    const second = await sync(bundle);
    expect(second.body.counts, JSON.stringify(second.body.diff)).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 2,
    });
    const masked = {
      vaults: [{ ...vault, description: 'm', config: { ...vault.config, token: '[redacted]' } }],
      cache_store_configs: [{ ...store, description: 'm', password: '[redacted]' }],
    };
    expect((await sync(masked)).body).toMatchObject({ status: 'success', counts: { updated: 2 } });
    expect(
      (await sync({ vaults: [{ ...vault, description: 'm' }], cache_store_configs: [{ ...store, description: 'm' }] }))
        .body.counts,
    ).toMatchObject({ unchanged: 2 });
    const fresh = await sync({
      vaults: [{ ...vault, prefix: 'fresh', config: { ...vault.config, token: '[redacted]' } }],
    });
    expect(fresh.body.validation.errors).toMatchObject([
      { pointer: '/vaults/0/config/token', code: 'secret_required' },
    ]);
    const wrong = await sync({ vaults: [{ prefix: 'wrong', driver: 'env', config: { bogus: 1 } }] });
    expect(wrong.body.validation.errors).toMatchObject([{ pointer: '/vaults/0/config/bogus', code: 'unknown_field' }]);
  });
});
