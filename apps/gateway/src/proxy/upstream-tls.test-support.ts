import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket, TlsOptions } from 'node:tls';
import {
  alternativeNames,
  generalName,
  makeAuthority,
  makeCertificate,
  type CertificateOrder,
  type MadeCertificate,
} from '@portcullis/testkit/certificates';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';

/** Whom the tests' upstreams are vouched for by. */
export const authority: MadeCertificate = makeAuthority({ subject: 'Portcullis upstream authority' });

/** A server's certificate for `secure.test`, by that authority unless the order says else. */
export function serverCertificate(order: CertificateOrder = {}, name = 'secure.test'): MadeCertificate {
  return makeCertificate({
    subject: name,
    issuer: authority,
    extensions: [alternativeNames(generalName.dns(name))],
    ...order,
  });
}

/** An upstream in TLS. */
export interface SecureUpstream extends AsyncDisposable {
  readonly port: number;
  readonly server: Server;
  /** Of each request: the name that was asked for, and the common name of who asked. */
  readonly seen: { readonly name: string | false | null; readonly client: unknown }[];
  readonly connections: () => number;
}

/** Starts one that answers every request with `secure`. */
export async function startSecureUpstream(
  { pem, keyPem }: Pick<MadeCertificate, 'pem' | 'keyPem'>,
  options: TlsOptions = {},
): Promise<SecureUpstream> {
  const seen: { readonly name: string | false | null; readonly client: unknown }[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ cert: pem, key: keyPem, ...options }, (request, response) => {
    const socket = request.socket as TLSSocket & { readonly servername: string | false | null };
    seen.push({ name: socket.servername, client: socket.getPeerCertificate().subject?.CN });
    response.end('secure');
  });
  server.on('tlsClientError', () => undefined);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket.on('error', () => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    server,
    seen,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A route to an upstream in TLS that is called `secure.test`. */
export function securedRoute(
  port: number,
  service: Record<string, unknown> = {},
  upstream: Record<string, unknown> = {},
): Resources {
  return {
    services: [{ id: 's', name: 's', upstream_id: 'u', ca_certificate_ids: ['ca'], retries: 0, ...service }],
    upstreams: [{ id: 'u', name: 'u', protocol: 'https', host_header: 'secure.test', ...upstream }],
    targets: [{ id: 't', upstream_id: 'u', host: '127.0.0.1', port }],
    routes: [{ id: 'r', name: 'r', service_id: 's' }],
    ca_certificates: [{ id: 'ca', cert: authority.pem }],
  };
}
