import { writeFile } from 'node:fs/promises';
import { connect as connectTcp } from 'node:net';
import { startProcess, temporaryFolder } from '@portcullis/testkit';
import { Agent, request } from 'undici';
import { describe, expect, it } from 'vitest';
import {
  authority,
  type DescribedCall,
  identitiesOf,
  identityOf,
  serverCertificate,
  startListening,
} from './listening.test-support.ts';

const identities = identitiesOf({ 'a.test': identityOf(serverCertificate('a.test')) });
const withNames = { identities: () => identities };

/** Runs a program to its end. @returns what it printed, both streams */
async function run(command: string, args: readonly string[], input?: string): Promise<string> {
  await using child = await startProcess({ command, args, ...(input !== undefined && { input }) });
  await child.exited;
  return child.stdout() + child.stderr();
}

describe('TLS', () => {
  it.each([
    ['1.2', '--http1.1', '1.1'],
    ['1.2', '--http2', '2'],
    ['1.3', '--http1.1', '1.1'],
    ['1.3', '--http2', '2'],
  ])('%s is spoken with curl %s', async (tls, flag, version) => {
    await using folder = await temporaryFolder();
    await using server = await startListening(withNames);
    const ca = folder.join('ca.pem');
    await writeFile(ca, authority.pem);
    const at = `a.test:${server.tlsPort}:127.0.0.1`;
    const versions = [`--tlsv${tls}`, '--tls-max', tls];
    const url = `https://a.test:${server.tlsPort}/curl`;
    const said = await run('curl', ['-sS', flag, ...versions, '--cacert', ca, '--resolve', at, '-d', 'hi', url]);
    const call = JSON.parse(said) as DescribedCall;
    expect(call).toMatchObject({ version, target: '/curl', body: 'hi', serverName: 'a.test', encrypted: true });
  });

  it.each([
    ['-tls1_2', 'TLSv1.2'],
    ['-tls1_3', 'TLSv1.3'],
  ])('is spoken with openssl %s, which resumes its session', async (flag, version) => {
    await using folder = await temporaryFolder();
    await using server = await startListening(withNames);
    const ca = folder.join('ca.pem');
    await writeFile(ca, authority.pem);
    const session = folder.join('session.pem');
    const place = ['-connect', `127.0.0.1:${server.tlsPort}`, '-servername', 'a.test', '-CAfile', ca];
    const get = 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
    const shake = (...more: readonly string[]): Promise<string> =>
      run('openssl', ['s_client', ...place, flag, '-alpn', 'http/1.1', '-ign_eof', ...more], get);
    const first = await shake('-sess_out', session);
    expect(first).toContain('Verify return code: 0 (ok)');
    expect(first).toContain(`New, ${version}`);
    expect(first).toContain('ALPN protocol: http/1.1');
    expect(first).toContain('"serverName":"a.test"');
    expect(await shake('-sess_in', session)).toContain(`Reused, ${version}`);
  });

  it.each([
    [true, '2'],
    [false, '1.1'],
  ])('is spoken with undici (HTTP/2: %s)', async (allowH2, version) => {
    await using server = await startListening(withNames);
    const agent = new Agent({ allowH2, connect: { ca: authority.pem, servername: 'a.test' } });
    const { body, statusCode } = await request(`${server.tlsUrl}/undici`, { dispatcher: agent });
    expect([statusCode, await body.json()]).toEqual([200, expect.objectContaining({ version, target: '/undici' })]);
    await agent.close();
  });

  it('goes on when a client leaves in the middle of a handshake', async () => {
    await using server = await startListening(withNames);
    const socket = connectTcp(server.tlsPort, '127.0.0.1', () => socket.end(Buffer.from([22, 3, 1])));
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(server.refused).toEqual(['gone']);
    const said = await run('curl', [
      '-sSk',
      '--resolve',
      `a.test:${server.tlsPort}:127.0.0.1`,
      `https://a.test:${server.tlsPort}/`,
    ]);
    expect(JSON.parse(said)).toMatchObject({ version: '2' });
  });
});
