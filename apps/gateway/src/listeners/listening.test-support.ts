import { createSecureContext } from 'node:tls';
import {
  alternativeNames,
  generalName,
  makeAuthority,
  makeCertificate,
  type MadeCertificate,
} from '@portcullis/testkit/certificates';
import type { ClientCertificateMode, ServerIdentities, ServerIdentity } from '../certificates/server-identities.ts';
import type { ServerCall, ServerTransport } from '../transport/server-transport.ts';
import { listenNode, type ListenOptions } from './listen-node.ts';

/** An authority that signs the servers of tests, and one whose clients they trust. */
export const authority: MadeCertificate = makeAuthority({ subject: 'Server CA' });
export const clientAuthority: MadeCertificate = makeAuthority({ subject: 'Client CA' });

/** A certificate for DNS names, and 127.0.0.1, signed by {@link authority}. */
export function serverCertificate(...names: readonly string[]): MadeCertificate {
  const alternatives = [...names.map(generalName.dns), generalName.ip(127, 0, 0, 1)];
  return makeCertificate({
    subject: names[0] ?? 'server',
    issuer: authority,
    extensions: [alternativeNames(...alternatives)],
  });
}

/** A client's certificate. */
export function clientCertificate(subject: string, issuer: MadeCertificate = clientAuthority): MadeCertificate {
  return makeCertificate({ subject, issuer });
}

/** An identity as the configuration would make it. */
export function identityOf(certificate: MadeCertificate, mode: ClientCertificateMode = 'none'): ServerIdentity {
  const secureContext = createSecureContext({
    cert: certificate.pem,
    key: certificate.keyPem,
    ca: mode === 'none' ? [] : [clientAuthority.pem],
    minVersion: 'TLSv1.2',
    sessionIdContext: 'tests',
  });
  return { secureContext, clientCertificateMode: mode, asks: mode === 'none' ? '' : mode };
}

/** Identities by exact name; `*` is for any. */
export function identitiesOf(byName: Readonly<Record<string, ServerIdentity>>): ServerIdentities {
  const names = new Map(Object.entries(byName));
  return {
    find: (name) => names.get(name ?? '*') ?? names.get('*'),
    asksForCertificates: true,
    asksOf: (name) => (names.get(name) ?? names.get('*'))?.asks,
  };
}

/** A listener that answers with what the handler makes of each call. */
export interface TestListener extends ServerTransport, AsyncDisposable {
  readonly url: string;
  readonly tlsUrl: string;
  /** Why connections came to nothing. */
  readonly refused: readonly string[];
}

/** Listens on free ports. Without a handler, each call is answered with what is known of it. */
export async function startListening(options: Partial<ListenOptions> = {}): Promise<TestListener> {
  const refused: string[] = [];
  const server = await listenNode({
    host: '127.0.0.1',
    port: 0,
    tlsPort: 0,
    handler: describeCall,
    malformedAnswer: ({ status, detail }) => ({ headers: ['x-status', `${status}`], body: detail }),
    refusals: {
      full: (bound, peerAddress) => void refused.push(`${bound} ${peerAddress}`),
      tls: (code) => void refused.push(code),
      http2: (reason) => void refused.push(reason),
      reset: () => undefined,
    },
    ...options,
    times: { idleGraceMs: 20, ...options.times },
  });
  return {
    ...server,
    url: `http://127.0.0.1:${server.port}`,
    tlsUrl: `https://127.0.0.1:${server.tlsPort}`,
    refused,
    [Symbol.asyncDispose]: async () => {
      server.destroy();
      await server.stop();
    },
  };
}

/** What {@link startListening} answers with. */
export interface DescribedCall {
  readonly version: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly peer: string;
  readonly port: number;
  readonly encrypted: boolean;
  readonly serverName: string | null;
  readonly certificates: number;
  readonly verified: boolean;
  readonly body: string;
  readonly trailers: readonly string[];
}

/** Reads the body, then answers with all that is known of a call. */
export function describeCall(call: ServerCall): void {
  const { connection } = call;
  call.observe({ onDrain: () => undefined, onAborted: () => undefined, onClosed: () => undefined });
  let body = '';
  const answer = (): void => {
    const described: DescribedCall = {
      version: call.httpVersion,
      method: call.method,
      target: call.target,
      headers: call.headers,
      peer: connection.peerAddress,
      port: connection.localPort,
      encrypted: connection.encrypted,
      serverName: connection.serverName ?? null,
      certificates: connection.clientCertificates().length,
      verified: connection.isClientVerified,
      body,
      trailers: call.body?.trailers ?? [],
    };
    call.respond(200, ['content-type', 'application/json'], JSON.stringify(described), false);
  };
  if (call.body === undefined) answer();
  else
    call.body.read({
      onChunk: (chunk) => (body += Buffer.from(chunk).toString('utf8')),
      onEnd: answer,
      onError: () => call.abort(),
    });
}
