import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemOf, startTestServer, type TestServer } from './http-app.test-support.ts';

let test: TestServer;
const call: TestServer['call'] = (path, options) => test.call(path, options);
const post: TestServer['post'] = (...sent) => test.post(...sent);
beforeAll(async () => {
  test = await startTestServer(fetch);
});
afterAll(() => test.server.stop(1000));

describe('bodies', () => {
  it.each([
    ['malformed JSON', '{"name":', 400, 'malformed_body', /line 1, column 9/],
    ['a duplicate key', '{"name":"a","name":"b"}', 400, 'malformed_body', /column 13/],
    ['__proto__', '{"__proto__":{"x":1}}', 400, 'malformed_body', /column 2/],
    ['nothing', '', 400, 'malformed_body', /required/],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 400, 'malformed_body', /UTF-8/],
    ['a wrong type', '{"name":5}', 422, 'validation_failed', /1 field/],
    ['a missing field and an unknown one', '{"x":5}', 422, 'validation_failed', /2 fields/],
    ['U+0000', '{"name":"a\\u0000"}', 422, 'validation_failed', /1 field/],
    ['a lone surrogate', '{"name":"\\ud800"}', 422, 'validation_failed', /1 field/],
    ['more than 1 MiB', `{"name":"${'x'.repeat(1024 * 1024)}"}`, 413, 'body_too_large', /1048576/],
    ['10 MiB', new Uint8Array(10 * 1024 * 1024), 413, 'body_too_large', /1048576/],
  ])('%s gets the right problem', async (_name, body, status, code, detail) => {
    const response = await post('/admin/things', body);
    expect(response.status).toBe(status);
    expect(await problemOf(response)).toMatchObject({ code, detail: expect.stringMatching(detail) as unknown });
  });

  it('more than the bound without a length is cut off at the bound', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536));
        if (sent > 512 * 1024 * 1024) controller.close();
      },
    });
    const outcome = await call('/admin/things', {
      method: 'POST',
      body: endless,
      duplex: 'half',
      as: 'admin',
      headers: { 'content-type': 'application/json' },
    }).then(
      (response) => response.status,
      () => 'cut',
    );
    expect([413, 'cut']).toContain(outcome);
    expect(sent).toBeLessThan(200 * 1024 * 1024);
    expect((await call('/level/public')).status).toBe(200);
  });

  it('a body that comes too slowly gets 408, one at an honest pace is read', async () => {
    expect(await slowPost(2000)).toMatch(/^HTTP\/1\.1 408 /);
    expect(await slowPost(5)).toMatch(/^HTTP\/1\.1 201 /);
  });

  it.each([
    ['no content type', undefined],
    ['a form', 'application/x-www-form-urlencoded'],
    ['another charset', 'application/json; charset=latin1'],
    ['YAML where only JSON is taken', 'application/yaml'],
  ])('%s is 415', async (_name, contentType) => {
    const headers = contentType ? { 'content-type': contentType } : {};
    const response = await call('/admin/things', {
      method: 'POST',
      body: new TextEncoder().encode('{"name":"a"}'),
      headers,
      as: 'admin',
    });
    expect(response.status).toBe(415);
  });

  it.each(['application/json', 'application/json; charset=UTF-8', 'application/merge-patch+json'])(
    '%s is taken',
    async (type) => {
      expect((await post('/admin/things', '{"name":"a"}', type)).status).toBe(201);
    },
  );

  it('takes gzip only where declared, and unpacks no more than the bound', async () => {
    expect((await postPacked('/report', gzipSync('{"a":1}'), 'data_plane')).status).toBe(200);
    expect((await postPacked('/report', gzipSync(Buffer.alloc(1_000_000, 32)), 'data_plane')).status).toBe(413);
    expect((await postPacked('/report', Buffer.from('no gzip'), 'data_plane')).status).toBe(400);
    expect((await postPacked('/admin/things', gzipSync('{"name":"a"}'), 'admin')).status).toBe(415);
  });

  it('takes YAML where declared, by type or by query', async () => {
    expect(await (await post('/documents', 'a: [1, x]\n', 'application/yaml')).json()).toEqual({ a: [1, 'x'] });
    expect(await (await post('/documents?format=yaml', 'a: 1\n', 'text/plain')).json()).toEqual({ a: 1 });
    const bad = await post('/documents', 'a: 1\na: 2\n', 'application/yaml');
    expect(bad.status).toBe(400);
    expect(await problemOf(bad)).toMatchObject({ detail: expect.stringContaining('line 2, column 1') as unknown });
  });

  it('answers YAML where declared and asked for', async () => {
    for (const [path, accept] of [
      ['/admin/things', 'application/yaml'],
      ['/admin/things?format=yaml', '*/*'],
    ] as const) {
      const response = await call(path, { as: 'reader', headers: { accept } });
      expect(response.headers.get('content-type')).toBe('application/yaml');
      expect(await response.text()).toContain('limit: 50');
    }
    const both = await call('/admin/things', {
      as: 'reader',
      headers: { accept: 'application/json, application/yaml;q=0.5' },
    });
    expect(both.headers.get('content-type')).toBe('application/json');
  });

  it('nothing that was sent reaches Object.prototype', () => {
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

/** Posts `{"name":"a"}` byte by byte and gives what comes back first. */
function slowPost(pauseMs: number): Promise<string> {
  const body = '{"name":"a"}';
  const { hostname, port } = new URL(test.server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      clearInterval(timer);
      socket.destroy();
      resolve(chunk.toString('latin1'));
    });
    socket.write(
      `POST /admin/things HTTP/1.1\r\nhost: x\r\nauthorization: Bearer admin\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    let sent = 0;
    const timer = setInterval(() => {
      socket.write(body.charAt(sent));
      sent += 1;
      if (sent === body.length) clearInterval(timer);
    }, pauseMs);
  });
}

function postPacked(path: string, body: Buffer, as: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  return call(path, { method: 'POST', body: new Uint8Array(body), as, headers });
}
