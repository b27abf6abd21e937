import { connect as connectTcp } from 'node:net';
import { connect, constants } from 'node:http2';
import { text } from 'node:stream/consumers';
import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { http2Limits } from '../transport/http2-limits.ts';
import { startListening, type TestListener } from './listening.test-support.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
const type = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, windowUpdate: 8, continuation: 9 };
const endStream = 1;
const endHeaders = 4;

/** A frame of RFC 9113, section 4.1. */
function frame(kind: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(kind, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** `GET /` in HPACK, from the static table; `x` is its authority. */
const get = Buffer.from([0x82, 0x84, 0x86, 0x41, 1, 0x78]);
/** The same with `POST` and `content-length: 3`. */
const post = Buffer.from([0x83, 0x84, 0x86, 0x41, 1, 0x78, 0x0f, 0x0d, 1, 0x33]);

/** Says all that and waits for the end. @returns the codes of the `GOAWAY`s that came */
async function attack(server: TestListener, bytes: Iterable<Buffer>): Promise<readonly number[]> {
  const socket = connectTcp(server.port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void received.push(chunk));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(Buffer.concat([preface, frame(type.settings, 0, 0)]));
  for (const piece of bytes) {
    if (socket.destroyed) break;
    if (!socket.write(piece)) await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
  }
  await closed;
  return goaways(Buffer.concat(received));
}

function goaways(bytes: Buffer): readonly number[] {
  const codes: number[] = [];
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    if (bytes[at + 3] === type.goaway && at + 17 <= bytes.length) codes.push(bytes.readUInt32BE(at + 13));
  }
  return codes;
}

async function serves(server: TestListener): Promise<void> {
  const session = connect(server.url);
  expect(JSON.parse(await text(session.request({ ':path': '/after' })))).toMatchObject({ target: '/after' });
  session.close();
}

describe('a connection of HTTP/2 is ended, and others are served, after', () => {
  it('a head in pieces without end', async () => {
    await using server = await startListening();
    const pieces = Array.from({ length: 200 }, () =>
      frame(type.continuation, 0, 1, Buffer.from([0, 1, 0x61, 1, 0x62])),
    );
    await attack(server, [frame(type.headers, 0, 1, get), ...pieces]);
    expect(server.refused).toEqual(['frame_flood']);
    await serves(server);
  });

  it('settings of more entries than there are settings', async () => {
    await using server = await startListening();
    const entries = Buffer.concat(
      Array.from({ length: http2Limits.settingsMax + 1 }, () => Buffer.from([0, 4, 0, 0, 255, 255])),
    );
    await attack(server, [frame(type.settings, 0, 0, entries)]);
    expect(server.refused).toEqual(['protocol_error']);
    await serves(server);
  });

  it.each([
    ['pings', frame(type.ping, 0, 0, Buffer.alloc(8))],
    ['settings', frame(type.settings, 0, 0)],
  ])('%s whose answers it does not read', async (_name, one) => {
    await using server = await startListening();
    const socket = connectTcp(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(Buffer.concat([preface, frame(type.settings, 0, 0)]));
    const many = Buffer.concat(Array.from({ length: 4096 }, () => one));
    await eventually(() => {
      if (socket.writableLength < 4 * many.length) socket.write(many);
      return server.refused.length > 0;
    });
    expect(server.refused).toEqual(['frame_flood']);
    socket.destroy();
    await serves(server);
  });

  it('streams that it makes the gateway reset', async () => {
    await using server = await startListening({
      handler: (call) => {
        call.body?.read({ onChunk: () => undefined, onEnd: () => undefined, onError: () => undefined });
      },
    });
    function* bytes(): Generator<Buffer> {
      for (let id = 1; id < 8 * http2Limits.resetsAtOnceMax; id += 2) {
        // Less than was announced is a fault of the stream alone: RFC 9113, section 8.1.1.
        yield Buffer.concat([
          frame(type.headers, endHeaders, id, post),
          frame(type.data, endStream, id, Buffer.from('x')),
        ]);
      }
    }
    const codes = await attack(server, bytes());
    expect(codes.at(-1)).not.toBe(constants.NGHTTP2_NO_ERROR);
    expect(server.refused).toEqual(['frame_flood']);
  });

  it('frames that break the rules', async () => {
    await using server = await startListening();
    await attack(server, [frame(type.data, 0, 0, Buffer.from('x'))]);
    expect(server.refused).toEqual(['protocol_error']);
    await serves(server);
  });
});
