import { once } from 'node:events';
import { connect as connectTcp, type AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { eventually, freePort } from '@portcullis/testkit';
import {
  alternativeNames,
  generalName,
  makeAuthority,
  makeCertificate,
  type MadeCertificate,
} from '@portcullis/testkit/certificates';
import { describe, expect, it } from 'vitest';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';
import { startTestGateway } from '../testing/test-gateway.test-support.ts';
import { startRaw } from './streams.test-support.ts';

const authority = makeAuthority({ subject: 'CA of the tests' });
const stranger = makeAuthority({ subject: 'CA of somebody else' });

function certificateFor(name: string, issuer: MadeCertificate = authority): MadeCertificate {
  return makeCertificate({ subject: name, issuer, extensions: [alternativeNames(generalName.dns(name))] });
}

interface TlsBackend extends AsyncDisposable {
  readonly port: number;
  readonly sockets: readonly TLSSocket[];
}

/** A server in TLS that says its name, and then what it hears. */
async function startTls(name: string, options: TlsOptions = {}): Promise<TlsBackend> {
  const { pem, keyPem } = certificateFor(name);
  const sockets: TLSSocket[] = [];
  const server = createServer({ cert: pem, key: keyPem, ...options }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined); // Tests break connections.
    socket.write(`${name}: `);
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const route = (id: string, service: string, fields: object): Record<string, unknown> => ({
  id,
  name: id,
  service_id: service,
  ...fields,
});
const service = (id: string, url: string, fields: object = {}): Record<string, unknown> => ({
  id,
  name: id,
  url,
  ...fields,
});

/** The gateway's own certificate for a name. */
function shown(name: string): Pick<Resources, 'certificates' | 'snis'> {
  const { pem, keyPem } = certificateFor(name);
  return {
    certificates: [{ id: 'c1', name: 'c1', cert: pem, key: keyPem }],
    snis: [{ id: 'n1', name, certificate_id: 'c1' }],
  };
}

interface TlsClient {
  readonly socket: TLSSocket;
  readonly received: () => string;
  readonly ended: Promise<string>;
}

async function openTls(
  port: number,
  servername: string,
  options: { ALPNProtocols?: string[] } = {},
): Promise<TlsClient> {
  const socket = connect({ port, host: '127.0.0.1', servername, ca: authority.pem, ...options });
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  const ended = new Promise<string>((resolve) => {
    socket.once('end', () => resolve('end'));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
  await once(socket, 'secureConnect');
  return { socket, received: () => received, ended };
}

describe('TLS that is passed through', () => {
  it('goes untouched where its server name leads, and the rest is answered as before', async () => {
    await using one = await startTls('one.test');
    await using two = await startTls('a.two.test');
    await using gateway = await startTestGateway({
      ...shown('web.test'),
      services: [service('s1', `tcp://127.0.0.1:${one.port}`), service('s2', `tls://127.0.0.1:${two.port}`)],
      routes: [
        route('r1', 's1', { protocols: ['tls'], snis: ['one.test'] }),
        route('r2', 's2', { protocols: ['tls'], snis: ['*.two.test'] }),
      ],
    });
    for (const name of ['one.test', 'a.two.test']) {
      const client = await openTls(gateway.tlsPort, name);
      // The certificate is the backend's: the gateway has none for this name.
      expect(client.socket.getPeerCertificate().subject.CN).toBe(name);
      client.socket.end('hello');
      expect([await client.ended, client.received()]).toEqual(['end', `${name}: hello`]);
    }
    const web = await openTls(gateway.tlsPort, 'web.test', { ALPNProtocols: ['http/1.1'] });
    web.socket.write('GET / HTTP/1.1\r\nhost: web.test\r\nconnection: close\r\n\r\n');
    await web.ended;
    expect(web.received()).toContain('404');
  });
});

describe('TLS that ends at the gateway', () => {
  it.each<[string, string[] | undefined, string | false]>([
    ['without ALPN', undefined, false],
    ['that asks for a protocol of its own', ['postgresql'], 'postgresql'],
  ])('%s is carried in cleartext to where its server name leads', async (_name, protocols, agreed) => {
    const heard: string[] = [];
    await using upstream = await startRaw((socket) => {
      socket.on('data', (chunk) => heard.push(chunk.toString()));
      socket.on('end', () => socket.end('heard'));
    });
    await using gateway = await startTestGateway({
      ...shown('db.test'),
      services: [service('s1', `tcp://127.0.0.1:${upstream.port}`)],
      routes: [route('r1', 's1', { protocols: ['tcp'], snis: ['db.test'] })],
    });
    const client = await openTls(gateway.tlsPort, 'db.test', protocols && { ALPNProtocols: protocols });
    expect(client.socket.alpnProtocol).toBe(agreed);
    client.socket.end('select');
    expect([await client.ended, client.received(), heard.join('')]).toEqual(['end', 'heard', 'select']);
    const web = await openTls(gateway.tlsPort, 'db.test', { ALPNProtocols: ['http/1.1'] });
    web.socket.write('GET / HTTP/1.1\r\nhost: db.test\r\nconnection: close\r\n\r\n');
    await web.ended;
    expect(web.received()).toContain('404');
  });

  it('is reset when the upstream breaks off, so that what came does not look whole', async () => {
    await using upstream = await startRaw((socket) => {
      socket.write('half');
      socket.once('data', () => socket.resetAndDestroy());
    });
    await using gateway = await startTestGateway({
      ...shown('db.test'),
      services: [service('s1', `tcp://127.0.0.1:${upstream.port}`)],
      routes: [route('r1', 's1', { protocols: ['tcp'], snis: ['db.test'] })],
    });
    const client = await openTls(gateway.tlsPort, 'db.test');
    await eventually(() => client.received() === 'half');
    client.socket.write('x');
    expect(await client.ended).toBe('ECONNRESET');
  });
});

describe('an upstream in TLS', () => {
  const authorities = {
    ca_certificates: [
      { id: 'a1', cert: authority.pem },
      { id: 'a2', cert: stranger.pem },
    ],
  };

  const resources = (port: number, streamPort: number, fields: object): Resources => ({
    ...authorities,
    services: [service('s1', `tls://localhost:${port}`, { retries: 0, ...fields })],
    routes: [route('r1', 's1', { protocols: ['tcp'], destinations: [{ port: streamPort }] })],
  });

  it('is met with the certificate of the service, and has to be whom the service trusts', async () => {
    const own = makeCertificate({ subject: 'the gateway', issuer: authority });
    await using upstream = await startTls('localhost', { requestCert: true, ca: authority.pem });
    const port = await freePort();
    const trusting = { ca_certificate_ids: ['a1'], client_certificate_id: 'c9' };
    const certificates = [{ id: 'c9', name: 'own', cert: own.pem, key: own.keyPem }];
    await using _gateway = await startTestGateway(
      { ...resources(upstream.port, port, trusting), certificates },
      { PORTCULLIS_STREAM_PORTS: `${port}` },
    );
    const socket = connectTcp(port, '127.0.0.1');
    const [hello] = (await once(socket, 'data')) as [Buffer];
    expect(hello.toString()).toBe('localhost: ');
    expect(upstream.sockets[0]?.getPeerCertificate().subject.CN).toBe('the gateway');
    socket.end('ping');
    const [said] = (await once(socket, 'data')) as [Buffer];
    expect(said.toString()).toBe('ping');
  });

  it.each([
    ['whose authority is another one', ['a2']],
    ['that the platform does not know', []],
  ])('%s gets no byte', async (_name, ids) => {
    await using upstream = await startTls('localhost');
    const port = await freePort();
    await using gateway = await startTestGateway(resources(upstream.port, port, { ca_certificate_ids: ids }), {
      PORTCULLIS_STREAM_PORTS: `${port}`,
    });
    const socket = connectTcp(port, '127.0.0.1', () => socket.write('secret'));
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
    expect(upstream.sockets.map(({ bytesRead }) => bytesRead)).not.toContain(6);
    await gateway.stop();
    const counters = gateway.controlPlane.batches.flatMap((batch) => batch.counters);
    expect(counters).toMatchObject([{ route_id: 'r1', requests: 1, errors_5xx: 1, statuses: [[502, 1]] }]);
  });
});

describe('ports for streams', () => {
  it('know a client by the header of the PROXY protocol, from a peer that is trusted', async () => {
    await using inside = await startRaw((socket) => socket.end('inside'));
    const port = await freePort();
    const env = { PORTCULLIS_STREAM_PORTS: `${port}`, PORTCULLIS_PROXY_PROTOCOL: 'on' };
    const resources = {
      services: [service('s1', `tcp://127.0.0.1:${inside.port}`)],
      routes: [
        route('r1', 's1', { protocols: ['tcp'], sources: [{ ip: '10.0.0.0/8' }], destinations: [{ port: 5432 }] }),
      ],
    };
    const header = 'PROXY TCP4 10.1.2.3 198.51.100.1 40000 5432\r\n';
    const askedBy = async (tell: string): Promise<string> => {
      const socket = connectTcp(port, '127.0.0.1', () => socket.write(tell));
      let said = '';
      socket.on('data', (chunk) => (said += chunk.toString()));
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('close', resolve));
      return said;
    };
    await using gateway = await startTestGateway(resources, { ...env, PORTCULLIS_TRUSTED_PROXIES: '127.0.0.1' });
    expect(await askedBy(header)).toBe('inside');
    expect(await askedBy(header.replace('10.1.2.3', '192.0.2.1'))).toBe('');
    await gateway.stop();
    await using strict = await startTestGateway(resources, env);
    expect(await askedBy(header)).toBe('');
    expect(strict.tlsPort).toBeGreaterThan(0);
  });
});
