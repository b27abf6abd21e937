import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { consumerOf, createNodeMiddleware } from '@portcullis/plugin-runtime/node';
import { makeCertificate, type MadeCertificate } from '@portcullis/testkit/certificates';
import { describe, expect, it } from 'vitest';
import { mtlsClientCertificateAuth } from './index.ts';
import { clientBy, intermediate, root, stranger } from './made-chains.test-support.ts';

/** What the application behind the plugin saw: who the client is, and the headers that speak of certificates. */
type Seen = Readonly<Record<string, unknown>>;

/** An application with TLS that asks for certificates and leaves it to the plugin whom to trust. */
/** @param ca whom the server itself verifies certificates with; nobody by default */
async function serve(
  trustedProxies: readonly string[] = [],
  config: object = { trusted_ca_pems: [root.pem] },
  ca?: string,
) {
  const plugins = createNodeMiddleware({
    plugins: [mtlsClientCertificateAuth.plugin],
    inline: [{ name: 'mtls_client_certificate_auth', config }],
    trustedProxies,
  });
  const own = makeCertificate({ subject: 'api.test' });
  const tls = { cert: own.pem, key: own.keyPem, ca, requestCert: true, rejectUnauthorized: false };
  const server = createServer(tls, (request, response) => {
    plugins(request, response, () => {
      const headers = Object.keys(request.headers).filter((name) => name.startsWith('x-ssl'));
      response.end(JSON.stringify({ client: consumerOf(request)?.id, headers }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await plugins.close();
    },
  };
}

async function ask(
  port: number,
  chain: readonly MadeCertificate[],
  headers: Readonly<Record<string, string>> = {},
): Promise<[number, Seen]> {
  const [leaf] = chain;
  const shown = leaf === undefined ? {} : { cert: chain.map(({ pem }) => pem).join(''), key: leaf.keyPem };
  const options = { port, host: '127.0.0.1', rejectUnauthorized: false, agent: false, headers, ...shown } as const;
  const request = httpsRequest(options).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return [response.statusCode ?? 0, JSON.parse(body) as Seen];
}

describe('mtls_client_certificate_auth on real connections', () => {
  it("takes the server's word for a certificate that the server has verified, and for no other", async () => {
    await using server = await serve([], { require_verified_header: true }, root.pem);
    const client = clientBy(root);
    expect(await ask(server.port, [client])).toEqual([200, { client: 'CN=client', headers: [] }]);
    expect((await ask(server.port, [clientBy(stranger), stranger]))[0]).toBe(401);
    expect((await ask(server.port, [], { 'x-ssl-client-verify': 'SUCCESS' }))[0]).toBe(401);
  });

  it('lets in who shows a trusted certificate in TLS, and nobody else', async () => {
    await using server = await serve();
    const forged = {
      'x-ssl-client-cert': encodeURIComponent(clientBy(root, { subject: 'admin' }).pem),
      'x-ssl-client-verify': 'SUCCESS',
    };
    expect(await ask(server.port, [clientBy(root)])).toEqual([200, { client: 'CN=client', headers: [] }]);
    expect(await ask(server.port, [clientBy(intermediate), intermediate], forged)).toEqual([
      200,
      { client: 'CN=client', headers: [] },
    ]);
    for (const chain of [[], [clientBy(stranger)], [clientBy(stranger), stranger]])
      expect((await ask(server.port, chain, forged))[0]).toBe(401);
  });

  it('believes a trusted proxy about its client, and does not take the proxy for the client', async () => {
    await using server = await serve(['127.0.0.1']);
    const proxy = clientBy(root, { subject: 'proxy' });
    const headers = { 'x-ssl-client-cert': encodeURIComponent(clientBy(root, { subject: 'behind' }).pem) };
    expect(await ask(server.port, [proxy], headers)).toEqual([
      200,
      { client: 'CN=behind', headers: ['x-ssl-client-cert'] },
    ]);
    expect((await ask(server.port, [proxy]))[0]).toBe(401);
  });
});
