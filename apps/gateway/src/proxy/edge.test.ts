import { connect } from 'node:net';
import { eventually, startUpstream, type RecordedRequest } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { everythingTo, exchangeRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';

/** Sends a request with these header lines and gives what the upstream saw of it. */
async function forwarded(
  lines: readonly string[],
  env: Readonly<Record<string, string>> = {},
  route: Record<string, unknown> = {},
): Promise<RecordedRequest> {
  await using upstream = await startUpstream();
  await using gateway = await startTestGateway(everythingTo(upstream.url, route), env);
  await exchangeRaw(gateway.port, `GET /p HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  const [request] = upstream.requests;
  if (request === undefined) throw new Error('the upstream saw no request');
  return request;
}

describe('headers to the upstream', () => {
  it('leaves out hop-by-hop fields, those that Connection names, and names with an underscore', async () => {
    const { headers } = await forwarded([
      'Host: a.test',
      ...['Keep-Alive: timeout=9', 'Proxy-Connection: x', 'TE: trailers', 'Trailer: x', 'Proxy-Authorization: x'],
      ...['Proxy: http://evil.test', 'Connection: x-private, keep-alive', 'X-Private: 1', 'X_Forwarded_For: 6.6.6.6'],
      ...['Upgrade: h2c', 'Accept: text/plain', 'X-Twice: 1', 'X-Twice: 2'],
    ]);
    const dropped = ['keep-alive', 'proxy-connection', 'te', 'trailer', 'proxy-authorization', 'proxy', 'x-private'];
    for (const name of [...dropped, 'x_forwarded_for', 'upgrade']) expect(headers).not.toHaveProperty(name);
    expect(headers).toMatchObject({ accept: 'text/plain', 'x-twice': '1, 2' });
  });

  it('takes no word of an untrusted peer about who its client is', async () => {
    const { headers } = await forwarded([
      'Host: shop.test:8080',
      ...['X-Forwarded-For: 6.6.6.6', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: evil.test', 'X-Forwarded-Port: 1'],
      ...['Forwarded: for=6.6.6.6', 'X-Real-IP: 6.6.6.6', 'X-Consumer-ID: root', 'X-Consumer-Username: root'],
      ...['X-Consumer-Groups: admins', 'X-Credential-Identifier: 1'],
    ]);
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'shop.test:8080',
    });
    expect(headers['x-forwarded-port']).toMatch(/^\d+$/);
    const claims = ['forwarded', 'x-real-ip', 'x-consumer-id', 'x-consumer-username', 'x-consumer-groups'];
    for (const name of [...claims, 'x-credential-identifier']) expect(headers).not.toHaveProperty(name);
  });

  it("extends a trusted peer's chain and keeps what it said, but never an identity", async () => {
    const { headers } = await forwarded(
      [
        'Host: a',
        'X-Forwarded-For: 9.9.9.9',
        'X-Forwarded-Proto: https',
        'X-Forwarded-Host: shop.test',
        'X-Consumer-ID: root',
      ],
      { PORTCULLIS_TRUSTED_PROXIES: '127.0.0.0/8' },
    );
    expect(headers).toMatchObject({
      'x-forwarded-for': '9.9.9.9, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'shop.test',
    });
    expect(headers).not.toHaveProperty('x-consumer-id');
  });

  it("sends the target's host, or the client's where the route preserves it", async () => {
    expect((await forwarded(['Host: shop.test'])).headers.host).toMatch(/^127\.0\.0\.1:\d+$/);
    expect((await forwarded(['Host: shop.test'], {}, { preserve_host: true })).headers.host).toBe('shop.test');
  });
});

describe('header conditions of routes', () => {
  it.each([
    ['x-consumer-groups', 'X-Consumer-Groups: admin'],
    ['x-consumer-groups', 'X_Consumer_Groups: admin'],
    ['x_admin', 'X_Admin: admin'],
    ['x-forwarded-proto', 'X-Forwarded-Proto: admin'],
  ])('on %s are not met by %s of a client', async (name, line) => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url, { headers: { [name]: ['admin'] } }));
    const raw = await exchangeRaw(gateway.port, `GET / HTTP/1.1\r\nHost: a\r\n${line}\r\nConnection: close\r\n\r\n`);
    expect(raw).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('malformed requests', () => {
  it.each([
    [
      'both lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    ['a signed length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na', 400],
    ['an unknown coding', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n', 501],
    ['chunked not last', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n', 400],
    ['a hidden coding', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n', 400],
    ['a bad chunk size', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n', 400],
    ['a coding in HTTP/1.0', 'POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n', 417],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['the same host twice', 'GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 400],
    ['a host that is none', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n', 400],
    ['a user in the host', 'GET / HTTP/1.1\r\nHost: u@a\r\n\r\n', 400],
    ['another absolute host', 'GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['an encoded backslash', 'GET /a%5c..%5cb HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['an encoded NUL', 'GET /a%00 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a parameter on dots', 'GET /a/..;/b HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a folded line', 'GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n', 400],
    ['a bare line feed', 'GET / HTTP/1.1\nHost: a\n\n', 400],
    ['a NUL in a field', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n', 400],
    ['101 fields', `GET / HTTP/1.1\r\nHost: a\r\n${'X: 1\r\n'.repeat(101)}\r\n`, 431],
    ['large fields', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
    ['a tunnel', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 501],
  ])('%s is refused, and nothing of the connection reaches the upstream', async (_name, text, status) => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
    const raw = await exchangeRaw(gateway.port, text + smuggled);
    expect(raw).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(raw.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1);
    expect(raw).toContain('application/problem+json');
    expect(raw).toMatch(/\r\nconnection: close\r\n/i);
    expect(upstream.requests).toEqual([]);
  });

  it('are observed, each once, whoever finds them', async () => {
    await using gateway = await startTestGateway({});
    const bytes = [
      'no request\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n',
      'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n',
    ];
    for (const text of bytes) await exchangeRaw(gateway.port, text);
    const records = await eventually(() => {
      const all = gateway.controlPlane.batches.flatMap((batch) => batch.records);
      return all.length >= bytes.length && all;
    });
    expect(records.map(({ status }) => status)).toEqual([400, 400, 417, 501]);
    expect(records.every(({ client_ip }) => client_ip.endsWith('127.0.0.1'))).toBe(true);
    expect(gateway.controlPlane.countedRequests()).toBe(bytes.length);
  });

  it('routes, shows and forwards one canonical path, whatever its spelling', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway({
      services: [{ id: 's', name: 's', url: upstream.url }],
      routes: [
        { id: 'open', name: 'open', service_id: 's', paths: ['/'], strip_path: false },
        { id: 'admin', name: 'admin', paths: ['/admin'] },
      ],
    });
    const spellings = [
      '/admin/x',
      '/%61dmin/x',
      '//admin/x',
      '/a/../admin/x',
      '/a/%2e%2e/admin/x',
      '/./admin/x',
      '/a/.././/admin',
    ];
    for (const path of spellings) {
      const raw = await exchangeRaw(gateway.port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect([path, raw.slice(9, 12)]).toEqual([path, '503']);
    }
    await exchangeRaw(gateway.port, 'GET /a/./b/..//c%2fd?q=%2e HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(upstream.requests.map(({ url }) => url)).toEqual(['/a/c%2Fd?q=%2e']);
  });

  it('answers pipelined requests in order, each by its own route', async () => {
    await using upstream = await startUpstream((req, res) => void res.end(`<${req.url}>`));
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const text = ['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');
    const raw = await exchangeRaw(gateway.port, text, (sofar) => sofar.includes('</3>'));
    expect(raw.match(/<[^>]*>/g)).toEqual(['</1>', '</2>', '</3>']);
  });
});

describe('answers', () => {
  it('leaves out hop-by-hop fields and keeps repeated ones apart', async () => {
    await using upstream = await startUpstream((_req, res) => {
      res.writeHead(200, [
        ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Connection', 'X-Private, close', 'X-Private', '1'],
        ...['Proxy-Authenticate', 'x', 'X-Kept', 'yes'],
      ]);
      res.end('ok');
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const answer = await fetch(gateway.url);
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(answer.headers.get('x-kept')).toBe('yes');
    expect([answer.headers.get('x-private'), answer.headers.get('proxy-authenticate')]).toEqual([null, null]);
  });

  it.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('%s with %i has no body, and the connection goes on', async (method, status) => {
    await using upstream = await startUpstream((_req, res) => {
      res.writeHead(status, status === 304 ? {} : { 'content-length': 5 }).end(method === 'HEAD' ? undefined : '');
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const one = (close: string): string => `${method} / HTTP/1.1\r\nHost: a\r\n${close}\r\n`;
    const raw = await exchangeRaw(gateway.port, one('') + one('Connection: close\r\n'));
    expect(raw.match(new RegExp(`HTTP/1\\.1 ${status} `, 'g'))).toHaveLength(2);
    if (status === 204) expect(raw).not.toMatch(/content-length/i);
  });

  it('keeps connections to the upstream', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    for (let index = 0; index < 10; index += 1) await (await fetch(gateway.url)).text();
    expect(upstream.connections()).toBe(1);
  });
});

describe('slow clients', () => {
  it('does not wait forever for headers', { timeout: 60_000 }, async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const raw = await new Promise<string>((resolve) => {
      const socket = connect(gateway.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\nX: '));
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    expect(raw).toMatch(/^HTTP\/1\.1 408 /);
  });
});
