import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { createPasswordHasher } from '../identity/password-hasher.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.test-support.ts';

const pem = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' });
const canary = 'canary-secret-0123456789';

describeOnEachDatabase('credentials of consumers', (context) => {
  let service: TestService;
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, `/api/v1/admin${path}?tenant_id=acme`, body);
  const make = async (path: string, body: object): Promise<Answer['body']> => {
    const answer = await call('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const consumer = async (username: string): Promise<string> => (await make('/consumers', { username })).id;
  const add = (consumerId: string, body: object) => call('POST', `/consumers/${consumerId}/credentials`, body);
  const read = async (id: string): Promise<Answer['body']> => (await call('GET', `/consumer-credentials/${id}`)).body;
  const stored = (table: 'resources' | 'audit_records' | 'idempotency_keys') =>
    context.database().read.selectFrom(table).selectAll().where('tenant_id', '=', 'acme').execute();
  const bodyOf = async (id: string) => {
    const row = (await stored('resources')).find((one) => 'id' in one && one.id === id);
    return JSON.parse(row && 'body' in row ? row.body : 'null');
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
  });
  afterAll(() => service.stop());

  it('a password is stored as an Argon2id hash, is never shown, and changes when another is given', async () => {
    const owner = await consumer('basic-owner');
    const made = await add(owner, { type: 'basic', username: 'jo', password: canary });
    expect(made).toMatchObject({ status: 201, body: { type: 'basic', username: 'jo', enabled: true } });
    const { password_hash: hash } = await bodyOf(made.body.id);
    const hasher = createPasswordHasher(() => Buffer.alloc(16));
    expect(await hasher.verify(canary, hash)).toMatchObject({ matches: true });
    const renamed = await call('PATCH', `/consumer-credentials/${made.body.id}`, { name: 'main' });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'main', revision: 2 } });
    expect((await bodyOf(made.body.id)).password_hash).toBe(hash);
    const changed = await call('PATCH', `/consumer-credentials/${made.body.id}`, { password: `${canary}-2` });
    expect(changed.body.revision).toBe(3);
    expect(await hasher.verify(`${canary}-2`, (await bodyOf(made.body.id)).password_hash)).toMatchObject({
      matches: true,
    });
    for (const shown of [made.body, renamed.body, changed.body, await read(made.body.id)]) {
      expect(JSON.stringify(shown)).not.toMatch(/password|argon2|redacted/);
    }
  });

  it('an hmac secret is made and shown once, then sealed and masked; a given one is not shown at all', async () => {
    const owner = await consumer('hmac-owner');
    const made = (await add(owner, { type: 'hmac', name: 'made' })).body;
    expect(made.secret).toMatch(/^[\w-]{43}$/);
    expect(made.key_id).toMatch(/^[\w-]{32}$/);
    expect(made.algorithms).toEqual(['hmac-sha256', 'hmac-sha384', 'hmac-sha512']);
    const shown = await read(made.id);
    expect(shown).toMatchObject({ key_id: made.key_id, secret: expect.stringMatching(/^\[redacted:[0-9a-f]{8}\]$/) });
    const renamed = await call('PATCH', `/consumer-credentials/${made.id}`, { labels: { a: '1' } });
    expect(renamed.body).toMatchObject({ key_id: made.key_id, secret: shown.secret });
    expect(await bodyOf(made.id)).toMatchObject({ secret: shown.secret });
    const emptied = await call('PATCH', `/consumer-credentials/${made.id}`, { secret: null, key_id: null });
    expect(emptied.body).toMatchObject({ key_id: made.key_id, secret: shown.secret });
    const given = await add(owner, { type: 'hmac', key_id: 'k', secret: canary, algorithms: ['hmac-sha512'] });
    expect(given.body).toMatchObject({ secret: expect.stringMatching(/^\[redacted:/), algorithms: ['hmac-sha512'] });
    const rotated = await call('PATCH', `/consumer-credentials/${given.body.id}`, { secret: `${canary}-2` });
    expect(rotated.body.secret).not.toBe(given.body.secret);
  });

  it("a token credential's key is its public issuer, made when absent, and not taken for a secret", async () => {
    const owner = await consumer('jwt-owner');
    const shared = await add(owner, { type: 'jwt', secret: canary });
    expect(shared.body).toMatchObject({ algorithm: 'HS256', key: expect.stringMatching(/^[\w-]{32}$/) });
    expect(shared.body.secret).toMatch(/^\[redacted:/);
    const keyed = await add(owner, { type: 'jwt', key: 'https://issuer.test', algorithm: 'EdDSA', public_key: pem });
    expect(keyed.body).toMatchObject({ key: 'https://issuer.test', public_key: pem });
    expect(await read(keyed.body.id)).toEqual(keyed.body);
    const changed = await call('PATCH', `/consumer-credentials/${keyed.body.id}`, { algorithm: 'RS256' });
    expect(changed).toMatchObject({ status: 422, body: { errors: [{ pointer: '/public_key', code: 'key_type' }] } });
    const moved = await call('PATCH', `/consumer-credentials/${shared.body.id}`, {
      algorithm: 'EdDSA',
      secret: null,
      public_key: pem,
    });
    expect(moved.status).toBe(422);
  });

  it('a token secret that is not given is made and shown once; a public key needs none', async () => {
    const owner = await consumer('jwt-made');
    const made = await add(owner, { type: 'jwt' });
    expect(made).toMatchObject({
      status: 201,
      body: { algorithm: 'HS256', secret: expect.stringMatching(/^[\w-]{43}$/) },
    });
    const shown = await read(made.body.id);
    expect(shown.secret).toMatch(/^\[redacted:/);
    const renamed = await call('PATCH', `/consumer-credentials/${made.body.id}`, { labels: { a: '1' } });
    expect(renamed.body.secret).toBe(shown.secret);
    const keyed = await add(owner, { type: 'jwt', algorithm: 'EdDSA', public_key: pem });
    expect(keyed.body).not.toHaveProperty('secret');
    const shared = await call('PATCH', `/consumer-credentials/${keyed.body.id}`, {
      algorithm: 'HS512',
      public_key: null,
    });
    expect(shared).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^[\w-]{43}$/) } });
  });

  it('secrets that clients have from another gateway are taken, long and short, of any characters that can be sent', async () => {
    const owner = await consumer('moved');
    for (const body of [
      { type: 'api_key', key: 'my-key' },
      { type: 'basic', username: 'moved', password: 's' },
      { type: 'basic', username: 'moved-foxes', password: '🦊'.repeat(256) },
      { type: 'hmac', key_id: 'moved', secret: 'hmac-secret' },
      { type: 'jwt', key: 'moved', secret: 'jwt-secret', description: 'as it was' },
    ]) {
      const answer = await add(owner, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    }
  });

  it.each([
    [{ type: 'api_key', username: 'u' }, ['/username']],
    [{ type: 'api_key', password: canary, algorithm: 'HS256' }, ['/password', '/algorithm']],
    [{ type: 'api_key', key: '' }, ['/key']],
    [{ type: 'basic', password: canary }, ['/username']],
    [{ type: 'basic', username: 'nobody' }, ['/password']],
    [{ type: 'basic', username: 'nobody', password: '' }, ['/password']],
    [{ type: 'basic', username: 'a:b', password: canary }, ['/username']],
    [{ type: 'basic', username: 'nobody', password: canary, key: canary }, ['/key']],
    [{ type: 'hmac', algorithms: ['hmac-sha1'] }, ['/algorithms/0']],
    [{ type: 'hmac', algorithms: [] }, ['/algorithms']],
    [{ type: 'hmac', key_id: 'with space', secret: 'with space' }, ['/key_id', '/secret']],
    [{ type: 'jwt', secret: '' }, ['/secret']],
    [{ type: 'jwt', algorithm: 'RS256', secret: canary }, ['/public_key', '/secret']],
    [{ type: 'jwt', algorithm: 'HS512', secret: canary, public_key: pem }, ['/public_key']],
    [{ type: 'jwt', algorithm: 'none', secret: canary }, ['/algorithm']],
    [{ type: 'jwt', algorithm: 'ES256', public_key: pem }, ['/public_key']],
    [{ type: 'oauth2' }, ['/type']],
    [{ type: 'hmac', secret: '[redacted]' }, ['/secret']],
    [{ type: 'basic', username: 'nobody', password: '[redacted]' }, ['/password']],
  ])('%j is refused at %j', async (body, pointers) => {
    const owner = await call('PUT', '/consumers/refusals', { username: 'refusals' });
    const answer = await add(owner.body.id, body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual(pointers);
    expect(JSON.stringify(answer.body)).not.toContain(canary);
  });

  it.each([
    ['username', '/username', () => ({ type: 'basic', username: 'twice', password: canary })],
    ['key ID', '/key_id', () => ({ type: 'hmac', key_id: 'twice' })],
    ['issuer', '/key', () => ({ type: 'jwt', key: 'twice', secret: canary })],
    ['API key', '/key', () => ({ type: 'api_key', key: 'twice-the-same-api-key' })],
  ])('of many that want one %s at once, exactly one gets it', async (title, pointer, body) => {
    const owners = await Promise.all([0, 1, 2, 3, 4].map((index) => consumer(`${title}-${index}`)));
    const answers = await Promise.all(owners.map((owner) => add(owner, body())));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
    const refused = answers.filter(({ status }) => status === 409);
    for (const { body: problem } of refused) expect(problem.errors).toMatchObject([{ pointer }]);
  });

  it('names that identify are free for each kind of credential, and for each tenant', async () => {
    await service.addTenant('other');
    const owner = await consumer('all-kinds');
    for (const body of [
      { type: 'basic', username: 'same-text', password: canary },
      { type: 'hmac', key_id: 'same-text' },
      { type: 'jwt', key: 'same-text', secret: canary },
    ]) {
      expect((await add(owner, { ...body, name: 'same-text' })).status).toBe(201);
    }
    const elsewhere = (path: string, body: object) =>
      service.call('POST', `/api/v1/admin${path}?tenant_id=other`, body);
    const foreign = (await elsewhere('/consumers', { username: 'all-kinds' })).body;
    const same = { consumer_id: foreign.id, type: 'basic', username: 'same-text', password: canary };
    expect((await elsewhere('/consumer-credentials', same)).status).toBe(201);
    expect((await elsewhere('/consumer-credentials', { ...same, consumer_id: owner })).status).toBe(422);
  });

  it('no secret stands openly in the database, in the audit log or in lists', async () => {
    const owner = await consumer('leaks');
    await add(owner, { type: 'basic', username: 'leaks', password: canary });
    await add(owner, { type: 'hmac', key_id: 'leaks', secret: canary });
    await add(owner, { type: 'jwt', key: 'leaks', secret: canary });
    await add(owner, { type: 'api_key', name: 'leaks', key: canary });
    const path = `/api/v1/admin/consumers/${owner}/credentials?tenant_id=acme`;
    const headers = { 'idempotency-key': 'leaks' };
    const once = await service.call('POST', path, { type: 'hmac', name: 'once' }, { headers });
    const again = await service.call('POST', path, { type: 'hmac', name: 'once' }, { headers });
    expect(again.body.secret).toBe(once.body.secret);
    const list = await call('GET', `/consumers/${owner}/credentials`);
    expect(list.body.total).toBe(5);
    const tables = await Promise.all((['resources', 'audit_records', 'idempotency_keys'] as const).map(stored));
    const everything = JSON.stringify([list.body, ...tables]);
    for (const secret of [canary, once.body.secret]) expect(everything).not.toContain(secret);
    expect(JSON.stringify(list.body)).not.toMatch(/_hash|_mask|"issuer"/);
  });

  it('bundles: credentials of every kind are unchanged the second time, and masks keep what is stored', async () => {
    const sync = (records: object, query = 'dry_run=false') =>
      service.call('POST', `/api/v1/admin/config/sync?${query}`, { tenant_id: 'acme', ...records });
    const of = (type: string, fields: object) => ({ consumer_name: 'bundled', type, ...fields });
    const credentials = [
      of('api_key', { name: 'bundle-key', key: `${canary}-bundle` }),
      of('api_key', { key: `${canary}-without-a-name` }),
      of('basic', { username: 'bundled', password: canary }),
      of('hmac', { key_id: 'bundled', secret: canary }),
      of('hmac', { name: 'made-id', secret: canary }),
      of('jwt', { key: 'bundled', secret: canary, algorithm: 'HS384' }),
      of('jwt', { name: 'made-key', public_key: pem, algorithm: 'EdDSA' }),
    ];
    const bundle = { consumers: [{ username: 'bundled' }], consumer_credentials: credentials };
    const first = await sync(bundle);
    expect(first.body, JSON.stringify(first.body)).toMatchObject({ status: 'success', counts: { created: 8 } });
    const second = await sync(bundle);
    expect(second.body, JSON.stringify(second.body.diff?.changes)).toMatchObject({
      status: 'success',
      counts: { created: 0, updated: 0, unchanged: 8 },
    });
    const masked = credentials.map((one) => ({
      ...one,
      ...('key' in one && one.type === 'api_key' && { key: '[redacted]' }),
      ...('password' in one && { password: '[redacted]' }),
      ...('secret' in one && { secret: '[redacted]' }),
      labels: { from: 'export' },
    }));
    const before = await stored('resources');
    const relabelled = await sync({ ...bundle, consumer_credentials: masked });
    expect(relabelled.body, JSON.stringify(relabelled.body)).toMatchObject({
      counts: { updated: 7 },
      status: 'success',
    });
    expect(JSON.stringify({ ...relabelled.body, snapshot: null })).not.toMatch(/_hash|_mask|argon2/);
    const hashes = (rows: typeof before) =>
      rows.flatMap((row) => ('body' in row ? (/"password_hash":"[^"]+"|"key_hash":"[^"]+"/.exec(row.body) ?? []) : []));
    expect(hashes(await stored('resources')).toSorted()).toEqual(hashes(before).toSorted());
    const again = await sync({
      ...bundle,
      consumer_credentials: credentials.map((one) => ({ ...one, labels: { from: 'export' } })),
    });
    expect(again.body.counts, JSON.stringify(again.body.diff?.changes)).toMatchObject({ unchanged: 8 });
    const changed = await sync({
      consumer_credentials: [of('basic', { username: 'bundled', password: `${canary}-2` })],
    });
    expect(changed.body.counts.updated).toBe(1);
    expect(JSON.stringify(changed.body)).not.toContain(canary);
  });

  it('bundles: whoever may only read cannot try out secrets', async () => {
    const owner = await consumer('guessed');
    const made = async (body: object): Promise<object> => {
      const { id, type, name } = (await add(owner, body)).body as Record<string, unknown>;
      return { id, type, ...(name !== undefined && { name }), consumer_id: owner };
    };
    const secret = 'canary-of-the-guessed';
    const records = [
      { ...(await made({ type: 'api_key', key: secret })), key: secret },
      {
        ...(await made({ type: 'basic', username: 'guessed', password: secret })),
        username: 'guessed',
        password: secret,
      },
      { ...(await made({ type: 'hmac', key_id: 'guessed', secret })), key_id: 'guessed', secret },
      { ...(await made({ type: 'jwt', key: 'guessed', secret })), key: 'guessed', secret },
    ];
    const changedFor = async (role: 'reader' | 'writer', guess: string): Promise<number> => {
      const text = JSON.stringify({ tenant_id: 'acme', consumer_credentials: records }).replaceAll(secret, guess);
      const token = await service.addUser('acme', `${role}-${guess}`, role);
      const answer = await service.call('POST', '/api/v1/admin/config/diff', JSON.parse(text), { token });
      expect([answer.status, answer.body.errors]).toEqual([200, []]);
      return answer.body.changes.length;
    };
    expect(await changedFor('writer', secret)).toBe(0);
    expect(await changedFor('reader', secret)).toBe(4);
    expect(await changedFor('reader', 'canary-of-another')).toBe(4);
  });

  it('bundles: a new credential brings its secret', async () => {
    const of = (type: string, fields: object = {}) => ({ consumer_name: 'bare', type, ...fields });
    const answer = await service.call('POST', '/api/v1/admin/config/sync?dry_run=false', {
      tenant_id: 'acme',
      consumers: [{ username: 'bare' }],
      consumer_credentials: [
        of('api_key'),
        of('basic', { username: 'bare' }),
        of('jwt', { secret: canary }),
        of('hmac'),
        of('hmac', { name: 'masked', secret: '[redacted]' }),
      ],
    });
    expect(answer.body.validation.errors).toMatchObject([
      { pointer: '/consumer_credentials/0/key', code: 'secret_required' },
      { pointer: '/consumer_credentials/1/password', code: 'secret_required' },
      { pointer: '/consumer_credentials/2/key', code: 'secret_required' },
      { pointer: '/consumer_credentials/3/key_id', code: 'secret_required' },
      { pointer: '/consumer_credentials/3/secret', code: 'secret_required' },
      { pointer: '/consumer_credentials/4/secret', code: 'secret_required' },
    ]);
  });
});
