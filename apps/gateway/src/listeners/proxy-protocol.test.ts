import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startListening } from './listening.test-support.ts';
import { readProxyHeader } from './proxy-protocol.ts';

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

function binary(command: number, family: number, body: Buffer): Buffer {
  const fixed = Buffer.from([command, family, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([signature, fixed, body]);
}

const ipv4 = Buffer.from([192, 0, 2, 1, 198, 51, 100, 2, 0x1f, 0x90, 0x01, 0xbb]);
const ends = { peerAddress: '192.0.2.1', localAddress: '198.51.100.2', peerPort: 8080, localPort: 443 };

describe('headers of the PROXY protocol', () => {
  it.each<[string, Buffer, unknown]>([
    ['version 1', Buffer.from('PROXY TCP4 192.0.2.1 198.51.100.2 8080 443\r\n'), ends],
    ['version 1 of nobody', Buffer.from('PROXY UNKNOWN ff:: what ever\r\n'), undefined],
    ['version 2', binary(0x21, 0x11, ipv4), ends],
    [
      'version 2 with more behind the addresses',
      binary(0x21, 0x11, Buffer.concat([ipv4, Buffer.from([4, 0, 1, 0])])),
      ends,
    ],
    ['version 2 of the proxy itself', binary(0x20, 0x00, Buffer.alloc(0)), undefined],
    ['version 2 of a socket without addresses', binary(0x21, 0x31, Buffer.alloc(216)), undefined],
  ])('%s is read byte by byte as well as whole, and nothing behind it', (_name, header, expected) => {
    for (let length = 0; length < header.length; length += 1) {
      expect(readProxyHeader(header.subarray(0, length))).toBeUndefined();
    }
    const whole = readProxyHeader(Buffer.concat([header, Buffer.from('GET / HTTP/1.1')]));
    expect(whole).toEqual({ length: header.length, ends: expected });
  });

  it('names addresses of IPv6 in their short form', () => {
    const address = (last: number): Buffer => Buffer.from([0x20, 1, 0x0d, 0xb8, ...Buffer.alloc(11), last]);
    const body = Buffer.concat([address(1), address(2), Buffer.from([0, 1, 0, 2])]);
    expect(readProxyHeader(binary(0x21, 0x21, body))).toMatchObject({
      ends: { peerAddress: '2001:db8::1', localAddress: '2001:db8::2' },
    });
    expect(readProxyHeader(Buffer.from('PROXY TCP6 2001:db8::1 2001:db8::2 1 2\r\n'))).toMatchObject({
      ends: { peerAddress: '2001:db8::1' },
    });
  });

  it.each([
    ['a request', Buffer.from('GET / HTTP/1.1\r\n')],
    ['another protocol of version 1', Buffer.from('PROXY UDP4 192.0.2.1 192.0.2.2 1 2\r\n')],
    ['an address of another family', Buffer.from('PROXY TCP6 192.0.2.1 192.0.2.2 1 2\r\n')],
    ['an address in another spelling', Buffer.from('PROXY TCP4 192.0.2.01 192.0.2.2 1 2\r\n')],
    ['a port that is none', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 65536 2\r\n')],
    ['a port with a zero before it', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 01 2\r\n')],
    ['two spaces', Buffer.from('PROXY TCP4  192.0.2.1 192.0.2.2 1 2\r\n')],
    ['a line without end', Buffer.from(`PROXY UNKNOWN ${'x'.repeat(100)}`)],
    ['another version', binary(0x31, 0x11, ipv4)],
    ['another command', binary(0x22, 0x11, ipv4)],
    ['another family', binary(0x21, 0x41, ipv4)],
    ['datagrams', binary(0x21, 0x12, ipv4)],
    ['too few bytes for its addresses', binary(0x21, 0x11, ipv4.subarray(0, 11))],
    ['more bytes than any header has', binary(0x21, 0x11, Buffer.alloc(4096))],
  ])('%s is none', (_name, bytes) => {
    expect(readProxyHeader(bytes)).toBe('malformed');
  });
});

describe('a port with the PROXY protocol', () => {
  const ask = async (port: number, bytes: readonly string[]): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    for (const part of bytes) socket.write(part, 'latin1');
    await once(socket, 'close');
    return answer;
  };
  const request = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const header = 'PROXY TCP4 192.0.2.1 198.51.100.2 8080 443\r\n';

  it("takes the addresses of a proxy that is trusted, and the socket's own behind another", async () => {
    await using trusting = await startListening({ mayName: (peer) => peer === '127.0.0.1' });
    expect(await ask(trusting.port, [header, request])).toMatch(/"peer":"192\.0\.2\.1","port":443/);
    await using doubting = await startListening({ mayName: () => false });
    expect(await ask(doubting.port, [header + request])).toContain(`"peer":"127.0.0.1","port":${doubting.port}`);
  });

  it('closes connections without a header, and says nothing', async () => {
    await using server = await startListening({ mayName: () => true });
    expect(await ask(server.port, [request])).toBe('');
    expect(await ask(server.tlsPort, ['PROXY TCP4 1 2 3 4\r\n', request])).toBe('');
  });
});
