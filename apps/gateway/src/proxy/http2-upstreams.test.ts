import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { eventually } from '@portcullis/testkit';
import { describe, expect, it, vi } from 'vitest';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { startHttp2Upstream } from '../transport/http2-client.test-support.ts';
import { securedRoute, serverCertificate } from './upstream-tls.test-support.ts';

vi.setConfig({ testTimeout: 60_000 });

describe('a service that is called over HTTP/2', () => {
  it('takes any request of HTTP/1.1, with its body, and answers it', async () => {
    const seen: unknown[] = [];
    await using upstream = await startHttp2Upstream((stream, headers) => {
      let body = '';
      stream.on('data', (chunk: Buffer) => (body += chunk.toString()));
      stream.on('end', () => {
        seen.push(headers[':method'], headers[':path'], headers[':authority'], headers['x-forwarded-host'], body);
        stream.respond({ ':status': 201, 'content-type': 'text/plain' });
        stream.end('made');
      });
    });
    await using gateway = await startTestGateway(everythingTo(`grpc://127.0.0.1:${upstream.port}/base`));
    const answer = await fetch(`${gateway.url}/p?q=1`, { method: 'POST', body: 'text' });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      201,
      'text/plain',
      'made',
    ]);
    expect(seen).toEqual(['POST', '/base/p?q=1', `127.0.0.1:${upstream.port}`, `127.0.0.1:${gateway.port}`, 'text']);
    const head = await fetch(gateway.url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([201, '']);
  });

  it('is asked again with what it says that it has not looked at, whatever the method', async () => {
    let count = 0;
    await using upstream = await startHttp2Upstream((stream) => {
      count += 1;
      if (count === 1) stream.close(7);
      else stream.respond({ ':status': 200 }, { endStream: true });
    });
    await using gateway = await startTestGateway(everythingTo(`grpc://127.0.0.1:${upstream.port}`));
    expect((await fetch(gateway.url, { method: 'POST' })).status).toBe(200);
    expect(count).toBe(2);
  });

  it('answers cut bodies with a cut, and 502 when it breaks off before its answer', async () => {
    await using upstream = await startHttp2Upstream((stream, headers) => {
      if (headers[':path'] === '/late') stream.respond({ ':status': 200, 'content-length': 10 });
      if (headers[':path'] === '/late') stream.write('part', () => stream.destroy(new Error('broken')));
      else stream.destroy(new Error('broken'));
    });
    await using gateway = await startTestGateway(everythingTo(`grpc://127.0.0.1:${upstream.port}`, {}, { retries: 0 }));
    expect((await fetch(`${gateway.url}/early`)).status).toBe(502);
    const late = await fetch(`${gateway.url}/late`);
    expect(late.status).toBe(200);
    await expect(late.text()).rejects.toThrow(/terminated/);
  });

  it('over TLS must speak HTTP/2, and has the certificate that its service trusts', async () => {
    const { pem, keyPem } = serverCertificate();
    const server = createSecureServer({ cert: pem, key: keyPem, allowHTTP1: true }, (request, response) => {
      response.end(`${request.httpVersion} ${(request.socket as { servername?: string }).servername}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await using gateway = await startTestGateway(securedRoute(port, {}, { protocol: 'grpcs' }));
    const answer = await fetch(gateway.url);
    expect([answer.status, await answer.text()]).toEqual([200, '2.0 secure.test']);
    await gateway.publish(securedRoute(port, { ca_certificate_ids: [] }, { protocol: 'grpcs' }));
    const refused = await fetch(gateway.url);
    expect([refused.status, await refused.json()]).toMatchObject([502, { code: 'upstream_tls_failed' }]);
    await gateway.stop();
    server.close();
  });

  it('keeps requests that are under way when it moves', async () => {
    const first = await startHttp2Upstream((stream) => void setImmediate(() => stream.respond({ ':status': 200 })));
    await using second = await startHttp2Upstream((stream) => stream.respond({ ':status': 204 }, { endStream: true }));
    await using gateway = await startTestGateway(everythingTo(`grpc://127.0.0.1:${first.port}`));
    const running = await fetch(gateway.url);
    await gateway.publish(everythingTo(`grpc://127.0.0.1:${second.port}`));
    expect((await fetch(gateway.url)).status).toBe(204);
    const [session] = first.sessions;
    expect([running.status, session?.destroyed]).toEqual([200, false]);
    await running.body?.cancel();
    await eventually(() => session?.destroyed === true);
    await first[Symbol.asyncDispose]();
  });
});
