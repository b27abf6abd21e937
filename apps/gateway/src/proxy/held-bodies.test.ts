import { eventually, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { everythingTo, openRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { bufferedBytesMax } from './held-body.ts';

describe('a route that holds requests back', () => {
  it('calls the upstream when the whole body is there, and says how long it is', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url, { request_buffering: true }));
    const client = openRaw(gateway.port);
    client.socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n');
    await (await fetch(gateway.url)).text(); // Another whole exchange: the first had its chance to go on.
    expect(upstream.requests.map(({ method }) => method)).toEqual(['GET']);
    client.socket.write('3\r\ndef\r\n0\r\n\r\n');
    const request = await eventually(() => upstream.requests[1]);
    expect([request.body.toString(), request.headers['content-length']]).toEqual(['abcdef', '6']);
    client.socket.destroy();
  });

  it('answers 413 to more than it may hold, whether that is said or not', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url, { request_buffering: true }));
    const said = openRaw(gateway.port);
    said.socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bufferedBytesMax + 1}\r\n\r\n`);
    await eventually(() => said.text().includes('body_too_large'));
    expect(said.text()).toMatch(/^HTTP\/1\.1 413 /);
    const unsaid = openRaw(gateway.port);
    unsaid.socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    const piece = `10000\r\n${'x'.repeat(0x1_00_00)}\r\n`;
    for (let bytes = 0; bytes <= bufferedBytesMax; bytes += 0x1_00_00) unsaid.socket.write(piece);
    await eventually(() => unsaid.text().includes('body_too_large'), { timeoutMs: 20_000 });
    expect(upstream.requests).toEqual([]);
    said.socket.destroy();
    unsaid.socket.destroy();
  });
});

describe('a route that holds answers back', () => {
  it('sends an answer when it is whole, and 502 in place of a part', async () => {
    let finish: (() => void) | undefined;
    let cut: (() => void) | undefined;
    await using upstream = await startUpstream({
      stream: (_req, res) => {
        res.write('first ');
        finish = () => res.end('last');
        cut = () => res.destroy();
      },
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url, { response_buffering: true }));
    const client = openRaw(gateway.port);
    client.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually(() => finish !== undefined);
    expect((await fetch(`${gateway.statusUrl}/health`)).status).toBe(200);
    expect(client.text()).toBe('');
    finish?.();
    await eventually(() => client.text().includes('last'));
    client.socket.destroy();
    cut = undefined;
    const broken = fetch(gateway.url);
    (await eventually(() => cut))();
    expect([(await broken).status, await (await broken).json()]).toMatchObject([502, { code: 'upstream_reset' }]);
  });

  it('answers 502 to more than it may hold', async () => {
    await using upstream = await startUpstream((req, res) => {
      if (req.url === '/said') res.writeHead(200, { 'content-length': bufferedBytesMax + 1 });
      res.write(Buffer.alloc(bufferedBytesMax + 1));
      res.end();
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url, { response_buffering: true }));
    for (const path of ['/said', '/unsaid']) {
      const answer = await fetch(gateway.url + path);
      expect([answer.status, await answer.json()]).toMatchObject([502, { code: 'answer_too_large' }]);
    }
  });
});
