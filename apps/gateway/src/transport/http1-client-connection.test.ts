import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { BodySource } from './body-source.ts';
import { recordedClientOf, send, startRawUpstream } from './http1-client.test-support.ts';

const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

/** More than sockets take for one that does not read. */
const bytes = new Uint8Array(16 * 1024 * 1024);

/** All of it at once, whether there is room or not. */
const hasty: BodySource = {
  length: bytes.length,
  trailers: [],
  read: (sink) => {
    sink.onChunk(bytes);
    sink.onEnd();
  },
  pause: () => undefined,
  resume: () => undefined,
};

describe('a connection whose upstream answers and never reads', () => {
  it.each<[string, Uint8Array | BodySource]>([
    ['in memory', bytes],
    ['that streams', hasty],
  ])('is closed after a body %s: its bytes would stay for ever', async (_name, body) => {
    await using upstream = await startRawUpstream((socket) => void socket.pause().write(answer));
    const { client, sockets } = recordedClientOf(upstream);
    const { heard } = send(client, { method: 'PUT', body });
    await eventually(() => heard.end !== '');
    expect(heard.end).toBe('whole');
    await eventually(() => sockets.length === 1 && sockets[0]?.destroyed === true);
    client.close();
  });
});
