import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';

const admin = '/api/v1/admin';

/** A schema with one required text and one secret. */
const greeting = {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', pattern: '^[a-z ]+$' }, token: { type: 'string', 'x-secret': true } },
};

describeOnEachDatabase('plugin packages', (context) => {
  let service: TestService;
  const call = (method: string, path: string, body?: object): Promise<Answer> =>
    service.call(method, `${admin}${path}?tenant_id=acme`, body);
  const install = (body: object): Promise<Answer> => call('POST', '/plugin-packages', { tenant_id: 'acme', ...body });
  const make = async (path: string, body: object): Promise<Answer['body']> => {
    const answer = await call('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const pointersOf = ({ body }: Answer): string[] => body.errors?.map((one: { pointer: string }) => one.pointer);

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    await service.addTenant('globex');
    await make('/gateways', { id: 'edge', name: 'edge' });
  });
  afterAll(() => service.stop());

  it('shows version and closed schema of a built-in one, on all its paths', async () => {
    for (const path of [
      `${admin}/plugin-packages`,
      '/admin/plugin-packages',
      '/plugin-packages',
      '/api/v1/plugin-packages',
    ]) {
      const { status, body } = await service.call('GET', `${path}/rate_limiter?tenant_id=acme`);
      expect(status, path).toBe(200);
      expect(body).toMatchObject({ name: 'rate_limiter', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
      expect(body.config_schema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  it('has built-in ones installed already: another version or schema is a conflict', async () => {
    const { body: installed } = await call('GET', '/plugin-packages/rate_limiter');
    expect(await install({ name: 'rate_limiter' })).toMatchObject({ status: 200, body: installed });
    expect(await install({ name: 'rate_limiter', version: installed.version })).toMatchObject({ status: 200 });
    for (const more of [{ version: '99.0.0' }, { config_schema: { type: 'object' } }]) {
      expect(await install({ name: 'rate_limiter', ...more })).toMatchObject({
        status: 409,
        body: { code: 'invalid_state' },
      });
    }
    expect((await call('DELETE', '/plugin-packages/rate_limiter')).status).toBe(409);
    expect((await call('GET', '/plugin-packages/rate_limiter')).body).toEqual(installed);
  });

  it('registers a custom one, finds it again, and keeps it from other tenants', async () => {
    const first = await install({ name: 'first', config_schema: greeting });
    expect(first).toMatchObject({
      status: 201,
      body: { id: 'first', version: '1.0.0', category: 'custom', config_schema: { additionalProperties: false } },
    });
    for (const more of [
      {},
      { version: '1.0.0' },
      { config_schema: greeting },
      { version: '1.0.0', config_schema: greeting },
    ]) {
      expect(await install({ name: 'first', ...more })).toMatchObject({ status: 200, body: { revision: 1 } });
    }
    expect((await call('GET', '/plugin-packages/first')).body).toEqual(first.body);
    const listed = await service.call('GET', `${admin}/plugin-packages?tenant_id=acme&limit=200`);
    expect(listed.body.items.map((item: { name: string }) => item.name)).toContain('first');
    expect((await service.call('GET', `${admin}/plugin-packages/first?tenant_id=globex`)).status).toBe(404);
    const other = await service.call('POST', `${admin}/plugins`, {
      tenant_id: 'globex',
      name: 'first',
      config: { text: 'a' },
    });
    expect(other).toMatchObject({ status: 422, body: { errors: [{ pointer: '/name', code: 'unknown_plugin' }] } });
    const audits = await service.call('GET', `${admin}/audits/?entity=plugin_package&entity_id=first`);
    expect(audits.body.total).toBe(1);
  });

  it('wants a schema for a name that is not built in, and a version that exists', async () => {
    expect(await install({ name: 'no_schema' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/config_schema' }] },
    });
    await install({ name: 'versions', config_schema: greeting });
    expect((await install({ name: 'versions', version: '2.0.0' })).status).toBe(409);
    expect((await install({ name: 'versions', config_schema: { type: 'object' } })).status).toBe(409);
    expect(await install({ name: 'versions', version: '2.0.0', config_schema: { type: 'object' } })).toMatchObject({
      status: 200,
      body: { version: '2.0.0', revision: 2 },
    });
    for (const bad of [
      { version: 'two' },
      { version: 2 },
      { name: 'Upper' },
      { unknown: 1 },
      { category: 'ai' },
      { id: 'a/b' },
      { id: 'rate_limiter' },
    ]) {
      expect((await install({ name: 'bad', config_schema: greeting, ...bad })).status, JSON.stringify(bad)).toBe(422);
    }
  });

  it('checks instances and inline entries by the schema, with pointers into the config', async () => {
    await install({ name: 'checked', config_schema: greeting });
    const bad = { text: 'NO', extra: 1 };
    const instance = await call('POST', '/plugins', { name: 'checked', config: bad });
    expect([instance.status, pointersOf(instance).toSorted()]).toEqual([422, ['/config/extra', '/config/text']]);
    const missing = await call('POST', '/plugins', { name: 'checked' });
    expect(missing).toMatchObject({ status: 422, body: { errors: [{ pointer: '/config/text', code: 'required' }] } });
    const inline = [{ name: 'correlation_id' }, { name: 'checked', config: bad }];
    const route = await call('POST', '/gateways/edge/routes', { name: 'r', path: '/r', plugins: inline });
    expect([route.status, pointersOf(route).toSorted()]).toEqual([
      422,
      ['/plugins/1/config/extra', '/plugins/1/config/text'],
    ]);
    await make('/plugins', { name: 'checked', config: { text: 'well' } });
    await make('/gateways/edge/routes', {
      name: 'r',
      path: '/r',
      plugins: [{ name: 'checked', config: { text: 'well' } }],
    });
  });

  it('seals and masks what the schema calls secret, in instances and inline', async () => {
    const marked = { a: { 'x-secret': true }, b: { writeOnly: true }, c: { type: 'string', format: 'password' } };
    await install({ name: 'sealed', config_schema: { type: 'object', properties: { ...marked, open: true } } });
    const config = { a: 'canary-a', b: 'canary-b', c: 'canary-c', open: 'seen' };
    const made = await make('/plugins', { name: 'sealed', config });
    const route = await make('/gateways/edge/routes', { name: 's', path: '/s', plugins: [{ name: 'sealed', config }] });
    for (const path of [`/plugins/${made.id}`, '/plugins', '/gateways/edge/routes/s', '/gateways/edge/routes']) {
      const text = JSON.stringify((await call('GET', path)).body);
      expect([text.includes('canary'), text.includes('seen')], path).toEqual([false, true]);
    }
    const bodies = await context.database().read.selectFrom('resources').select(['body', 'secrets']).execute();
    expect(JSON.stringify(bodies)).not.toContain('canary');
    const audits = await context.database().read.selectFrom('audit_records').select('canonical').execute();
    expect(JSON.stringify(audits)).not.toContain('canary');
    const same = await call('PATCH', `/plugins/${made.id}`, { config: made.config });
    expect(same).toMatchObject({ status: 200, body: { revision: 1 } });
    const back = await call('PUT', '/gateways/edge/routes/s', { ...route, path: '/s2' });
    expect(back).toMatchObject({ status: 200, body: { plugins: route.plugins } });
    const unknown = await call('POST', '/plugins', { name: 'sealed', config: made.config });
    expect(unknown).toMatchObject({ status: 422, body: { code: 'secret_required' } });
  });

  it('takes another version only when everything that uses the package fits it, and seals anew', async () => {
    const open = { type: 'object', properties: { key: { type: 'string' }, n: { type: 'integer' } } };
    await install({ name: 'moving', config_schema: open });
    const made = await make('/plugins', { name: 'moving', config: { key: 'canary-moving', n: 1 } });
    const inline = [{ name: 'moving', config: { n: 2 } }];
    await make('/gateways/edge/routes', { name: 'm', path: '/m', plugins: inline });
    const narrow = { ...open, properties: { ...open.properties, n: { type: 'integer', maximum: 1 } } };
    const refused = await install({ name: 'moving', version: '2.0.0', config_schema: narrow });
    expect(refused).toMatchObject({ status: 409, body: { code: 'referenced_by_others' } });
    expect(refused.body.detail).toMatch(/does not fit route /);
    expect((await call('GET', '/plugin-packages/moving')).body.version).toBe('1.0.0');
    const sealed = { ...open, properties: { ...open.properties, key: { type: 'string', 'x-secret': true } } };
    expect((await install({ name: 'moving', version: '2.0.0', config_schema: sealed })).status).toBe(200);
    const after = (await call('GET', `/plugins/${made.id}`)).body;
    expect([JSON.stringify(after).includes('canary'), after.config.n, after.revision]).toEqual([false, 1, 2]);
    // Back to an open field would show what is sealed.
    expect((await install({ name: 'moving', version: '3.0.0', config_schema: open })).status).toBe(409);
  });

  it('may have an ID of the caller’s, and is still known by its name', async () => {
    const made = await install({ id: 'chosen', name: 'with_id', config_schema: greeting });
    expect(made).toMatchObject({ status: 201, body: { id: 'chosen', name: 'with_id' } });
    expect((await install({ name: 'with_id' })).body).toEqual(made.body);
    expect((await install({ id: 'other', name: 'with_id' })).status).toBe(409);
    expect((await install({ id: 'other', name: 'rate_limiter' })).status).toBe(409);
    const instance = await make('/plugins', { name: 'with_id', config: { text: 'a' } });
    expect((await call('POST', '/plugins', { name: 'chosen', config: { text: 'a' } })).status).toBe(422);
    expect((await call('DELETE', '/plugin-packages/chosen')).status).toBe(409);
    await call('DELETE', `/plugins/${instance.id}`);
    expect((await call('DELETE', '/plugin-packages/with_id')).status).toBe(204);
  });

  it('goes only when nothing uses it any more', async () => {
    await install({ name: 'leaving', config_schema: { type: 'object' } });
    const made = await make('/plugins', { name: 'leaving' });
    const route = await make('/gateways/edge/routes', { name: 'l', path: '/l', plugins: [{ name: 'leaving' }] });
    const refused = await call('DELETE', '/plugin-packages/leaving');
    expect(refused).toMatchObject({ status: 409, body: { code: 'referenced_by_others' } });
    expect(refused.body.detail).toContain(`plugin ${made.id}, route ${route.id}`);
    await call('DELETE', `/plugins/${made.id}`);
    expect((await call('DELETE', '/plugin-packages/leaving')).status).toBe(409);
    await call('DELETE', `/gateways/edge/routes/${route.id}`);
    expect((await call('DELETE', '/plugin-packages/leaving')).status).toBe(204);
    expect((await call('DELETE', '/plugin-packages/leaving')).status).toBe(404);
    expect((await call('POST', '/plugins', { name: 'leaving' })).status).toBe(422);
  });

  it('are known to bundles too: checked at once, masked in differences, and applied', async () => {
    await install({ name: 'bundled', config_schema: greeting });
    const bundle = (operation: string, config: object) =>
      service.call('POST', `${admin}/config/${operation}`, {
        tenant_id: 'acme',
        plugins: [{ name: 'bundled', config }],
        routes: [{ name: 'b', gateway_name: 'edge', path: '/b', plugins: [{ name: 'bundled', config }] }],
      });
    for (const operation of ['validate', 'diff', 'sync']) {
      const { body } = await bundle(operation, { text: 'NO' });
      const errors = body.errors ?? body.validation.errors;
      expect(errors.map((error: { pointer: string }) => error.pointer).toSorted(), operation).toEqual([
        '/plugins/0/config/text',
        '/routes/0/plugins/0/config/text',
      ]);
    }
    const good = { text: 'well', token: 'canary-bundle' };
    const applied = await bundle('sync?dry_run=false', good);
    expect(applied.body).toMatchObject({ status: 'success', counts: { created: 2 } });
    expect(JSON.stringify(applied.body)).not.toContain('canary');
    expect((await bundle('diff', good)).body).toMatchObject({ summary: { create: 0, update: 0 } });
    const other = await bundle('diff', { ...good, token: 'canary-other' });
    expect(other.body).toMatchObject({ summary: { update: 2 } });
    expect(JSON.stringify(other.body)).not.toContain('canary');
  });

  it('never goes from under an instance that is made at the same time', async () => {
    for (let round = 0; round < 8; round += 1) {
      const name = `raced_${round}`;
      await install({ name, config_schema: greeting });
      const [created, deleted] = await Promise.all([
        call('POST', '/plugins', { name, config: { text: 'a' } }),
        call('DELETE', `/plugin-packages/${name}`),
      ]);
      expect([
        [201, 409],
        [422, 204],
      ]).toContainEqual([created.status, deleted.status]);
    }
  });

  it('is installed once when many ask at the same time, and the same key gives the same answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => install({ name: 'crowd', config_schema: greeting })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 201]);
    const once = (): Promise<Answer> =>
      service.call(
        'POST',
        `${admin}/plugin-packages`,
        { tenant_id: 'acme', name: 'keyed', config_schema: greeting },
        { headers: { 'idempotency-key': 'k-1' } },
      );
    const [first, second] = [await once(), await once()];
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
  });

  it('are at most fifty of a tenant’s own', async () => {
    await service.addTenant('collector');
    const add = (index: number): Promise<Answer> =>
      service.call('POST', `${admin}/plugin-packages`, {
        tenant_id: 'collector',
        name: `p${index}`,
        config_schema: { type: 'object' },
      });
    for (let index = 0; index < 50; index += 1) expect((await add(index)).status).toBe(201);
    expect(await add(50)).toMatchObject({ status: 403, body: { code: 'quota_exceeded' } });
    expect((await add(7)).status).toBe(200);
  });

  it('of readers and tokens that may only read are not theirs to install', async () => {
    const token = await service.addUser('acme', 'reader', 'reader');
    const answer = await service.call(
      'POST',
      `${admin}/plugin-packages`,
      { name: 'mine', config_schema: greeting },
      { token },
    );
    expect(answer.status).toBe(403);
  });
});
