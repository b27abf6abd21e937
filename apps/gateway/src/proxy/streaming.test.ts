import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { eventually, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { everythingTo, exchangeRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';

describe('streaming', () => {
  it("brings the upstream's headers and first chunk to the client before the answer ends", async () => {
    let finish = (): void => undefined;
    await using upstream = await startUpstream({
      stream: (_req, res) => {
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.flushHeaders();
        finish = () => {
          res.write('data: 1\n\n');
          finish = () => res.end('data: 2\n\n');
        };
      },
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const answer = await fetch(gateway.url); // Resolves with the headers: no byte of the body was sent yet.
    const reader = answer.body?.getReader();
    finish();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n');
    finish();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 2\n\n');
    expect((await reader?.read())?.done).toBe(true);
  });

  it("brings the client's first chunk to the upstream before the request ends", async () => {
    const received: string[] = [];
    await using upstream = await startUpstream({
      stream: (req, res) => {
        req.on('data', (chunk: Buffer) => received.push(chunk.toString()));
        req.on('end', () => res.end('done'));
      },
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const outgoing = request(gateway.url, { method: 'POST' });
    outgoing.write('first');
    await eventually(() => received.includes('first'));
    outgoing.end('second');
    const [answer] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream];
    answer.resume();
    await once(answer, 'end');
    expect(received).toEqual(['first', 'second']);
  });

  it('moves large bodies both ways unchanged, and holds little of them', async () => {
    const size = 48 * 1024 * 1024;
    await using upstream = await startUpstream({ stream: (req, res) => void req.pipe(res) });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const outgoing = request(gateway.url, { method: 'POST', headers: { 'content-length': size } });
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let left = size;
    const send = (): void => {
      while (left > 0) {
        left -= chunk.length;
        if (!outgoing.write(chunk)) {
          outgoing.once('drain', send);
          return;
        }
      }
      outgoing.end();
    };
    send();
    const [answer] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream];
    let received = 0;
    for await (const part of answer) received += (part as Buffer).length;
    expect(received).toBe(size);
  });

  it('stops reading from an upstream whose client reads nothing', async () => {
    let sent = 0;
    await using upstream = await startUpstream({
      stream: (_req, res) => {
        const chunk = Buffer.alloc(64 * 1024);
        const send = (): void => {
          while (!res.destroyed) {
            sent += chunk.length;
            if (!res.write(chunk)) {
              res.once('drain', send);
              return;
            }
          }
        };
        send();
      },
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const client = connect(gateway.port, '127.0.0.1');
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    let before = -1;
    await eventually(
      () => {
        const same = sent === before && sent > 0;
        before = sent;
        return same;
      },
      { intervalMs: 200 },
    );
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    client.destroy();
  });

  it('gives the upstream call up when the client leaves', async () => {
    let closed = false;
    await using upstream = await startUpstream({
      stream: (_req, res) => {
        res.on('close', () => (closed = true));
        res.writeHead(200).write('begun');
      },
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const client = connect(gateway.port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(client, 'data');
    client.destroy();
    await eventually(() => closed);
    expect(closed).toBe(true);
  });

  it('cuts the client when the upstream breaks off, so that a part is never taken for the whole', async () => {
    await using upstream = await startUpstream({
      stream: (_req, res) => {
        res.write('part');
        setImmediate(() => res.destroy());
      },
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const raw = await exchangeRaw(gateway.port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(raw).toContain('200 OK');
    expect(raw).not.toContain('\r\n0\r\n\r\n');
    await expect(fetch(gateway.url).then((answer) => answer.text())).rejects.toThrow('terminated');
  });

  it('asks for the body of a client that waits for 100 Continue, and of no other', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n';
    const asked = await exchangeRaw(gateway.port, head, (raw) => raw.endsWith('\r\n\r\n'));
    expect(asked).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    await gateway.publish(everythingTo(upstream.url, { paths: ['/elsewhere'] }));
    const refused = await exchangeRaw(gateway.port, head);
    expect(refused).toMatch(/^HTTP\/1\.1 404 .*\r\nconnection: close\r\n/is);
  });
});
