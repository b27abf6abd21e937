import { once } from 'node:events';
import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Agent, createServer, request as httpsRequest, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { makeAuthority, makeCertificate, type MadeCertificate } from '@portcullis/testkit/certificates';
import { describe, expect, it } from 'vitest';
import type { PluginHooks } from '../index.ts';
import { createNodeMiddleware, peerCertificatesOf, type NodeMiddlewareOptions } from '../node.ts';
import { pluginOf } from '../testing/fixtures.ts';
import { send, serve } from './node-server.test-support.ts';

const root = makeAuthority({ subject: 'root' });
const issuing = makeAuthority({ subject: 'issuing', issuer: root });
const client = makeCertificate({ subject: 'client', issuer: issuing });
const server = makeCertificate({ subject: 'server' });

/** What one request saw: subjects of the peer's chain, and whether a second question gives the same list. */
const tellChain: PluginHooks = {
  request: ({ request }) => {
    const chain = request.peerCertificates();
    const subjects = chain.map((der) => new X509Certificate(der).subject);
    return { status: 200, body: JSON.stringify({ subjects, isSame: request.peerCertificates() === chain }) };
  },
};

/** A TLS server behind a plugin, which asks for certificates and lets every client in. */
async function serveTls(
  hooks: PluginHooks,
  { requestCert = true, ...more }: Partial<NodeMiddlewareOptions> & { readonly requestCert?: boolean } = {},
) {
  const plugin = pluginOf('subject', () => hooks, { category: 'authentication', triggers: ['all'] });
  const options: NodeMiddlewareOptions = { plugins: [plugin], inline: [{ name: 'subject' }], ...more };
  const middleware = createNodeMiddleware(options);
  const chains: (readonly Uint8Array[])[] = [];
  const resumed: boolean[] = [];
  const listener = createServer(
    {
      cert: server.pem,
      key: server.keyPem,
      requestCert,
      rejectUnauthorized: false,
    },
    (request, response) => {
      chains.push(peerCertificatesOf(request));
      resumed.push((request.socket as TLSSocket).isSessionReused());
      middleware(request, response, () => response.end());
    },
  );
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    chains,
    resumed,
    port: (listener.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      listener.closeAllConnections();
      listener.close();
      await once(listener, 'close');
    },
  };
}

function shown(certificate: MadeCertificate, ...issuers: readonly MadeCertificate[]): RequestOptions {
  return { cert: [certificate, ...issuers].map(({ pem }) => pem).join(''), key: certificate.keyPem };
}

async function ask(port: number, options: RequestOptions = {}): Promise<unknown> {
  const request = httpsRequest({ port, host: '127.0.0.1', rejectUnauthorized: false, agent: false, ...options }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return JSON.parse(body);
}

describe('what plugins learn of the other end of a Node connection', () => {
  it('is the chain that it presented in TLS, its own certificate first', async () => {
    await using subject = await serveTls(tellChain);
    const isSame = true;
    expect(await ask(subject.port, shown(client, issuing))).toEqual({ subjects: ['CN=client', 'CN=issuing'], isSame });
    expect(await ask(subject.port, shown(client, issuing, root))).toEqual({
      subjects: ['CN=client', 'CN=issuing', 'CN=root'],
      isSame,
    });
    expect(await ask(subject.port, shown(server))).toEqual({ subjects: ['CN=server'], isSame });
    expect(await ask(subject.port)).toEqual({ subjects: [], isSame });
  });

  it('is read from a socket once, for all requests of the connection', async () => {
    await using subject = await serveTls(tellChain);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const _turn of [1, 2]) await ask(subject.port, { ...shown(client, issuing), agent });
    agent.destroy();
    expect(subject.chains).toHaveLength(2);
    expect(subject.chains[1]).toBe(subject.chains[0]);
    expect(subject.chains[0]).toEqual([Buffer.from(client.der), Buffer.from(issuing.der)]);
  });

  it('is its own certificate alone when it resumes a session: TLS keeps no more of it', async () => {
    await using subject = await serveTls(tellChain);
    const agent = new Agent({ maxCachedSessions: 10, maxVersion: 'TLSv1.2' });
    for (const _turn of [1, 2]) await ask(subject.port, { ...shown(client, issuing), agent, servername: 'api.test' });
    agent.destroy();
    expect(subject.resumed).toEqual([false, true]);
    expect(subject.chains[1]).toEqual([Buffer.from(client.der)]);
  });

  it('is no certificate where the server did not ask for one, or without TLS', async () => {
    await using subject = await serveTls(tellChain, { requestCert: false });
    expect(await ask(subject.port, shown(client))).toMatchObject({ subjects: [] });
    await using plain = await serve(tellChain, (_request, response) => response.end());
    expect(JSON.parse((await send(plain)).body)).toMatchObject({ subjects: [] });
  });

  it.each([
    ['nobody is trusted by default', {}, false],
    ['the peer is in a trusted range', { trustedProxies: ['127.0.0.0/8'] }, true],
    ['the peer is in no trusted range', { trustedProxies: ['10.0.0.0/8'] }, false],
  ])('is whether to trust it: %s', async (_name, options, isTrusted) => {
    const hooks: PluginHooks = {
      request: ({ request }) => ({ status: 200, body: JSON.stringify(request.isFromTrustedPeer) }),
    };
    await using subject = await serveTls(hooks, options);
    // What a client says of itself changes nothing.
    const headers = { 'x-forwarded-for': '10.0.0.1' };
    expect(await ask(subject.port, { headers })).toBe(isTrusted);
  });
});
