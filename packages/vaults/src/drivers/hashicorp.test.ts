import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SECRET_BYTES_MAX } from '../secret-content.ts';
import { realOutbound, startVaultServer, token, type VaultServer } from '../testing/vault-server.test-support.ts';
import type { HashicorpVault } from '../vault.ts';
import { hashicorpDriver, type VaultRequest } from './hashicorp.ts';

const canary = 'canary-secret-0123456789';
const nowMs = (): number => performance.now();

describe('the hashicorp driver', () => {
  let server: VaultServer;
  beforeAll(async () => {
    server = await startVaultServer();
    server.state.secrets.set('secret/db', { user: 'u', password: canary, port: 5432, empty: '' });
    server.state.secrets.set('secret/apps/orders/token', { value: 'only' });
    server.state.secrets.set('secret/deleted', null);
    server.state.secrets.set('kv/db', { password: 'of-version-1' });
    server.state.secrets.set('team:secret/db', { password: 'of-the-team' });
    server.state.secrets.set('secret/none', {});
  });
  beforeEach(() => {
    server.state.fault = undefined;
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const vault = (config: Partial<HashicorpVault['config']> = {}): HashicorpVault => ({
    prefix: 'prod',
    driver: 'hashicorp',
    config: { address: server.upstream.url, token, mount: 'secret', kv_version: 2, ttl_seconds: 60, ...config },
  });
  const read = async (secret: string, key?: string, config: Partial<HashicorpVault['config']> = {}, waitMs?: number) =>
    (await hashicorpDriver(vault(config), { outbound: realOutbound(waitMs), monotonicMs: nowMs }).read(secret)).value(
      key,
    );

  it('reads keys of version 2 and version 1, of paths, and of a namespace', async () => {
    expect(await read('db', 'password')).toBe(canary);
    expect(await read('db', 'password', { mount: 'kv', kv_version: 1 })).toBe('of-version-1');
    expect(await read('db', 'password', { namespace: 'team' })).toBe('of-the-team');
    expect(await read('apps/orders/token', 'value')).toBe('only');
  });

  it('reads a secret without naming a key when it has one only, and below an address with a path', async () => {
    expect(await read('apps/orders/token')).toBe('only');
    const asked: VaultRequest[] = [];
    const outbound = { request: (request: VaultRequest) => Promise.reject(asked.push(request)) };
    await hashicorpDriver(vault({ address: 'https://v.test/base/' }), { outbound, monotonicMs: nowMs })
      .read('a/b')
      .catch(() => undefined);
    expect(asked).toMatchObject([
      { url: 'https://v.test/base/v1/secret/data/a/b', redirectsMax: 0, requiresTls: true },
    ]);
  });

  it.each([
    ['a secret that is not there', 'nothing', undefined, {}, 'not_found'],
    ['a secret of the other version', 'db', 'password', { mount: 'kv' } as const, 'not_found'],
    ['a deleted secret', 'deleted', undefined, {}, 'not_found'],
    ['a key that is not there', 'db', 'constructor', {}, 'not_found'],
    ['a key that holds no text', 'db', 'port', {}, 'not_found'],
    ['a key that is empty', 'db', 'empty', {}, 'not_found'],
    ['several keys without a name', 'db', undefined, {}, 'not_found'],
    ['a secret without keys', 'none', undefined, {}, 'not_found'],
    ['a wrong token', 'db', 'password', { token: 'other' }, 'denied'],
    ['an address that nobody listens at', 'db', 'password', { address: 'http://127.0.0.1:1' }, 'unavailable'],
  ])('tells %s', async (_name, secret, key, config, code) => {
    const error: unknown = await read(secret, key, config).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'VaultError', code });
    expect(String((error as Error).stack)).not.toMatch(/canary|5432|hvs\./);
  });

  it.each<[string, number, string, string]>([
    ['no', 401, '{}', 'denied'],
    ['another no', 403, '{}', 'denied'],
    ['a mistake of ours', 400, `{"errors":["${canary}"]}`, 'unavailable'],
    ['a limit', 429, '{}', 'unavailable'],
    ['a standby', 473, '{}', 'unavailable'],
    ['a failure', 500, canary, 'unavailable'],
    ['a sealed vault', 503, '{"errors":["Vault is sealed"]}', 'unavailable'],
    ['nothing', 204, '', 'unavailable'],
    ['garbage', 200, `${canary} {`, 'unavailable'],
    ['something else', 200, `{"auth":"${canary}"}`, 'unavailable'],
    ['a list', 200, '{"data":{"data":[1]}}', 'unavailable'],
    ['bytes', 200, '\ud800', 'unavailable'],
    ['too much', 200, JSON.stringify({ data: { data: { a: canary.repeat(SECRET_BYTES_MAX / 20) } } }), 'unavailable'],
  ])('tells a server that says %s (%i), and repeats nothing of it', async (_name, status, body, code) => {
    server.state.fault = (_request, response) => void response.writeHead(status).end(body);
    const error: unknown = await read('db', 'password').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'VaultError', code });
    expect(JSON.stringify([String((error as Error).stack), (error as Error).cause])).not.toContain('canary');
  });

  it('follows no redirect: the token goes to the configured address only', async () => {
    const paths: string[] = [];
    server.state.fault = ({ url }, response) => {
      paths.push(url ?? '');
      response.writeHead(307, { location: '/v1/secret/data/elsewhere' }).end();
    };
    await expect(read('db', 'password')).rejects.toMatchObject({ code: 'unavailable' });
    expect(paths).toEqual(['/v1/secret/data/db']);
  });

  it('tells a server that is silent, and one that breaks off', async () => {
    server.state.fault = () => undefined;
    await expect(read('db', 'password', {}, 50)).rejects.toMatchObject({ code: 'unavailable' });
    server.state.fault = (_request, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('{"data"');
      setImmediate(() => response.destroy());
    };
    await expect(read('db', 'password')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each([
    ['refused', 'denied'],
    ['timeout', 'unavailable'],
    ['too_large', 'unavailable'],
    ['unreachable', 'unavailable'],
  ])('tells what the way out says: %s', async (code, expected) => {
    const outbound = { request: () => Promise.reject(Object.assign(new Error(canary), { code })) };
    const error: unknown = await hashicorpDriver(vault(), { outbound, monotonicMs: nowMs })
      .read('db')
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: expected,
      isOfHost: code === 'refused',
      message: expect.not.stringContaining('canary') as unknown,
    });
  });
});
