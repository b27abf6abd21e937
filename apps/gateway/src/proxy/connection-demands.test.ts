import { startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { everythingTo, exchangeRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { ask, openWebSocket, refusedUpgrade, startSocketUpstream } from './websocket.test-support.ts';

const trusting = { PORTCULLIS_TRUSTED_PROXIES: '127.0.0.0/8' };

describe('routes that are served over TLS only', () => {
  it('answer cleartext with 426, and never reach the upstream', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url, { protocols: ['https'] }));
    const answer = await fetch(`${gateway.url}/a`);
    expect([answer.status, answer.headers.get('upgrade'), await answer.json()]).toMatchObject([
      426,
      'TLS/1.2, HTTP/1.1',
      { code: 'https_required' },
    ]);
    expect(upstream.requests).toEqual([]);
  });

  it.each([301, 302, 307, 308])('redirect with %d to the same place', async (status) => {
    await using upstream = await startUpstream();
    const route = { protocols: ['https', 'grpcs'], https_redirect_status_code: status };
    await using gateway = await startTestGateway(everythingTo(upstream.url, route));
    const head = (host: string): Promise<string> =>
      exchangeRaw(gateway.port, `GET /x/../a%2fb?q=%20 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const named = await head('Shop.test:8000');
    expect(named).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(named).toMatch(/^location: https:\/\/shop\.test\/a%2Fb\?q=%20\r$/im);
    expect(await head('[::1]:8000')).toMatch(/^location: https:\/\/\[::1\]\/a%2Fb\?q=%20\r$/im);
    const nameless = await exchangeRaw(gateway.port, 'GET /a HTTP/1.0\r\n\r\n');
    expect(nameless).toMatch(/^HTTP\/1\.[01] 426 /);
    expect(upstream.requests).toEqual([]);
  });

  it('believe a trusted peer, and nobody else, that the client came over TLS', async () => {
    await using upstream = await startUpstream();
    const resources = everythingTo(upstream.url, { protocols: ['https'] });
    const status = async (url: string, proto: string): Promise<number> =>
      (await fetch(url, { headers: { 'x-forwarded-proto': proto } })).status;
    await using untrusting = await startTestGateway(resources);
    expect(await status(untrusting.url, 'https')).toBe(426);
    await using gateway = await startTestGateway(resources, trusting);
    expect(await status(gateway.url, 'HTTPS')).toBe(200);
    for (const proto of ['http', 'https, http', '']) expect(await status(gateway.url, proto), proto).toBe(426);
    const twice =
      'GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n';
    expect(await exchangeRaw(gateway.port, twice)).toMatch(/^HTTP\/1\.1 426 /);
  });

  it('take both where both are listed', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url, { protocols: ['https', 'http'] }));
    expect((await fetch(gateway.url)).status).toBe(200);
  });
});

describe('routes whose protocols are others than http and https', () => {
  it.each([{ snis: ['a.test'] }, { protocols: ['tls'] }, { protocols: ['tcp', 'tls'], destinations: [{ port: 1 }] }])(
    'never match a request in cleartext: %j',
    async (fields) => {
      await using upstream = await startUpstream((_req, res) => void res.end('other'));
      const { services = [], routes = [] } = everythingTo(upstream.url, { name: 'other' });
      const asking = { id: 'asking', name: 'asking', path: '/only', priority: 1, service_id: 'service-1', ...fields };
      await using gateway = await startTestGateway({ services, routes: [asking, ...routes] });
      expect(await (await fetch(`${gateway.url}/only`)).text()).toBe('other');
    },
  );

  it.each([
    [['ws'], 426, 'websocket', 'websocket_required'],
    [['ws', 'wss'], 426, 'websocket', 'websocket_required'],
    [['wss'], 426, 'TLS/1.2, HTTP/1.1', 'https_required'],
    [['grpc'], 426, 'HTTP/2.0', 'http2_required'],
    [['grpcs'], 426, 'TLS/1.2, HTTP/1.1', 'https_required'],
    [['https', 'ws'], 426, 'TLS/1.2, HTTP/1.1', 'https_required'],
  ])('%j answer a plain request with %d and say what they want', async (protocols, status, wanted, code) => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url, { protocols }));
    const answer = await fetch(`${gateway.url}/a`, { headers: { 'content-type': 'application/grpc' } });
    expect([answer.status, answer.headers.get('upgrade'), await answer.json()]).toMatchObject([
      status,
      wanted,
      { code },
    ]);
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    [['ws'], '', 101],
    [['http'], '', 101],
    [['https', 'ws'], '', 101],
    [['wss'], '', 426],
    [['wss'], 'https', 101],
    [['https'], 'https', 101],
    [['https', 'wss'], '', 426],
    [['grpc'], '', 426],
  ])('%j, asked for an upgrade by a client that came over "%s", answer %d', async (protocols, proto, status) => {
    await using upstream = await startSocketUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url, { protocols }), trusting);
    const headers: Record<string, string> = proto === '' ? {} : { 'x-forwarded-proto': proto };
    if (status === 101) {
      const socket = await openWebSocket(gateway.url, { headers });
      expect(await ask(socket, 'taken')).toBe('taken');
      socket.terminate();
    } else expect((await refusedUpgrade(gateway.url, headers)).status).toBe(status);
  });
});

describe('a gateway that refuses encoded slashes', () => {
  it('answers them with 400 in paths, and lets them be elsewhere', async () => {
    await using upstream = await startUpstream();
    const gatewayRecord = { id: 'g', name: 'g', allow_encoded_slashes: false };
    await using gateway = await startTestGateway({ gateway: gatewayRecord, ...everythingTo(upstream.url) });
    const refused = await fetch(`${gateway.url}/a%2fb`);
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'refused_path' }]);
    expect((await fetch(`${gateway.url}/a%252fb?c=%2F`)).status).toBe(200);
    expect(upstream.requests.map(({ url }) => url)).toEqual(['/a%252fb?c=%2F']);
    await gateway.publish({ gateway: { id: 'g', name: 'g' }, ...everythingTo(upstream.url) });
    expect((await fetch(`${gateway.url}/a%2fb`)).status).toBe(200);
  });
});
