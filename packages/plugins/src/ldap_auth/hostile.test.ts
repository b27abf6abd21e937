import type { Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { noOutbound } from '@portcullis/plugin-runtime';
import { eventually, freePort } from '@portcullis/testkit';
import { alternativeNames, generalName, makeAuthority, makeCertificate } from '@portcullis/testkit/certificates';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SIGN_IN_TIMEOUT_MS, signIn } from './directory/sign-in.ts';
import { ask, ldapBench, loopback, startFakeDirectory } from './ldap-bench.test-support.ts';
import { BIND_RESPONSE, EXTENDED_RESPONSE, SEARCH_DONE, SEARCH_ENTRY } from './protocol/answers.ts';
import { ENUMERATED, SEQUENCE, element, integer, octets } from './protocol/ber.ts';
import { message } from './protocol/requests.ts';

const SET = 0x31;

/** An answer with a result code. */
function result(operation: number, code: number): Buffer {
  return element(operation, integer(code, ENUMERATED), octets(''), octets(''));
}

const bound = (id: number): Buffer => message(id, result(BIND_RESPONSE, 0));

/** Answers each thing that is asked, by turns. */
function answering(...answers: readonly Buffer[]): (socket: Socket) => void {
  return (socket) => {
    let next = 0;
    socket.on('data', () => {
      const answer = answers[next];
      next += 1;
      if (answer !== undefined) socket.write(answer);
    });
  };
}

const plain = (url: string) => ({ server_url: url, use_ssl: false, user_dn_template: 'uid={username},dc=test' });

describe('a directory that fails', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['closes at once', (socket) => socket.end()],
    ['resets', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['speaks HTTP', answering(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))],
    ['announces 4 GiB', answering(Buffer.from('3084ffffffff', 'hex'))],
    ['announces a length without end', answering(Buffer.from('3080', 'hex'))],
    ['announces 256 KiB and a bit', answering(Buffer.from('3083040001', 'hex'))],
    ['sends many small messages at once', answering(Buffer.alloc(7 * 9300, Buffer.from('30050201097300', 'hex')))],
    ['sends a message whose parts are cut', answering(Buffer.from('300c02010161ff0a010004000400', 'hex'))],
    ['sends a message without anything in it', answering(Buffer.from('3000', 'hex'))],
    ['sends a negative number', answering(Buffer.from('300c0201ff61070a010004000400', 'hex'))],
    ['sends success to something else', answering(bound(2))],
    ['sends success as another operation', answering(message(1, result(SEARCH_DONE, 0)))],
    ['says it will close', answering(message(0, result(EXTENDED_RESPONSE, 52)))],
    ['has no result code', answering(message(1, element(BIND_RESPONSE, octets('success'))))],
    ...[1, 2, 3, 8, 10, 13, 14, 51, 52, 80].map((code): [string, (socket: Socket) => void] => [
      `answers with result code ${code}`,
      answering(message(1, result(BIND_RESPONSE, code))),
    ]),
  ])('is a failure of the plugin when it %s, and no connection stays', async (_name, serve) => {
    await using directory = await startFakeDirectory(serve);
    expect(await ask(ldapBench(plain(directory.url)), 'jane', 'secret')).toBe(503);
    await eventually(() => directory.open() === 0);
    expect(directory.accepted()).toBe(1);
  });

  it.each([19, 21, 32, 34, 48, 49, 53])('refuses the client with 401 for result code %i', async (code) => {
    await using directory = await startFakeDirectory(answering(message(1, result(BIND_RESPONSE, code))));
    expect(await ask(ldapBench(plain(directory.url)), 'jane', 'secret')).toBe(401);
    await eventually(() => directory.open() === 0);
  });

  it('is a failure when nobody listens, or the operator does not allow it', async () => {
    const gone = plain(`ldap://ldap.test:${await freePort()}`);
    expect(await ask(ldapBench(gone), 'jane', 'secret')).toBe(503);
    await using directory = await startFakeDirectory(answering(bound(1)));
    expect(await ask(ldapBench(plain(directory.url), { outbound: noOutbound }), 'jane', 'secret')).toBe(503);
    expect(directory.accepted()).toBe(0);
  });

  it('is given up after its time, and when the client leaves', async () => {
    await using directory = await startFakeDirectory(() => undefined);
    const server = { host: 'ldap.test', port: directory.port, security: 'none' } as const;
    const asked = { bindName: 'cn=a', password: 'secret', attributes: [] };
    const why = (error: unknown): unknown => (error as Error).cause;
    const client = new AbortController();
    const left = signIn(server, loopback, asked, client.signal).catch(why);
    await eventually(() => directory.open() === 1);
    client.abort();
    expect(await left).toEqual(new Error('the sign-in was given up'));
    await eventually(() => directory.open() === 0);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const slow = signIn(server, loopback, asked, new AbortController().signal).catch(why);
    while (directory.open() === 0) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(SIGN_IN_TIMEOUT_MS);
    vi.useRealTimers();
    expect(await slow).toEqual(new Error('the directory takes too long'));
    await eventually(() => directory.open() === 0);
  });
});

describe('TLS', () => {
  const authority = makeAuthority();
  const names = alternativeNames(generalName.dns('ldap.test'));
  const { pem: cert, keyPem: key } = makeCertificate({ issuer: authority, extensions: [names] });
  const config = (url: string) => ({ server_url: url, user_dn_template: 'uid={username},dc=test' });
  /** Answers StartTLS with this, then speaks TLS and refuses every bind. */
  const starting = (answer: Buffer) => (socket: Socket) => {
    socket.once('data', () => {
      socket.write(answer);
      const secure = new TLSSocket(socket, { isServer: true, cert, key });
      secure.on('error', () => undefined);
      secure.on('data', () => secure.write(message(1, result(BIND_RESPONSE, 49))));
    });
  };
  const started = message(1, result(EXTENDED_RESPONSE, 0));
  // The whole process trusts it meanwhile, and other files of tests run in it afterwards.
  const trusted = getCACertificates('default');
  beforeAll(() => setDefaultCACertificates([authority.pem]));
  afterAll(() => setDefaultCACertificates(trusted));

  it('begins after the server agreed', async () => {
    await using directory = await startFakeDirectory(starting(started));
    expect(await ask(ldapBench(config(directory.url)), 'jane', 'wrong')).toBe(401);
    await eventually(() => directory.open() === 0);
  });

  it.each([
    ['a success', Buffer.concat([started, bound(1)])],
    [
      'a success but for its last octet',
      Buffer.concat([started, message(1, result(BIND_RESPONSE, 0)).subarray(0, -1)]),
    ],
    ['one octet', Buffer.concat([started, Buffer.of(SEQUENCE)])],
  ])('never begins behind %s in plain text', async (_name, answer) => {
    await using directory = await startFakeDirectory(starting(answer));
    expect(await ask(ldapBench(config(directory.url)), 'jane', 'wrong')).toBe(503);
    await eventually(() => directory.open() === 0);
  });

  it('is never done without: a server that refuses it gets no password', async () => {
    const received: Buffer[] = [];
    const refusing = answering(message(1, result(EXTENDED_RESPONSE, 2)));
    await using directory = await startFakeDirectory((socket) => {
      socket.on('data', (chunk) => received.push(chunk));
      refusing(socket);
    });
    expect(await ask(ldapBench(config(directory.url)), 'jane', 'secret')).toBe(503);
    await eventually(() => directory.open() === 0);
    expect(Buffer.concat(received).toString('latin1')).not.toMatch(/secret|jane/);
  });
});

describe('a search', () => {
  const entry = element(
    SEARCH_ENTRY,
    octets('uid=jane,dc=test'),
    element(SEQUENCE, element(SEQUENCE, octets('Mail'), element(SET, octets('a@b.test')))),
  );
  const config = (url: string) => ({ ...plain(url), upstream_headers: { 'X-Mail': 'mail' } });

  it.each([
    ['finds the entry', [message(2, entry), message(2, result(SEARCH_DONE, 0))], 200],
    ['finds nothing', [message(2, result(SEARCH_DONE, 32))], 200],
    ['is not allowed', [message(2, result(SEARCH_DONE, 50))], 200],
    ['fails', [message(2, result(SEARCH_DONE, 51))], 503],
    ['finds more than was asked for', [...Array.from({ length: 20 }, () => message(2, entry))], 503],
    ['finds something that is no entry', [message(2, element(SEARCH_ENTRY, octets('cn=x')))], 503],
  ])('that %s', async (_name, answers, status) => {
    await using directory = await startFakeDirectory(answering(bound(1), Buffer.concat(answers)));
    expect(await ask(ldapBench(config(directory.url)), 'jane', 'secret')).toBe(status);
    await eventually(() => directory.open() === 0);
  });
});
