import { connect } from 'node:tls';
import { eventually, startUpstream } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { serverFor } from './certificate-index.test-support.ts';

const loopback = { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' };
const [first, second] = [serverFor(['a.test'], { serial: 0x11 }), serverFor(['a.test'], { serial: 0x22 })];
const key = 'vault://prod/tls/key';

/** The serial number of what a gateway presents, or the code with which it refuses. */
function presented(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername: 'a.test', rejectUnauthorized: false });
    socket.on('secureConnect', () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'));
  });
}

it('a key in a vault is read by the gateway, follows a renewal of both halves, and stays while the vault has none', async () => {
  await using upstream = await startUpstream((_request, response) => void response.end('served'));
  const state = { key: 'no key', status: 200 };
  await using vault = await startUpstream((_request, response) => {
    response.writeHead(state.status).end(JSON.stringify({ data: { data: { key: state.key } } }));
  });
  const config = { address: vault.url, token: 'hvs.token', mount: 'secret', kv_version: 2, ttl_seconds: 1 };
  const resources = (cert: string): Resources => ({
    ...everythingTo(upstream.url),
    vaults: [{ id: 'v1', prefix: 'prod', driver: 'hashicorp', config }],
    certificates: [{ id: 'c1', cert, key }],
    snis: [{ id: 's1', name: 'a.test', certificate_id: 'c1' }],
  });
  await using gateway = await startTestGateway(resources(first.pem), loopback);
  const mistakes = (): string[] => gateway.controlPlane.acks.at(-1)?.errors.map(({ message }) => message) ?? [];
  // What the vault has is no key: the name is refused, and nothing else.
  expect(await presented(gateway.tlsPort)).not.toBe('11');
  expect(mistakes()).toEqual(['is no private key that can be read', 'names no certificate that can be served']);
  expect((await fetch(gateway.url)).status).toBe(200);

  state.key = first.keyPem;
  await eventually(async () => (await presented(gateway.tlsPort)) === '11');
  await eventually(() => mistakes().length === 0);
  // One half is there before the other: the pair that was whole serves on.
  await gateway.publish(resources(second.pem));
  expect(mistakes()).toEqual(['is not the private key of cert']);
  expect(await presented(gateway.tlsPort)).toBe('11');
  state.key = second.keyPem;
  await eventually(async () => (await presented(gateway.tlsPort)) === '22');
  await eventually(() => mistakes().length === 0);

  state.status = 404;
  await eventually(() => mistakes().includes('the secret that it refers to is not in its vault'));
  expect(await presented(gateway.tlsPort)).toBe('22');
  await gateway.publish({ ...resources(second.pem), certificates: [] });
  expect(await presented(gateway.tlsPort)).not.toBe('22');
});
