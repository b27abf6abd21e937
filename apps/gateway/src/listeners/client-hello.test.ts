import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { clientHelloBytesMax, clientHelloRecordsMax, readClientHello } from './client-hello.ts';

/** The first message of a real client. */
async function helloOf(servername: string | undefined): Promise<Buffer> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const accepted = once(server, 'connection') as Promise<[NodeJS.ReadWriteStream]>;
  const client = connect({ port: (server.address() as AddressInfo).port, ...(servername && { servername }) });
  client.on('error', () => undefined);
  const [socket] = await accepted;
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  server.close();
  return bytes;
}

describe('the first message of TLS', () => {
  it('names its server, in one record or in many, and needs all of its bytes', async () => {
    const hello = await helloOf('API.example.test');
    const named = { kind: 'hello', serverName: 'api.example.test' };
    expect(readClientHello(hello)).toEqual(named);
    const message = hello.subarray(5);
    const records = Array.from({ length: Math.ceil(message.length / 50) }, (_part, at) => {
      const part = message.subarray(at * 50, at * 50 + 50);
      return Buffer.concat([Buffer.from([22, 3, 1, 0, part.length]), part]);
    });
    expect(readClientHello(Buffer.concat(records))).toEqual(named);
    for (let length = 1; length < hello.length; length += 1) {
      expect(readClientHello(hello.subarray(0, length))).toBeUndefined();
    }
  });

  it('comes in so few records that reading it is cheap', async () => {
    const message = (await helloOf('a.test')).subarray(5);
    const inRecords = (count: number): Buffer => {
      const size = Math.ceil(message.length / count);
      const parts = Array.from({ length: count }, (_part, at) => message.subarray(at * size, at * size + size));
      return Buffer.concat(
        parts.flatMap((part) => [Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part]),
      );
    };
    expect(readClientHello(inRecords(16))).toEqual({ kind: 'hello', serverName: 'a.test' });
    const drops = Buffer.from([22, 3, 1, 0, 1, 1, 22, 3, 1, 0, 1, 0, 22, 3, 1, 0, 1, 62, 22, 3, 1, 0, 1, 128]);
    const more = Array.from({ length: clientHelloRecordsMax - 4 }, () => Buffer.from([22, 3, 1, 0, 1, 0]));
    expect(readClientHello(Buffer.concat([drops, ...more.slice(1)]))).toBeUndefined();
    expect(readClientHello(Buffer.concat([drops, ...more]))).toEqual({ kind: 'malformed' });
  });

  it('need not name one', async () => {
    expect(readClientHello(await helloOf(undefined))).toEqual({ kind: 'hello', serverName: undefined });
  });

  it('is told from other protocols', () => {
    expect(readClientHello(Buffer.from('GET / HTTP/1.1\r\n'))).toEqual({ kind: 'http' });
    expect(readClientHello(Buffer.from('\0\0\0\x08'))).toEqual({ kind: 'other' });
    expect(readClientHello(Buffer.from([0x80, 0x2e, 1, 0, 2]))).toEqual({ kind: 'other' });
  });

  it('is refused where two readers might read two names, and where it is too long', async () => {
    const hello = await helloOf('a.test');
    const at = hello.indexOf('a.test', 0, 'latin1');
    const extension = hello.subarray(at - 9, at + 6);
    const doubled = withExtensions(hello, extension);
    expect(readClientHello(doubled)).toEqual({ kind: 'malformed' });
    const spaced = Buffer.from(hello);
    spaced[at + 1] = 0;
    expect(readClientHello(spaced)).toEqual({ kind: 'malformed' });
    const long = Buffer.from([22, 3, 1, 0x40, 0, 1, 0, (clientHelloBytesMax >> 8) + 1, 0]);
    expect(readClientHello(long)).toEqual({ kind: 'malformed' });
    expect(readClientHello(Buffer.from([22, 3, 1, 0, 4, 2, 0, 0, 0]))).toEqual({ kind: 'malformed' });
    expect(readClientHello(Buffer.from([22, 2, 0, 0, 4, 1, 0, 0, 0]))).toEqual({ kind: 'malformed' });
  });

  it('never makes the reader fail, whatever byte is changed', async () => {
    const hello = await helloOf('a.test');
    for (let at = 0; at < hello.length; at += 1) {
      const changed = Buffer.from(hello);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      expect(['hello', 'other', 'malformed', undefined]).toContain(readClientHello(changed)?.kind);
    }
  });
});

/** A hello with one more extension at its end, all lengths put right. */
function withExtensions(hello: Buffer, extension: Buffer): Buffer {
  const longer = Buffer.concat([hello, extension]);
  longer.writeUInt16BE(hello.readUInt16BE(3) + extension.length, 3);
  longer.writeUIntBE(hello.readUIntBE(6, 3) + extension.length, 6, 3);
  let at = 5 + 4 + 2 + 32;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  longer.writeUInt16BE(hello.readUInt16BE(at) + extension.length, at);
  return longer;
}
