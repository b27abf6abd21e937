import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type TLSSocket } from 'node:tls';
import { makeAuthority, makeCertificate, type MadeCertificate } from '@portcullis/testkit/certificates';
import { describe, expect, it } from 'vitest';
import {
  authority,
  clientAuthority,
  clientCertificate,
  identitiesOf,
  identityOf,
  serverCertificate,
  startListening,
  type TestListener,
} from './listening.test-support.ts';

const identities = identitiesOf({ 'must.test': identityOf(serverCertificate('must.test'), 'require') });
const stranger = clientCertificate('stranger', makeAuthority({ subject: 'Other' }));

/** Listens with a handler that says which requests came through: none may. */
async function startGuarded(more: Parameters<typeof startListening>[0] = {}): Promise<{
  readonly server: TestListener;
  readonly seen: readonly string[];
}> {
  const seen: string[] = [];
  const server = await startListening({
    identities: () => identities,
    handler: (call) => void seen.push(call.target),
    ...more,
  });
  return { server, seen };
}

async function shake(server: TestListener, { pem, keyPem }: MadeCertificate, more: object = {}): Promise<TLSSocket> {
  const place = { host: '127.0.0.1', port: server.tlsPort, servername: 'must.test', ca: authority.pem };
  const socket = connect({ ...place, cert: pem, key: keyPem, ...more });
  await once(socket, 'secureConnect');
  return socket;
}

/** Reads to the end, which must not be a reset. */
async function readAll(socket: TLSSocket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  await once(socket, 'end');
  socket.end();
  return text;
}

const day = 86_400_000;

describe('a client whose certificate is not trusted', () => {
  it.each<[string, MadeCertificate, string]>([
    ['of another authority', stranger, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['signed by itself', makeCertificate({ subject: 'alone' }), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    [
      'that has expired',
      makeCertificate({
        subject: 'old',
        issuer: clientAuthority,
        notBefore: new Date(Date.now() - 2 * day),
        notAfter: new Date(Date.now() - day),
      }),
      'CERT_HAS_EXPIRED',
    ],
  ])('%s is told so in HTTP/1.1, and none of its requests comes through', async (_, certificate, code) => {
    const { server, seen } = await startGuarded();
    await using _server = server;
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await shake(server, certificate, { maxVersion });
      socket.write('GET /a HTTP/1.1\r\nHost: must.test\r\n\r\nGET /b HTTP/1.1\r\nHost: must.test\r\n\r\n');
      const answer = await readAll(socket);
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/);
      expect(answer).toMatch(/\r\n\r\nthe client certificate is not trusted$/);
    }
    expect([seen, server.refused]).toEqual([[], [code, code]]);
  });

  it('is told so in HTTP/2', async () => {
    const { server, seen } = await startGuarded();
    await using _server = server;
    const shown = { cert: stranger.pem, key: stranger.keyPem };
    const session = connectHttp2(server.tlsUrl, { servername: 'must.test', ca: authority.pem, ...shown });
    session.on('error', () => undefined);
    const told = once(session, 'goaway') as Promise<[number, number, Buffer]>;
    const stream = session.request({ ':path': '/a' });
    const failed = once(stream, 'error') as Promise<[Error & { code: string }]>;
    const [code, lastStream, text] = await told;
    expect([code, lastStream, text.toString()]).toEqual([12, 0, 'the client certificate is not trusted']);
    await failed.catch((error: unknown) => [error]);
    expect(seen).toEqual([]);
  });

  it('has its connection ended when it speaks another protocol than HTTP', async () => {
    const streams = {
      passesTls: false,
      passTls: () => false,
      endsTls: () => true,
      takeTerminated: () => {
        throw new Error('no route may get it');
      },
      takePlain: () => undefined,
    };
    const { server } = await startGuarded({ streams });
    await using _server = server;
    const socket = await shake(server, stranger, { ALPNProtocols: ['postgresql'] });
    expect(await readAll(socket)).toBe('');
  });

  it('is cut when it goes on after it was told', async () => {
    const { server, seen } = await startGuarded();
    await using _server = server;
    const socket = await shake(server, stranger, { allowHalfOpen: true });
    socket.on('error', () => undefined);
    socket.write('GET /a HTTP/1.1\r\nHost: must.test\r\n\r\n');
    const more = setInterval(() => socket.write('more'), 50);
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(more);
    expect(seen).toEqual([]);
  });
});
