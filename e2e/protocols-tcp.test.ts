import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { eventually, freePort } from '@portcullis/testkit';
import { Client, type ClientConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram, startProtocolStack, type GatewayNode, type ProtocolStack } from './support/protocol-stack.ts';

const POSTGRES_URL = process.env['PORTCULLIS_TEST_POSTGRES_URL'];
const database = new URL(POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres');

/** Connections that a client may have, where there is a bound. */
const perAddress = 3;

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const ends = Buffer.from([192, 0, 2, 7, 198, 51, 100, 2, 0x1f, 0x90, 0x01, 0xbb]);

/** A header of version 2. */
function binary(command: number, family: number, body: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length);
  return Buffer.concat([signature, Buffer.from([command, family]), length, body]);
}

const line = (address: string): string => `PROXY TCP4 ${address} 198.51.100.2 8080 443\r\n`;

describe('connections that a real gateway carries', () => {
  let protocols: ProtocolStack;
  /** Two workers; takes connections as they come. */
  let node: GatewayNode;
  /** Stands behind a proxy. */
  let behind: GatewayNode;
  let streamPort: number;
  let behindPort: number;
  const servers: Server[] = [];

  async function listening(server: Server): Promise<number> {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  beforeAll(async () => {
    protocols = await startProtocolStack();
    [streamPort, behindPort] = [await freePort(), await freePort()];
    const { create, certify, present, stack } = protocols;
    const { pem: cert, keyPem: key } = certify(['passed.test']);
    const passed = await listening(createTlsServer({ cert, key }, (socket) => socket.end('the service itself\n')));
    const greeting = await listening(createTcpServer((socket) => socket.end('come in\n')));
    await Promise.all([
      present(certify(['db.test']), ['db.test']),
      present(certify(['web.test']), ['web.test']),
      create('services', { name: 'db', url: `tcp://${database.hostname}:${database.port || 5432}` }),
      create('services', { name: 'passed', url: `tls://127.0.0.1:${passed}` }),
      create('services', { name: 'greeting', url: `tcp://127.0.0.1:${greeting}` }),
      create('services', { name: 'echo', url: stack.upstream.url }),
    ]);
    const tcp = { protocols: ['tcp'] };
    const sources = [{ ip: '192.0.2.0/24' }];
    await Promise.all([
      create('routes', { name: 'echo', path: '/', service_name: 'echo' }),
      create('routes', { name: 'db', ...tcp, destinations: [{ port: streamPort }], service_name: 'db' }),
      create('routes', { name: 'db-tls', ...tcp, snis: ['db.test'], service_name: 'db' }),
      create('routes', { name: 'passed', protocols: ['tls'], snis: ['passed.test'], service_name: 'passed' }),
      create('routes', { name: 'greeting', ...tcp, sources, service_name: 'greeting' }),
    ]);
    [node, behind] = await Promise.all([
      protocols.startNode({ PORTCULLIS_WORKERS: '2', PORTCULLIS_STREAM_PORTS: `${streamPort}` }),
      protocols.startNode({
        PORTCULLIS_STREAM_PORTS: `${behindPort}`,
        PORTCULLIS_PROXY_PROTOCOL: 'on',
        PORTCULLIS_TRUSTED_PROXIES: '127.0.0.1',
        PORTCULLIS_CONNECTIONS_PER_ADDRESS: `${perAddress}`,
      }),
    ]);
  });

  afterAll(async () => {
    for (const server of servers) server.close();
    await protocols[Symbol.asyncDispose]();
  });

  describe.skipIf(POSTGRES_URL === undefined)('of PostgreSQL (PORTCULLIS_TEST_POSTGRES_URL)', () => {
    async function session(place: ClientConfig): Promise<Client> {
      const client = new Client({
        user: decodeURIComponent(database.username),
        password: decodeURIComponent(database.password),
        database: database.pathname.slice(1),
        host: '127.0.0.1',
        ...place,
      });
      client.on('error', () => undefined); // A session that is cut says so at its next query.
      await client.connect();
      return client;
    }

    /** A large answer, and a transaction. */
    async function use(client: Client): Promise<readonly unknown[]> {
      const large = await client.query("SELECT repeat('x', 1000) AS text FROM generate_series(1, 5000)");
      await client.query('BEGIN');
      await client.query('CREATE TEMP TABLE seen (n int)');
      await client.query('INSERT INTO seen VALUES (7)');
      const { rows } = await client.query('SELECT n FROM seen');
      await client.query('ROLLBACK');
      return [large.rows.length, ...rows];
    }

    it('hold sessions in both workers; one that is killed takes no more than its own with it', async () => {
      const sessions = await Promise.all(Array.from({ length: 8 }, () => session({ port: streamPort })));
      expect(await Promise.all(sessions.map(use))).toEqual(sessions.map(() => [5000, { n: 7 }]));
      expect(await node.metric('gateway_stream_connections_open')).toBe(8);
      const { said } = await runProgram('ps', ['-o', 'pid=', '--ppid', `${node.process.pid}`]);
      const [worker] = said.trim().split(/\s+/).map(Number);
      process.kill(worker ?? 0, 'SIGKILL');
      const left = await eventually(async () => {
        const alive = await Promise.all(
          sessions.map((one) =>
            one.query('SELECT 1').then(
              () => true,
              () => false,
            ),
          ),
        );
        const count = alive.filter(Boolean).length;
        return count < sessions.length && count;
      });
      expect(left).toBeGreaterThan(0);
      const again = await eventually(() => session({ port: streamPort }));
      expect(await use(again)).toEqual([5000, { n: 7 }]);
      await Promise.all([...sessions, again].map((one) => one.end().catch(() => undefined)));
      // What the killed worker had counted is lost with it, and what is told of the others adds up.
      await eventually(async () => (await node.metric('gateway_stream_connections_open')) === 0);
      expect(await node.metric('gateway_stream_connections_total', 'status_class="2xx"')).toBe(left + 1);
    });

    it('are carried out of TLS that ends at the gateway, with the ALPN of PostgreSQL', async () => {
      const ssl = { ca: protocols.authority.pem, servername: 'db.test' };
      const client = await session({ port: node.tlsPort, ssl, sslnegotiation: 'direct' });
      expect(await use(client)).toEqual([5000, { n: 7 }]);
      await client.end();
    });
  });

  it('in TLS are passed through by their server name, and the others end at the gateway', async () => {
    const shake = (name: string) =>
      runProgram('openssl', ['s_client', '-connect', `127.0.0.1:${node.tlsPort}`, '-servername', name, '-ign_eof'], '');
    const { said } = await shake('passed.test');
    expect(said).toMatch(/subject=CN = passed\.test\n/);
    expect(said).toContain('the service itself');
    const ended = await runProgram(
      'openssl',
      ['s_client', '-connect', `127.0.0.1:${node.tlsPort}`, '-servername', 'web.test'],
      '',
    );
    expect(ended.said).toMatch(/subject=CN = web\.test\n/);
  });

  const get = 'GET /who HTTP/1.1\r\nHost: web.test\r\nConnection: close\r\n\r\n';

  /** Opens a connection that begins with some bytes. */
  function open(port: number, ...bytes: readonly (string | Buffer)[]): Socket {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    for (const part of bytes) socket.write(part);
    return socket;
  }

  /** What comes back until the end. */
  async function said(socket: Socket): Promise<string> {
    let all = '';
    socket.on('data', (chunk: Buffer) => (all += chunk.toString('latin1')));
    await new Promise((resolve) => socket.once('close', resolve));
    return all;
  }

  describe('behind a proxy that speaks its protocol', () => {
    it.each([
      ['version 1', line('192.0.2.7')],
      ['version 2', binary(0x21, 0x11, ends)],
    ])('are those of whom %s names, in cleartext, in TLS and byte by byte', async (_, header) => {
      expect(await said(open(behind.port, header, get))).toContain('"x-forwarded-for":"192.0.2.7"');
      const carrier = open(behind.tlsPort, header);
      const trust = { ca: protocols.authority.pem, servername: 'web.test', ALPNProtocols: ['http/1.1'] };
      const secure = connectTls({ socket: carrier, ...trust });
      secure.write(get);
      expect(await text(secure)).toContain('"x-forwarded-for":"192.0.2.7"');
      expect(await said(open(behindPort, header))).toBe('come in\n');
    });

    it("are the proxy's own where it names nobody, as curl knows it too", async () => {
      expect(await said(open(behind.port, binary(0x20, 0x00, Buffer.alloc(0)), get))).toContain(
        '"x-forwarded-for":"127.0.0.1"',
      );
      const curl = await runProgram('curl', ['-sS', '--haproxy-protocol', `${behind.url}/who`]);
      expect(JSON.parse(curl.said)).toMatchObject({ headers: { 'x-forwarded-for': '127.0.0.1' } });
      // No route takes the proxy itself.
      expect(await said(open(behindPort, binary(0x20, 0x00, Buffer.alloc(0))))).toBe('');
    });

    it.each<[string, string | Buffer]>([
      ['no header', ''],
      ['a line that is too long', `PROXY TCP4 ${'1'.repeat(120)}`],
      ['an address that is none', 'PROXY TCP4 192.0.2.256 198.51.100.2 8080 443\r\n'],
      ['a family that is another', 'PROXY TCP6 192.0.2.7 198.51.100.2 8080 443\r\n'],
      ['a port beyond all ports', 'PROXY TCP4 192.0.2.7 198.51.100.2 65536 443\r\n'],
      ['a version that nobody knows', binary(0x31, 0x11, ends)],
      ['fewer bytes than its addresses', binary(0x21, 0x11, ends.subarray(0, 11))],
      ['datagrams', binary(0x21, 0x12, ends)],
      ['a length beyond the bound', binary(0x21, 0x11, Buffer.alloc(5000))],
      ['half of a signature', signature.subarray(0, 6)],
    ])('are closed without a word when they begin with %s', async (_, header) => {
      protocols.stack.upstream.requests.length = 0;
      for (const port of [behind.port, behind.tlsPort, behindPort]) {
        expect(await said(open(port, header, get))).toBe('');
      }
      expect(protocols.stack.upstream.requests).toEqual([]);
    });

    it('are refused when one client has as many as it may have, and no other client is', async () => {
      const keepAlive = get.replace('Connection: close\r\n', '');
      const header = line('192.0.2.9');
      const held: Socket[] = [];
      for (let at = 0; at < perAddress + 4; at += 1) {
        const socket = open(behind.port, header, keepAlive);
        // What is refused may be reset before it is closed.
        await new Promise((resolve) => socket.once('data', resolve).on('error', resolve).once('close', resolve));
        held.push(socket);
      }
      const isOpen = ({ destroyed }: Socket): boolean => !destroyed;
      expect(held.filter(isOpen)).toHaveLength(perAddress);
      expect(await behind.metric('gateway_connections_refused_total', 'reason="address"')).toBe(4);
      expect(await said(open(behind.port, line('192.0.2.10'), get))).toContain('200 OK');
      for (const socket of held) socket.destroy();
      await eventually(async () => (await said(open(behind.port, header, get))).includes('200 OK'));
    });
  });
});
