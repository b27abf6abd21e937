import type { Socket } from 'node:net';
import { eventually, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { createEgress, type Egress } from '../egress.ts';
import { begin, startRaw } from './stream.test-support.ts';

const head = 'HTTP/1.1 200 OK\r\n';

function open(options: Parameters<typeof createEgress>[0] = {}): Egress {
  return createEgress({ allowed: [{ address: '127.0.0.0', bits: 8 }], ...options });
}

describe('a call whose answer streams', () => {
  it('sends what it is given, hears the head, each piece and the end, and keeps its connection', async () => {
    const asked: unknown[] = [];
    await using server = await startUpstream((req, res) => {
      asked.push([req.method, req.url, req.headers['x-own'], req.headers['accept-encoding'], req.headers.host]);
      res.writeHead(201, { 'X-Two': ['a', 'b'] });
      res.write('one');
      setImmediate(() => res.end('two'));
    });
    const egress = open();
    const headers = ['X-Own', '1', 'Host', 'mine', 'Content-Length', '99'];
    const first = begin(egress, { url: `${server.url}/p?q=1`, method: 'POST', headers, body: 'text' });
    expect((await first.over()).join()).toMatch(/^head 201,data one,data two,end$|^head 201,data onetwo,end$/);
    expect(first.headers.join('|')).toContain('x-two|a|x-two|b');
    const second = begin(egress, { url: server.url, method: 'PUT', body: new Uint8Array([65, 66]) });
    await second.over();
    expect(asked).toEqual([
      ['POST', '/p?q=1', '1', 'identity', `127.0.0.1:${server.port}`],
      ['PUT', '/', undefined, 'identity', `127.0.0.1:${server.port}`],
    ]);
    expect(server.requests.map(({ body }) => body.toString())).toEqual(['text', 'AB']);
    expect(server.connections()).toBe(1);
    await egress.close();
  });

  it('takes a redirect for an answer like any other', async () => {
    await using server = await startUpstream((_req, res) => void res.writeHead(302, { location: '/next' }).end());
    const egress = open();
    expect(await begin(egress, { url: server.url }).over()).toEqual(['head 302', 'end']);
    expect(server.requests).toHaveLength(1);
    await egress.close();
  });

  it('lets the server wait while its listener takes nothing, and goes on when it does', async () => {
    const total = 32 * 1024 * 1024;
    let sent = 0;
    await using server = await startRaw((socket) => {
      socket.write(`${head}content-length: ${total}\r\n\r\n`);
      const piece = Buffer.alloc(64 * 1024, 'x');
      const more = (): void => {
        while (sent < total && socket.write(piece)) sent += piece.length;
        if (sent < total) socket.once('drain', () => ((sent += piece.length), more()));
      };
      more();
    });
    const egress = open();
    const paused = begin(egress, { url: server.url });
    paused.takes = false;
    await eventually(() => paused.bytes > 0);
    let before = -1;
    await eventually(() => sent === before || ((before = sent), false), { intervalMs: 150 });
    expect(sent).toBeLessThan(total / 2);
    expect(paused.heard.filter((what) => what.startsWith('data'))).toHaveLength(1);
    paused.takes = true;
    paused.call?.resume();
    await paused.over();
    expect([paused.bytes, paused.heard.at(-1)]).toEqual([total, 'end']);
    await egress.close();
  });

  it('has no idle time while its listener takes nothing', async () => {
    await using server = await startRaw((socket) => void socket.write(`${head}\r\npart`));
    const egress = open();
    const held = begin(egress, { url: server.url, idleTimeoutMs: 80 });
    held.takes = false;
    await eventually(() => held.bytes > 0);
    const taking = begin(egress, { url: server.url, idleTimeoutMs: 160 });
    expect((await taking.over()).at(-1)).toBe('failed timeout');
    expect(held.isOver).toBe(false);
    held.takes = true;
    held.call?.resume();
    expect((await held.over()).at(-1)).toBe('failed timeout');
    await egress.close();
  });

  it('keeps what a server that closes has sent until its listener takes it', async () => {
    await using server = await startRaw((socket) => {
      socket.write(`${head}\r\nfirst`);
    });
    const egress = open();
    const paused = begin(egress, { url: server.url });
    paused.takes = false;
    await eventually(() => paused.bytes > 0);
    const [socket] = server.sockets;
    socket?.end('second');
    await eventually(() => socket?.writableFinished === true);
    paused.call?.resume();
    await eventually(() => paused.bytes === 11);
    expect(paused.isOver).toBe(false);
    paused.takes = true;
    paused.call?.resume();
    expect((await paused.over()).at(-1)).toBe('end');
    await egress.close();
  });
});

describe('a call whose answer streams ends with a failure', () => {
  it.each([
    ['no answer begins', '', { headTimeoutMs: 80 }, ['failed timeout']],
    ['a head does not end', `${head}x: `, { headTimeoutMs: 80 }, ['failed timeout']],
    ['nothing more comes', `${head}\r\npart`, { idleTimeoutMs: 80 }, ['head 200', 'data part', 'failed timeout']],
    ['the server is no web server', 'what?\r\n\r\n', {}, ['failed unreachable']],
    ['the head is too long', `${head}x: ${'y'.repeat(70_000)}\r\n\r\n`, {}, ['failed too_large']],
    ['the status is none', 'HTTP/1.1 999 No\r\n\r\n', {}, ['failed unreachable']],
    ['it is packed', `${head}content-encoding: gzip\r\n\r\nx`, {}, ['head 200', 'failed unreachable']],
  ])('when %s', async (_when, said, times, heard) => {
    await using server = await startRaw((socket) => void socket.write(said));
    const egress = open();
    expect(await begin(egress, { url: server.url, ...times }).over()).toEqual(heard);
    await eventually(() => server.sockets.every(({ destroyed }) => destroyed));
    await egress.close();
  });

  it('when the server cuts or resets it before and within its answer', async () => {
    const ends = [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()];
    await using server = await startRaw((socket, asked) => {
      if (asked.includes(' /part')) socket.write(`${head}content-length: 9\r\n\r\npart`);
      else ends[asked.includes('reset') ? 1 : 0]?.(socket);
    });
    const egress = open();
    for (const [path, end] of [
      ['cut', ends[0]],
      ['reset', ends[1]],
    ] as const) {
      expect(await begin(egress, { url: server.url + path }).over()).toEqual(['failed unreachable']);
      const part = begin(egress, { url: `${server.url}part` });
      await eventually(() => part.bytes > 0);
      for (const socket of server.sockets) if (!socket.destroyed) end?.(socket);
      expect(await part.over()).toEqual(['head 200', 'data part', 'failed unreachable']);
    }
    await egress.close();
  });

  it('when it may not be made, without a word about where to', async () => {
    await using server = await startRaw(() => undefined);
    const strict = createEgress({ lookup: async () => ['127.0.0.1'] });
    const refused = [
      { url: server.url },
      { url: `http://name.test:${server.port}/` },
      { url: 'http://169.254.169.254/' },
      { url: 'ftp://name.test/' },
      { url: 'https://user:pass@name.test/' },
      { url: server.url, method: 'CONNECT' },
      { url: server.url, method: 'A B' },
      { url: server.url, headers: ['x'] },
      { url: server.url, headers: ['x', 'a\r\nb'] },
    ];
    for (const request of refused) {
      const call = begin(strict, request);
      expect([request.url, await call.over()]).toEqual([request.url, ['failed refused']]);
      expect(call.failure?.message).not.toMatch(/127|169|name\.test|user:pass/);
    }
    expect(server.sockets).toEqual([]);
    for (const connectTimeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 3_600_001])
      expect(() => begin(strict, { url: server.url, connectTimeoutMs })).toThrow(RangeError);
    await strict.close();
    expect(await begin(strict, { url: 'https://name.test/' }).over()).toEqual(['failed unreachable']);
  });

  it('when TLS is required and the address is not listed; a listed one is called', async () => {
    await using server = await startUpstream();
    let address = '9.9.9.9';
    const egress = createEgress({ allowed: [{ address: '127.0.0.1' }], lookup: async () => [address] });
    const request = { url: `http://name.test:${server.port}/`, requiresTls: true };
    expect(await begin(egress, request).over()).toEqual(['failed refused']);
    address = '127.0.0.1';
    expect((await begin(egress, request).over())[0]).toBe('head 200');
    await egress.close();
  });
});
