import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { request } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { eventually } from '@portcullis/testkit';
import { makeAuthority } from '@portcullis/testkit/certificates';
import { describe, expect, it } from 'vitest';
import type { ServerIdentities } from '../certificates/server-identities.ts';
import {
  authority,
  clientAuthority,
  clientCertificate,
  type DescribedCall,
  identitiesOf,
  identityOf,
  serverCertificate,
  startListening,
} from './listening.test-support.ts';

const identities = identitiesOf({
  'a.test': identityOf(serverCertificate('a.test')),
  'ask.test': identityOf(serverCertificate('ask.test'), 'request'),
  'must.test': identityOf(serverCertificate('must.test'), 'require'),
});
const withNames = { identities: () => identities };

async function get(port: number, servername: string, options: object = {}): Promise<DescribedCall> {
  const sent = request({ host: '127.0.0.1', port, servername, ca: authority.pem, agent: false, ...options });
  sent.end();
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
  return JSON.parse(await text(response)) as DescribedCall;
}

/** Ends with the code of what a client was refused with. */
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: NodeJS.ErrnoException) => error.message);

async function shake(port: number, options: ConnectionOptions): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca: authority.pem, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

describe('the port for TLS', () => {
  it('speaks HTTP/1.1 and HTTP/2 under the certificate of the name that a client asks for', async () => {
    await using server = await startListening(withNames);
    expect(await get(server.tlsPort, 'A.test')).toMatchObject({
      version: '1.1',
      encrypted: true,
      serverName: 'a.test',
      peer: '127.0.0.1',
      port: server.tlsPort,
      certificates: 0,
      verified: false,
    });
    const session = connectHttp2(server.tlsUrl, { servername: 'a.test', ca: authority.pem });
    const answer = JSON.parse(await text(session.request({ ':path': '/x?y' }))) as DescribedCall;
    session.close();
    expect(answer).toMatchObject({ version: '2', target: '/x?y', serverName: 'a.test', encrypted: true });
    expect(server.refused).toEqual([]);
  });

  it('asks for client certificates where the name says so, and hands the whole chain on', async () => {
    await using server = await startListening(withNames);
    const intermediate = makeAuthority({ subject: 'Below', issuer: clientAuthority });
    const client = clientCertificate('client', intermediate);
    const shown = { cert: client.pem + intermediate.pem, key: client.keyPem };
    const stranger = clientCertificate('stranger', makeAuthority({ subject: 'Other' }));
    const strange = { cert: stranger.pem, key: stranger.keyPem };
    expect(await get(server.tlsPort, 'ask.test', shown)).toMatchObject({ certificates: 2, verified: true });
    expect(await get(server.tlsPort, 'must.test', shown)).toMatchObject({ certificates: 2, verified: true });
    expect(await get(server.tlsPort, 'ask.test', strange)).toMatchObject({ certificates: 1, verified: false });
    expect(await get(server.tlsPort, 'ask.test')).toMatchObject({ certificates: 0, verified: false });
    expect(await get(server.tlsPort, 'a.test', shown)).toMatchObject({ certificates: 0, verified: false });
    expect(await codeOf(get(server.tlsPort, 'must.test'))).toMatch(/certificate required/);
    expect(server.refused).toEqual(['ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE']);
  });

  it('resumes the sessions of a name, and never those of another one', async () => {
    await using server = await startListening(withNames);
    const client = clientCertificate('client');
    const first = await shake(server.tlsPort, { servername: 'a.test', maxVersion: 'TLSv1.2' });
    const session = first.getSession();
    first.destroy();
    const again = await shake(server.tlsPort, { servername: 'a.test', maxVersion: 'TLSv1.2', session });
    expect(again.isSessionReused()).toBe(true);
    again.destroy();
    const shown = { cert: client.pem, key: client.keyPem };
    const other = await shake(server.tlsPort, { servername: 'ask.test', maxVersion: 'TLSv1.2', session, ...shown });
    expect(other.isSessionReused()).toBe(false);
    other.destroy();
  });

  it('refuses names without a certificate, old versions and what is no TLS, and says why', async () => {
    await using server = await startListening(withNames);
    expect(await codeOf(get(server.tlsPort, 'b.test'))).toMatch(/unrecognized name/);
    expect(await codeOf(get(server.tlsPort, '', { servername: undefined }))).toMatch(/unrecognized name/);
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    expect(await codeOf(get(server.tlsPort, 'a.test', old))).toMatch(/version/);
    const plain = connectTcp(server.tlsPort, '127.0.0.1', () => plain.write(Buffer.from([0, 0, 0, 8])));
    plain.on('error', () => undefined);
    plain.resume();
    await once(plain, 'close');
    await eventually(() => server.refused.length === 4);
    expect(server.refused).toEqual([
      'unrecognized_name',
      'unrecognized_name',
      expect.stringMatching(/VERSION|PROTOCOL/),
      'other',
    ]);
  });

  it('answers plain HTTP with what is wrong', async () => {
    await using server = await startListening(withNames);
    const answer = await fetch(`http://127.0.0.1:${server.tlsPort}/`);
    expect([answer.status, answer.headers.get('x-status'), await answer.text()]).toEqual([
      400,
      '400',
      'a plain HTTP request was sent to the port for TLS',
    ]);
    expect(server.refused).toEqual(['http']);
  });

  it('refuses a name whose identity cannot be made, and goes on', async () => {
    const broken: ServerIdentities = {
      ...identities,
      find: (name) => {
        if (name === 'broken.test') throw new RangeError('a mistake of ours');
        return identities.find(name);
      },
    };
    await using server = await startListening({ identities: () => broken });
    expect(await codeOf(get(server.tlsPort, 'broken.test'))).toMatch(/internal error/);
    expect(server.refused).toEqual(['gateway_error']);
    expect(await get(server.tlsPort, 'a.test')).toMatchObject({ serverName: 'a.test' });
  });

  it('cuts handshakes that do not come to an end', async () => {
    await using server = await startListening({ ...withNames, times: { headersTimeoutMs: 200 } });
    const silent = connectTcp(server.tlsPort, '127.0.0.1', () => silent.write(Buffer.from([22, 3, 1, 0])));
    silent.resume();
    await once(silent, 'close');
    expect(server.refused).toEqual(['late']);
  });

  it('shows a new certificate to new connections, while those of before go on', async () => {
    let current = identities;
    await using server = await startListening({ identities: () => current });
    const session = connectHttp2(server.tlsUrl, { servername: 'a.test', ca: authority.pem });
    await text(session.request({ ':path': '/' }));
    const renewed = serverCertificate('a.test');
    current = identitiesOf({ 'a.test': identityOf(renewed) });
    const fresh = await shake(server.tlsPort, { servername: 'a.test' });
    expect(fresh.getPeerX509Certificate()?.raw).toEqual(Buffer.from(renewed.der));
    fresh.destroy();
    const answer = JSON.parse(await text(session.request({ ':path': '/again' }))) as DescribedCall;
    expect(answer.target).toBe('/again');
    session.close();
  });
});
