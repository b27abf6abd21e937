import { request as httpRequest, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { eventually, startUpstream, type UpstreamHandler } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A request with nothing added, and its answer as it came over the wire. */
function ask(url: string, method = 'GET', headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers, agent: false }, (answer) => {
      buffer(answer).then((body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }), reject);
    });
    sent.on('error', reject).end();
  });
}

async function cached(handler: UpstreamHandler, config: object = {}, env: Readonly<Record<string, string>> = {}) {
  const upstream = await startUpstream(handler);
  const plugin = { name: 'response_cache', trigger: 'all', config: { ttl_seconds: 3600, ...config } };
  const gateway = await startTestGateway(everythingTo(upstream.url, { plugins: [plugin] }), env);
  return {
    ...{ upstream, gateway, url: gateway.url },
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await upstream.close();
    },
  };
}

const oneMb = { PORTCULLIS_HELD_BODIES_MB: '1' };

describe('answers from the store', () => {
  it('are the same bytes with their length and coding, and a HEAD has them but for the body', async () => {
    const body = gzipSync('the same text '.repeat(100));
    await using cache = await cached((_req, res) => {
      res.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain', etag: '"1"', vary: 'X-A' });
      res.write(body.subarray(0, 10));
      res.end(body.subarray(10));
    });
    const accept = { 'accept-encoding': 'gzip' };
    const first = await ask(cache.url, 'GET', accept);
    const second = await ask(cache.url, 'GET', accept);
    const head = await ask(cache.url, 'HEAD', accept);
    const known = await ask(cache.url, 'GET', { ...accept, 'if-none-match': '"1"' });
    const plain = await ask(cache.url);
    expect(
      [first, second, head, known, plain].map(({ status, headers }) => [status, headers['x-cache-status']]),
    ).toEqual([
      [200, 'MISS'],
      [200, 'HIT'],
      [200, 'HIT'],
      [304, 'HIT'],
      [200, 'MISS'],
    ]);
    expect([first.body.equals(body), second.body.equals(body), head.body.length, known.body.length]).toEqual([
      true,
      true,
      0,
      0,
    ]);
    for (const { headers } of [second, head]) {
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(body.length) });
      expect(headers.age).toMatch(/^\d+$/);
      expect(headers['transfer-encoding']).toBeUndefined();
    }
    expect(known.headers['content-type']).toBeUndefined();
    expect(known.headers).toMatchObject({ etag: '"1"', vary: 'X-A' });
    expect(cache.upstream.requests).toHaveLength(2);
  });

  it.each([204, 404, 410])('have their status: %i', async (status) => {
    await using cache = await cached((_req, res) => void res.writeHead(status).end());
    const answers = [await ask(cache.url), await ask(cache.url)];
    expect(answers.map((answer) => [answer.status, answer.headers['x-cache-status'], answer.body.length])).toEqual([
      [status, 'MISS', 0],
      [status, 'HIT', 0],
    ]);
  });

  it('hold again when the service says so, and its connection serves on', async () => {
    await using cache = await cached((req, res) => {
      const isKnown = req.headers['if-none-match'] === '"1"';
      res.writeHead(isKnown ? 304 : 200, { etag: '"1"', 'cache-control': 'no-cache' });
      res.end(isKnown ? undefined : 'text');
    });
    const answers = [
      await ask(cache.url),
      await ask(cache.url),
      await ask(cache.url, 'GET', { 'if-none-match': '"1"' }),
    ];
    expect(answers.map(({ status, headers, body }) => [status, headers['x-cache-status'], body.toString()])).toEqual([
      [200, 'MISS', 'text'],
      [200, 'REVALIDATED', 'text'],
      [304, 'REVALIDATED', ''],
    ]);
    expect(cache.upstream.connections()).toBe(1);
  });

  it('stand in for a service that is gone', async () => {
    await using cache = await cached((_req, res) => {
      res.writeHead(200, { 'cache-control': 'max-age=0, stale-if-error=3600', etag: '"1"' }).end('old');
    });
    await ask(cache.url);
    await cache.upstream.close();
    const answer = await ask(cache.url);
    expect([answer.status, answer.headers['x-cache-status'], answer.body.toString()]).toEqual([200, 'STALE', 'old']);
  });
});

describe('answers that are not stored', () => {
  it('go through whole when they are too long, and as they come when they are streams', async () => {
    const long = Buffer.alloc(300_000, 'x');
    await using cache = await cached(
      (req, res) => {
        if (req.url === '/long') res.writeHead(200).end(long);
        else {
          res.writeHead(200, { 'content-type': 'text/event-stream' });
          res.write('data: 1\n\n');
        }
      },
      { max_body_bytes: 100_000 },
    );
    const lengths = [await ask(`${cache.url}/long`), await ask(`${cache.url}/long`)];
    expect(lengths.map(({ body, headers }) => [body.length, headers['x-cache-status']])).toEqual([
      [long.length, 'MISS'],
      [long.length, 'MISS'],
    ]);
    const stream = await fetch(`${cache.url}/stream`);
    const reader = stream.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n');
    await reader?.cancel();
  });

  it('go through as they are when the gateway holds as many bodies as it may', async () => {
    const long = 'x'.repeat(1_500_000);
    await using cache = await cached((_req, res) => void res.end(long), { max_body_bytes: 2_000_000 }, oneMb);
    const answers = [await ask(cache.url), await ask(cache.url)];
    expect(answers.map(({ status, body, headers }) => [status, body.length, headers['x-cache-status']])).toEqual([
      [200, long.length, 'MISS'],
      [200, long.length, 'MISS'],
    ]);
  });

  it('are not half ones: what the service breaks off fails, and the next request asks again', async () => {
    let count = 0;
    await using cache = await cached((_req, res) => {
      count += 1;
      res.writeHead(200, { 'content-length': '10' });
      if (count > 1) res.end('0123456789');
      else res.write('0123', () => res.destroy());
    });
    const answers = [await ask(cache.url), await ask(cache.url), await ask(cache.url)];
    expect(answers.map(({ status, headers }) => [status, headers['x-cache-status']])).toEqual([
      [502, undefined],
      [200, 'MISS'],
      [200, 'HIT'],
    ]);
  });
});

describe('many clients at once', () => {
  it('make one request, and go on themselves when the client that asked leaves', async () => {
    const held: (() => void)[] = [];
    await using cache = await cached((_req, res) => void held.push(() => void res.end('one')));
    const leaving = httpRequest(cache.url, { agent: false }).on('error', () => undefined);
    leaving.end();
    await eventually(() => held.length === 1);
    const waiting = Array.from({ length: 8 }, () => ask(cache.url));
    leaving.destroy();
    // Those that waited ask for themselves; one that arrives late may find the answer in the store.
    await eventually(() => held.length >= 2);
    const answers = Promise.all(waiting);
    const release = setInterval(() => held.splice(0).forEach((answer) => answer()), 5);
    const statuses = (await answers).map(({ status, body }) => `${status} ${body.toString()}`);
    clearInterval(release);
    expect(statuses).toEqual(Array<string>(8).fill('200 one'));
    expect((await ask(cache.url)).headers['x-cache-status']).toBe('HIT');
  });

  it('get the one answer that was brought', async () => {
    const held: (() => void)[] = [];
    await using cache = await cached((_req, res) => void held.push(() => void res.end('one')));
    const all = Promise.all(Array.from({ length: 8 }, () => ask(cache.url)));
    await eventually(() => held.length > 0);
    const release = setInterval(() => held.splice(0).forEach((answer) => answer()), 5);
    const answers = await all;
    clearInterval(release);
    expect(answers.map(({ body }) => body.toString())).toEqual(Array<string>(8).fill('one'));
    // One, unless somebody lost patience on a very slow machine; the others came from the store, and nobody from nowhere.
    const asked = answers.filter(({ headers }) => headers['x-cache-status'] === 'MISS').length;
    expect(cache.upstream.requests).toHaveLength(asked);
    expect(answers.filter(({ headers }) => headers['x-cache-status'] === 'HIT')).toHaveLength(8 - asked);
  });
});
