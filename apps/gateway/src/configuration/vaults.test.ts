import { mkdir, writeFile } from 'node:fs/promises';
import { startUpstream, temporaryFolder } from '@portcullis/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';

const loopback = { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' };

/** Everything to one upstream, with the secret that a reference names. */
function withSecret(url: string, secretRef: string, vaults: readonly Record<string, unknown>[]): Resources {
  const plugins = [{ id: 'p1', name: 'vault_authentication', scope: 'global', config: { secret_ref: secretRef } }];
  return { ...everythingTo(url), plugins, vaults };
}

/** A server that gives each token a secret of its own. */
function startVault() {
  const secrets = new Map([['token-1', 'first']]);
  const start = startUpstream((request, response) => {
    const secret = secrets.get(String(request.headers['x-vault-token']));
    if (secret === undefined || request.url !== '/v1/secret/data/billing') response.writeHead(403).end();
    else response.end(JSON.stringify({ data: { data: { token: secret } } }));
  });
  return start.then((server) => ({ server, secrets, [Symbol.asyncDispose]: () => server.close() }));
}

const hashicorp = (address: string, token: string, more: object = {}) => ({
  id: 'v1',
  prefix: 'prod',
  driver: 'hashicorp',
  config: { address, token, mount: 'secret', kv_version: 2, ttl_seconds: 0, ...more },
});

describe('vaults of a gateway', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('give plugins their secrets, follow rotation and configuration, and are gone when the record is', async () => {
    await using upstream = await startUpstream(({ headers }, res) => void res.end(headers.authorization));
    await using vault = await startVault();
    const ref = 'vault://prod/billing/token';
    const resources = (vaults: readonly Record<string, unknown>[]) => withSecret(upstream.url, ref, vaults);
    await using gateway = await startTestGateway(resources([hashicorp(vault.server.url, 'token-1')]), loopback);
    const ask = async () => {
      const answer = await fetch(gateway.url, { headers: { authorization: 'Bearer of-the-client' } });
      return answer.status === 200 ? answer.text() : answer.status;
    };
    expect(await ask()).toBe('Bearer first');
    vault.secrets.set('token-1', 'second');
    expect(await ask()).toBe('Bearer second');
    vault.secrets.set('token-2', 'of-another-token');
    await gateway.publish(resources([hashicorp(vault.server.url, 'token-2', { ttl_seconds: 3600 })]));
    expect(await ask()).toBe('Bearer of-another-token');
    const reads = () => vault.server.requests.filter(({ method }) => method === 'GET').length;
    const asked = reads();
    await gateway.publish({
      ...resources([hashicorp(vault.server.url, 'token-2', { ttl_seconds: 3600 })]),
      consumers: [{ id: 'c1' }],
    });
    expect([await ask(), reads()]).toEqual(['Bearer of-another-token', asked]);
    await gateway.publish(resources([]));
    expect(await ask()).toBe(503);
    expect(gateway.controlPlane.acks.every(({ status }) => status === 'applied')).toBe(true);
  });

  it("read the tenant's listed variables and its files, and refuse all else", async () => {
    await using folder = await temporaryFolder();
    await mkdir(folder.join('acme'));
    await mkdir(folder.join('globex'));
    await writeFile(folder.join('acme', 'key'), 'of-a-file\n');
    await writeFile(folder.join('globex', 'key'), 'of-globex\n');
    vi.stubEnv('ACME_BILLING_KEY', 'of-a-variable');
    vi.stubEnv('GLOBEX_BILLING_KEY', 'of-globex');
    await using upstream = await startUpstream(({ headers }, res) => void res.end(headers.authorization));
    const vaults = [
      { id: 'v1', prefix: 'env', driver: 'env', config: {} },
      { id: 'v2', prefix: 'files', driver: 'file', config: {} },
    ];
    await using gateway = await startTestGateway(everythingTo(upstream.url), {
      PORTCULLIS_ENV_ALLOW: 'acme:ACME_BILLING_KEY;globex:GLOBEX_BILLING_KEY',
      PORTCULLIS_FILE_VAULT_DIR: folder.path,
    });
    const ask = async (ref: string) => {
      await gateway.publish(withSecret(upstream.url, ref, vaults));
      const answer = await fetch(gateway.url);
      return answer.status === 200 ? answer.text() : answer.status;
    };
    expect(await ask('vault://env/ACME_BILLING_KEY')).toBe('Bearer of-a-variable');
    expect(await ask('vault://files/key')).toBe('Bearer of-a-file');
    expect(await ask('vault://env/GLOBEX_BILLING_KEY')).toBe(503);
    expect(await ask('vault://env/PATH')).toBe(503);
  });

  it('are called only where the operator lets plugins call', async () => {
    await using upstream = await startUpstream((_request, res) => void res.end('served'));
    await using vault = await startVault();
    const resources = withSecret(upstream.url, 'vault://prod/billing', [hashicorp(vault.server.url, 'token-1')]);
    await using gateway = await startTestGateway(resources, { PORTCULLIS_REFUSED_ADDRESSES: '127.0.0.0/8:1' });
    expect((await fetch(gateway.url)).status).toBe(503);
    expect(vault.server.requests).toEqual([]);
  });

  it('of a kind that the gateway does not know are left out and told of, and the rest is served', async () => {
    await using upstream = await startUpstream((_request, res) => void res.end('served'));
    const vaults = [{ id: 'v1', prefix: 'cloud', driver: 'of-tomorrow', config: {} }];
    await using gateway = await startTestGateway({ ...everythingTo(upstream.url), vaults });
    expect(await (await fetch(gateway.url)).text()).toBe('served');
    expect(gateway.controlPlane.acks).toMatchObject([
      { status: 'applied', errors: [{ pointer: expect.stringMatching(/^\/resources\/vaults\/v1/) as unknown }] },
    ]);
  });
});
