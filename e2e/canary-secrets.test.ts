import { readdir, readFile, writeFile } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { eventually } from '@portcullis/testkit';
import { entityFamilies } from '@portcullis/resources';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Admin, AdminAnswer } from './support/admin.ts';
import { adminWith } from './support/admin.ts';
import { Canaries } from './support/canaries.ts';
import { useBundles } from './support/canary-bundles.ts';
import { look, readEverything, writeAgain } from './support/canary-exercises.ts';
import { customPackage, makeOtherRecords, makeSecretRecords } from './support/canary-records.ts';
import type { SecretRecord } from './support/canary-records.ts';
import { markedFields, withoutSecret } from './support/canary-templates.ts';
import { sendTraffic, startCarelessService } from './support/canary-traffic.ts';
import type { CarelessService } from './support/canary-traffic.ts';
import { startStack } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

const base = '/api/v1/admin';

describe('a secret in every field that holds one', () => {
  const canaries = new Canaries();
  let stack: Stack;
  let careless: CarelessService;
  let records: readonly SecretRecord[] = [];
  /** Records of the other families, by the path parameter that takes their ID. */
  let others: Readonly<Record<string, readonly string[]>> = {};
  let node = '';
  const at = (path: string): string => `${base}${path}${path.includes('?') ? '&' : '?'}tenant_id=acme`;
  /** The administration API of the tenant; paths begin below it. */
  const tenant = (): Admin => ({
    ...stack.admin,
    call: (method, path, body, headers) => stack.admin.call(method, at(path), body, headers),
  });
  /** The fields whose secrets reached the service that was to get them. */
  const sent = (): readonly string[] =>
    careless.upstream.requests.flatMap(({ url, headers }) => canaries.in(url + JSON.stringify(headers)));
  const done = async (method: string, path: string, body?: unknown): Promise<AdminAnswer['body']> => {
    const answer = await tenant().call(method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };

  beforeAll(async () => {
    careless = await startCarelessService();
    stack = await startStack({ settings: { PORTCULLIS_LOG_LEVEL: 'trace' } });
    await stack.admin.call('POST', `${base}/tenants`, { name: 'Acme', slug: 'acme' });
    await done('POST', '/gateways', { id: 'edge', name: 'edge' });
    await done('POST', '/gateways/edge/services', { id: 'echo', name: 'echo', url: `${careless.upstream.url}/quiet` });
    await done('POST', '/consumers', { id: 'acme', username: 'acme' });
    await done('POST', '/plugin-packages', customPackage);
    node = (await done('POST', '/data-planes', { gateway_id: 'edge', name: 'node' })).token;
    canaries.watch("the data plane's token", node);
    canaries.watch("the administrator's token", stack.admin.token ?? '');
    records = await makeSecretRecords(tenant(), canaries, careless.upstream.url);
    others = await makeOtherRecords(tenant(), canaries, records);
    await stack.startGateway(node, {
      PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8,::1',
      PORTCULLIS_LOG_LEVEL: 'debug',
    });
  });
  afterAll(async () => {
    await careless?.upstream.close();
    await stack?.[Symbol.asyncDispose]();
  });

  it('is there for each field that the control plane calls secret', async () => {
    const description = (await stack.admin.call('GET', '/openapi.json')).body;
    const pointersOf = (isOf: (record: SecretRecord) => boolean, below = ''): readonly string[] =>
      records
        .filter(isOf)
        .flatMap(({ secrets }) => [...secrets.keys()])
        .filter((pointer) => pointer.startsWith(below))
        .map((pointer) => pointer.slice(below.length));
    const missing: Record<string, readonly string[]> = {};
    const schemas = description.components.schemas as Record<string, unknown>;
    for (const [name, schema] of Object.entries(schemas).filter(([key]) => key.endsWith('Write'))) {
      const family = `${name
        .slice(0, -5)
        .replaceAll(/(?<=[a-z])[A-Z]/g, '-$&')
        .toLowerCase()}s`;
      missing[name] = withoutSecret(
        markedFields(schema),
        pointersOf((record) => record.name.split(' ')[0] === family),
      );
    }
    const packages = (await done('GET', '/plugin-packages?limit=200')).items as {
      name: string;
      config_schema: unknown;
    }[];
    expect(packages.length).toBeGreaterThan(45);
    for (const { name, config_schema: schema } of packages) {
      const marked = markedFields(schema);
      missing[`plugin ${name}`] = withoutSecret(
        marked,
        pointersOf((record) => record.name === `plugins ${name}`, '/config'),
      );
      missing[`route with ${name}`] = withoutSecret(
        marked,
        pointersOf((record) => record.name === `routes with ${name}`, '/plugins/0/config'),
      );
    }
    for (const { name, secrets_schema: schema } of (await done('GET', '/integrations/drivers')).items) {
      const fields = pointersOf((record) => record.name === `integrations of ${name}`, '/secrets');
      missing[`integration ${name}`] = withoutSecret(markedFields(schema), fields);
    }
    expect(Object.entries(missing).filter(([, fields]) => fields.length > 0)).toEqual([]);
    expect(canaries.fields().length).toBeGreaterThan(100);
  });

  it('is found where it belongs, so that it would be found elsewhere', async () => {
    const { body } = await adminWith(stack.adminUrl, node).call('GET', '/api/v1/data-plane/config');
    const delivered = new Set(canaries.in(typeof body === 'string' ? body : JSON.stringify(body)).map(fieldOf));
    const expected = records.filter(({ name }) => /^(?:plugins|routes|certificates|vaults)/.test(name));
    // A secret that stands in two fields is named by the first.
    const named = expected.flatMap(({ secrets }) => [...secrets.values()].flatMap((secret) => canaries.in(secret)));
    expect(named.map(fieldOf).filter((field) => !delivered.has(field))).toEqual([]);
  });

  it('is in no answer to a write, whether it fails or sends masks back', async () => {
    const wrong: string[] = [];
    for (const record of records.filter(({ secrets }) => secrets.size > 0)) {
      wrong.push(...(await writeAgain({ admin: tenant(), canaries }, record)));
    }
    expect(wrong).toEqual([]);
    expect(canaries.leaks('the answer to POST ')).toEqual([]);
    expect(canaries.leaks('failing writes')).toEqual([]);
  });

  it('is in no answer about an integration, whether it succeeds or fails, and reached what it is for', async () => {
    for (const isWilling of [false, true]) {
      careless.isWilling = isWilling;
      for (const { id, name } of records.filter(({ collection }) => collection === '/integrations')) {
        const synced = await tenant().call('POST', `/integrations/${id}/sync`);
        look(canaries, `integrations: ${name}`, synced);
        expect([name, synced.status, synced.body.status]).toEqual([name, 200, isWilling ? 'success' : 'failed']);
        look(canaries, `integrations: ${name}`, await tenant().call('GET', `/integrations/${id}/syncs`));
      }
    }
    careless.isWilling = false;
    expect(canaries.leaks('integrations')).toEqual([]);
    expect(sent().filter((field) => field.startsWith('integrations')).length).toBeGreaterThan(4);
  });

  it('is in no answer to traffic, no live stream and no page of the gateway', async () => {
    const live = new AbortController();
    let told = '';
    const stream = await fetch(stack.adminUrl + at('/observability/live'), {
      headers: { authorization: `Bearer ${stack.admin.token}` },
      signal: live.signal,
    });
    const reading = stream.body
      ?.pipeThrough(new TextDecoderStream())
      .pipeTo(new WritableStream({ write: (text) => void (told += text) }))
      .catch(() => undefined);
    expect(await sendTraffic(stack.gatewayUrl, canaries, records)).toBeGreaterThan(100);
    await eventually(() => told.includes('/in-'), { timeoutMs: 30_000 });
    live.abort();
    await reading;
    canaries.look('live stream', told);
    for (const page of [
      '/config?limit=1000',
      '/routes?limit=1000',
      '/routes?path=/custom',
      '/metrics',
      '/health',
      '/ready',
    ]) {
      const answer = await fetch(stack.gatewayStatusUrl + page);
      expect([page, answer.status]).toEqual([page, 200]);
      canaries.look(`gateway page ${page}`, await answer.text());
    }
    expect(canaries.leaks('traffic')).toEqual([]);
    expect(canaries.leaks('live stream')).toEqual([]);
    expect(canaries.leaks('gateway page')).toEqual([]);
    const called = sent().map((field) => /^plugins (\w+)/.exec(field)?.[1]);
    expect(called).toEqual(
      expect.arrayContaining(['ai_proxy', 'apm_vendor', 'audit_event_stream', 'http_log', 'oauth2']),
    );
  });

  it('is in no refusal of an AI provider that repeats what it was sent', () => {
    expect(canaries.leaks('AI traffic')).toEqual([]);
  });

  it('is in no export, comparison, import, snapshot or roll-back, and in nothing that the command line prints', async () => {
    const { yaml, wrong } = await useBundles({ admin: tenant(), canaries }, records);
    expect(wrong).toEqual([]);
    expect(canaries.leaks('bundle')).toEqual([]);
    const user = records.find(({ name }) => name === 'users');
    const password = String(user?.body['password']);
    const file = stack.folder.join('bundle.yaml');
    await writeFile(file, yaml);
    const login = ['--api-url', stack.adminUrl, 'login', '--tenant-id', 'acme', '--username', 'kim', '--password'];
    const runs = [
      [...login, `${password}-wrong`],
      [...login, password],
      ...entityFamilies
        .filter(({ name }) => records.some((record) => record.name.split(' ')[0] === name))
        .map(({ name, scope }) => [
          'get',
          name,
          '-o',
          'json',
          ...(scope === 'gateway' ? ['--gateway-id', 'edge'] : []),
        ]),
      ...[['export'], ['export', '-o', 'yaml'], ['validate', file], ['diff', file], ['sync', file], ['import', file]],
    ];
    for (const run of runs) {
      const { stdout, stderr } = await stack.gwctl(...run);
      const name = run.filter((argument) => !argument.includes(password)).join(' ');
      canaries.look(`gwctl ${name}`, stdout + stderr);
    }
    canaries.look('gwctl: its own file', await readFile(stack.folder.join('gwctl.json'), 'utf8'));
    expect(canaries.leaks('gwctl')).toEqual([]);
  });

  it('is in no answer about sessions, and in none of what a gateway leaves when it is killed', async () => {
    const user = records.find(({ name }) => name === 'users');
    const anonymous = adminWith(stack.adminUrl, undefined);
    const password = user?.body['password'];
    for (const credentials of [
      { username: 'kim', password, tenant_id: 'acme' },
      { username: password, password: [password] },
    ]) {
      look(canaries, 'answers about sessions', await anonymous.call('POST', '/auth/login', credentials));
    }
    expect(canaries.leaks('answers about sessions')).toEqual([]);
    await stack.gateway().kill('SIGKILL');
    canaries.look('log of the killed gateway', stack.gateway().stdout() + stack.gateway().stderr());
    const cache = stack.folder.join('gateway-cache');
    const files = await readdir(cache, { recursive: true, withFileTypes: true });
    for (const one of files.filter((entry) => entry.isFile())) {
      canaries.look(`cache file ${one.name}`, await readFile(`${one.parentPath}/${one.name}`));
    }
    expect(canaries.leaks('cache file')).toEqual([]);
    expect(canaries.leaks('log of the killed gateway')).toEqual([]);
    await stack.startGateway(node, { PORTCULLIS_LOG_LEVEL: 'debug' });
  });

  it('is in no answer to a read', async () => {
    const description = (await stack.admin.call('GET', '/openapi.json')).body;
    const idsIn = (collection: string): readonly string[] =>
      records.filter((record) => record.collection === collection).map(({ id }) => id);
    const snapshot = await done('POST', '/config/snapshots', {});
    const spec = { openapi: '3.1.0', info: { title: 'Echo', version: '1' }, paths: {} };
    const version = await done('POST', '/gateways/edge/services/echo/versions', { version: '1', spec });
    const unanswered = await readEverything({ admin: stack.admin, canaries }, description, {
      ...others,
      tenant_id: ['acme'],
      gateway_id: ['edge'],
      service_id: ['echo'],
      service_id_or_name: ['echo'],
      consumer_id: ['acme'],
      plugin_package_id: [customPackage.name, 'ai_proxy'],
      user_id: idsIn('/users'),
      vault_id: idsIn('/vaults'),
      cache_store_config_id: idsIn('/cache-store-configs'),
      consumer_credential_id: idsIn('/consumer-credentials'),
      integration_id: idsIn('/integrations'),
      plugin_id: idsIn('/plugins'),
      certificate_id: idsIn('/gateways/edge/certificates'),
      route_id: idsIn('/gateways/edge/routes'),
      snapshot_id: [snapshot.id],
      version_id: [version.id],
    });
    // A page's own files, and one request.
    expect(unanswered).toEqual(['/docs/{file_name}', '/api/v1/admin/observability/requests/{request_id}']);
    expect(canaries.leaks('read ')).toEqual([]);
  });

  it('is in no log of either process', () => {
    for (const [name, { stdout, stderr }] of [
      ['control plane', stack.controlPlane()],
      ['gateway', stack.gateway()],
    ] as const) {
      canaries.look(`log of the ${name}`, stdout() + stderr());
      expect(canaries.leaks(`log of the ${name}`)).toEqual([]);
    }
  });

  it('is in no database file, its log and its backup', async () => {
    const files = (await readdir(stack.folder.path)).filter((name) => name.startsWith('portcullis.db'));
    expect(files).toContain('portcullis.db-wal');
    const database = new DatabaseSync(stack.folder.join('portcullis.db'), { readOnly: true });
    await backup(database, stack.folder.join('portcullis.db-backup'));
    database.close();
    for (const name of [...files, 'portcullis.db-backup']) {
      canaries.look(`database file ${name}`, await readFile(stack.folder.join(name)));
    }
    expect(canaries.leaks('database file')).toEqual([]);
  });
});

/** The field of what was found, without the form. */
function fieldOf(found: string): string {
  return found.replace(/ \([^()]*\)$/, '');
}
