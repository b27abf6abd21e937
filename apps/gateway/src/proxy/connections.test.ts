import { eventually, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { everythingTo, exchangeRaw, openRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
/** Requests whose answers end the connection. */
const refusedHeads = [
  ['no host', 'GET /refused HTTP/1.1\r\n\r\n', 400],
  ['a bad path', get('/a%00'), 400],
  ['an upgrade', 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n', 501],
] as const;
const setter = { name: 'response_header_setter', config: { set: { 'x-by': 'gateway' } } };
const onError = { id: 'on-error', scope: 'tenant', trigger: 'on_error', ...setter };

describe('a connection', () => {
  it.each(refusedHeads)('ends after %s, also with an error hook, and what follows is not executed', async (...row) => {
    const [, text, status] = row;
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway({ ...everythingTo(upstream.url), plugins: [onError] });
    await (await fetch(`${gateway.url}/first`)).text(); // Leaves a connection on which the next request is sent at once.
    const raw = await exchangeRaw(gateway.port, text + get('/smuggled'));
    expect(raw).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(raw.match(/\r\nconnection: close\r\n/gi)).toHaveLength(1);
    expect(raw).toContain('x-by: gateway');
    expect(raw.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1);
    expect(upstream.requests.map(({ url }) => url)).toEqual(['/first']);
  });

  it('carries one request at a time: a pipelined one begins when the one before is answered', async () => {
    const running: (() => void)[] = [];
    await using upstream = await startUpstream((req, res) => {
      running.push(() => res.end(`<${req.method} ${req.url}>`));
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const post = (path: string): string => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi`;
    const answers = exchangeRaw(gateway.port, post('/1') + post('/2') + get('/3'), (raw) => raw.includes('<GET /3>'));
    for (const turn of [1, 2, 3]) {
      const finish = await eventually(() => running[turn - 1]);
      // A whole other exchange goes through the same loop meanwhile: the next one had its chance to begin.
      await exchangeRaw(gateway.port, get('/a%00'));
      expect(running).toHaveLength(turn);
      finish();
    }
    expect((await answers).match(/<[^>]*>/g)).toEqual(['<POST /1>', '<POST /2>', '<GET /3>']);
    expect(upstream.requests).toHaveLength(3);
  });

  it.each([
    ['has begun', 'some', 'HTTP/1.1 200'],
    ['is still to come', '', ''],
  ])('is reset by bytes that are no request, and not told of them, where an answer %s', async (_when, part, seen) => {
    await using upstream = await startUpstream((_req, res) => {
      if (part === '') return;
      res.writeHead(200, { 'content-length': 1000 });
      res.write(part);
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const client = openRaw(gateway.port);
    client.socket.write(get('/'));
    await eventually(() => upstream.requests.length === 1 && client.text().endsWith(part));
    client.socket.write('\x01 no request\r\n\r\n');
    await client.closed;
    expect(client.text().slice(0, 12)).toBe(seen);
    expect(client.text()).not.toContain('400');
  });

  it('does not begin what waits when its client leaves', async () => {
    let left = false;
    await using upstream = await startUpstream((req, res) => {
      if (req.url === '/1') res.on('close', () => (left = true));
      else res.end();
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const client = openRaw(gateway.port);
    client.socket.write(get('/1') + get('/2'));
    await eventually(() => upstream.requests.length === 1);
    client.socket.destroy();
    await eventually(() => left);
    await (await fetch(`${gateway.url}/last`)).text();
    const paths = await eventually(() => {
      const seen = gateway.controlPlane.batches.flatMap(({ records }) => records.map(({ path }) => path));
      return seen.includes('/last') && seen;
    });
    expect(paths).toEqual(['/1', '/last']);
  });

  it('answers no more pipelined requests than it may hold, and then ends', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const raw = await exchangeRaw(gateway.port, get('/').repeat(1000));
    const answered = raw.match(/HTTP\/1\.1 200/g)?.length ?? 0;
    expect(answered).toBe(upstream.requests.length);
    expect(answered).toBeLessThanOrEqual(257);
    expect(raw.match(/\r\nconnection: close\r\n/gi)).toHaveLength(1);
  });

  it('ends when the body of a request that was answered early drips', async () => {
    await using gateway = await startTestGateway({});
    const { socket, closed, text } = openRaw(gateway.port);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 300);
    await closed;
    clearInterval(drip);
    expect(text()).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('ends when much more comes of a body whose request was answered early, and goes on after a little', async () => {
    await using gateway = await startTestGateway({});
    const head = (length: number): string => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
    const little = openRaw(gateway.port);
    little.socket.write(head(2));
    await eventually(() => little.text().includes('404'));
    little.socket.write(`hi${get('/')}`);
    await eventually(() => little.text().match(/HTTP\/1\.1 404/g)?.length === 2);
    little.socket.destroy();
    const much = openRaw(gateway.port);
    much.socket.write(head(100_000_000));
    await eventually(() => much.text().includes('404'));
    const flood = setInterval(() => much.socket.write(Buffer.alloc(32 * 1024)), 5);
    await much.closed;
    clearInterval(flood);
    expect(much.text().match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 404']);
  });

  it('is cut when its client takes next to nothing of the answer, and the upstream is free again', async () => {
    let open = 0;
    await using upstream = await startUpstream({
      stream: (_req, res) => {
        open += 1;
        res.on('close', () => (open -= 1));
        res.write(Buffer.alloc(64 * 1024 * 1024));
      },
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url), {}, { readerWindowMs: 200 });
    const client = openRaw(gateway.port);
    client.socket.pause();
    client.socket.write(get('/'));
    await eventually(() => open === 1);
    await eventually(() => open === 0);
    expect(client.text()).not.toContain('\r\n0\r\n\r\n');
    client.socket.destroy();
  });
});

describe('a stopping gateway', () => {
  it('answers what comes on idle connections, ends them with that answer, and does not wait for silent ones', async () => {
    let finish: (() => void) | undefined;
    await using upstream = await startUpstream((req, res) => {
      if (req.url === '/slow') finish = () => res.end('slow');
      else res.end('quick');
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url), {}, { idleGraceMs: 5000 });
    const [idle, busy, silent] = [openRaw(gateway.port), openRaw(gateway.port), openRaw(gateway.port)];
    idle.socket.write(get('/'));
    busy.socket.write(get('/slow'));
    await eventually(() => idle.text().includes('quick') && finish !== undefined);
    const stopped = gateway.stop();
    await silent.closed;
    idle.socket.write(get('/'));
    await idle.closed;
    finish?.();
    await busy.closed;
    await stopped;
    expect(idle.text().match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(idle.text().match(/connection: close/gi)).toHaveLength(1);
    expect(busy.text()).toMatch(/connection: close\r\n[^]*slow/i);
  });

  it('ends idle connections when their time of grace is over', async () => {
    await using gateway = await startTestGateway({}, {}, { idleGraceMs: 200 });
    const idle = openRaw(gateway.port);
    idle.socket.write(get('/'));
    await eventually(() => idle.text().includes('404'));
    await gateway.stop();
    expect(idle.text().match(/HTTP/g)).toHaveLength(1);
  });

  it('gives streams the time that the settings say, cuts what is left then, and has counted it', async () => {
    await using upstream = await startUpstream({ stream: (_req, res) => void res.write('endless') });
    await using gateway = await startTestGateway(everythingTo(upstream.url), { PORTCULLIS_DRAIN_SECONDS: '1' });
    const client = openRaw(gateway.port);
    client.socket.write(get('/'));
    await eventually(() => client.text().includes('endless'));
    const stopped = gateway.stop();
    expect((await fetch(`${gateway.statusUrl}/ready`)).status).toBe(503);
    await client.closed;
    await stopped;
    expect(client.text()).not.toContain('\r\n0\r\n\r\n');
    expect(gateway.controlPlane.countedRequests()).toBe(1);
  });
});
