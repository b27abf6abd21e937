import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { request, type RequestOptions } from 'node:https';
import { json } from 'node:stream/consumers';
import { startUpstream } from '@portcullis/testkit';
import { makeAuthority, makeCertificate } from '@portcullis/testkit/certificates';
import { describe, expect, it } from 'vitest';
import { serverFor } from '../certificates/certificate-index.test-support.ts';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { ask, openWebSocket, startSocketUpstream } from './websocket.test-support.ts';

const root = makeAuthority({ subject: 'Server CA' });
const clients = makeAuthority({ subject: 'Client CA' });
const server = serverFor(['a.test', 'b.test', '*.c.test'], { issuer: root });
const client = makeCertificate({ subject: 'client', issuer: clients });

/** A gateway's certificates: `b.test` lets nobody in without one of the client's. */
const certificates: Resources = {
  certificates: [{ id: 'c', cert: server.pem, key: server.keyPem }],
  ca_certificates: [{ id: 'ca', cert: clients.pem }],
  snis: [
    { id: 's1', name: '*', certificate_id: 'c' },
    {
      id: 's2',
      name: 'b.test',
      certificate_id: 'c',
      client_certificate_mode: 'require',
      client_ca_certificate_ids: ['ca'],
    },
  ],
};

/** What the upstream tells of a request, or the gateway of why there was none. */
interface Told {
  readonly code?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function get(port: number, servername: string, options: RequestOptions = {}): Promise<readonly unknown[]> {
  const headers = { host: servername };
  const sent = request({ host: '127.0.0.1', port, servername, ca: root.pem, agent: false, headers, ...options });
  sent.end();
  const [answer] = await once(sent, 'response');
  const { code, url, headers: fields } = (await json(answer)) as Told;
  return [
    answer.statusCode,
    code ?? url,
    ...(fields === undefined ? [] : [fields['x-forwarded-proto'], fields['x-forwarded-port']]),
  ];
}

/** Asks on a connection of HTTP/2 that is open. */
async function onSession(session: ClientHttp2Session): Promise<unknown> {
  const stream = session.request({ ':path': '/', ':authority': 'b.test' });
  const [fields] = (await once(stream, 'response')) as [Record<string, unknown>];
  stream.resume();
  return fields[':status'];
}

describe('server names', () => {
  it('that begin to ask for certificates, or trust others, take no request of a connection from before', async () => {
    await using upstream = await startUpstream();
    const { snis = [], ...records } = certificates;
    const [other, asking] = snis;
    const published = (name: object): Resources => ({
      ...everythingTo(upstream.url),
      ...records,
      ca_certificates: [
        { id: 'ca', cert: clients.pem },
        { id: 'ca2', cert: root.pem },
      ],
      snis: [other, { ...asking, ...name }] as NonNullable<Resources['snis']>,
    });
    const nothing = { client_certificate_mode: 'none', client_ca_certificate_ids: [] };
    await using gateway = await startTestGateway(published(nothing));
    const open = (options: object = {}): ClientHttp2Session =>
      connect(`https://127.0.0.1:${gateway.tlsPort}`, { servername: 'b.test', ca: root.pem, ...options });
    const early = open();
    expect(await onSession(early)).toBe(200);
    await gateway.publish(published({}));
    expect(await onSession(early)).toBe(421);
    const verified = open({ cert: client.pem, key: client.keyPem });
    expect(await onSession(verified)).toBe(200);
    await gateway.publish(published({ client_ca_certificate_ids: ['ca', 'ca2'] }));
    expect(await onSession(verified)).toBe(421);
    for (const session of [early, verified]) session.close();
  });

  it('whose certificate is broken still guard their requests', async () => {
    await using upstream = await startUpstream();
    const broken = {
      ...certificates,
      certificates: [...(certificates.certificates ?? []), { id: 'd', cert: 'none', key: 'none' }],
    };
    const [other, asking] = certificates.snis ?? [];
    const snis = [other, { ...asking, certificate_id: 'd' }] as NonNullable<Resources['snis']>;
    await using gateway = await startTestGateway({ ...everythingTo(upstream.url), ...broken, snis });
    expect(await get(gateway.tlsPort, 'a.test')).toMatchObject([200, '/', 'https', `${gateway.tlsPort}`]);
    expect(await get(gateway.tlsPort, 'a.test', { headers: { host: 'b.test' } })).toMatchObject([
      421,
      'misdirected_request',
    ]);
  });

  it('lead requests to routes, exact ones and wildcards, and none to those of other names', async () => {
    await using upstream = await startUpstream();
    const { services = [] } = everythingTo(upstream.url);
    const route = (id: string, snis: readonly string[]) => ({
      id,
      name: id,
      service_id: 'service-1',
      paths: [`/${id}`],
      snis,
    });
    const routes = [route('exact', ['a.test']), route('wild', ['*.c.test'])];
    await using gateway = await startTestGateway({ services, routes, ...certificates });
    const { tlsPort } = gateway;
    expect(await get(tlsPort, 'a.test', { path: '/exact/1' })).toEqual([200, '/1', 'https', `${tlsPort}`]);
    expect(await get(tlsPort, 'x.c.test', { path: '/wild/2' })).toEqual([200, '/2', 'https', `${tlsPort}`]);
    expect(await get(tlsPort, 'x.c.test', { path: '/exact' })).toMatchObject([404, 'no_route']);
    expect((await fetch(`${gateway.url}/exact`, { headers: { host: 'a.test' } })).status).toBe(404);
  });

  it('are no way round the certificate that clients of another name are asked for', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway({ ...everythingTo(upstream.url), ...certificates });
    const { tlsPort } = gateway;
    const presented = { cert: client.pem, key: client.keyPem };
    expect(await get(tlsPort, 'b.test', presented)).toEqual([200, '/', 'https', `${tlsPort}`]);
    expect(await get(tlsPort, 'a.test')).toEqual([200, '/', 'https', `${tlsPort}`]);
    expect(await get(tlsPort, 'a.test', { headers: { host: 'x.c.test' } })).toEqual([200, '/', 'https', `${tlsPort}`]);
    upstream.requests.length = 0;
    expect(await get(tlsPort, 'a.test', { headers: { host: 'B.test:8443' } })).toMatchObject([
      421,
      'misdirected_request',
    ]);
    expect(await get(tlsPort, 'b.test', { ...presented, headers: { host: 'a.test' } })).toMatchObject([
      421,
      'misdirected_request',
    ]);
    expect(upstream.requests).toEqual([]);
  });
});

it('a WebSocket over TLS goes to a service in TLS', async () => {
  await using upstream = await startSocketUpstream({ tls: { cert: server.pem, key: server.keyPem } });
  const resources = everythingTo(upstream.url, { protocols: ['wss'] }, { tls_verify: false });
  await using gateway = await startTestGateway({ ...resources, ...certificates });
  const url = `https://127.0.0.1:${gateway.tlsPort}`;
  const socket = await openWebSocket(url, { servername: 'a.test', ca: root.pem, headers: { host: 'a.test' } });
  expect(await ask(socket, 'sealed')).toBe('sealed');
  expect(upstream.requests[0]?.headers).toMatchObject({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.test' });
  socket.terminate();
});
