import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { closedLoop } from './closed-loop.ts';

const servers: Server[] = [];

async function listen(listener: RequestListener): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer(listener)
    .on('connection', () => (connections += 1))
    .listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

const order = { path: '/load?a=1', headers: { 'x-key': 'k' }, connections: 4 };

describe('closedLoop', () => {
  it('sends exactly the ordered requests over the ordered connections', async () => {
    const seen: string[] = [];
    const { port, connections } = await listen((request, response) => {
      seen.push(`${request.method} ${request.url} ${String(request.headers['x-key'])}`);
      response.end('x'.repeat(128));
    });
    const report = await closedLoop({ ...order, port, requests: 203 });
    expect(report).toMatchObject({ answered: 203, errors: 0 });
    expect(report.p50Ms).toBeGreaterThan(0);
    expect(report.p99Ms).toBeGreaterThanOrEqual(report.p50Ms);
    expect(new Set(seen)).toEqual(new Set(['GET /load?a=1 k']));
    expect(seen).toHaveLength(203);
    expect(connections()).toBe(4);
  });

  it('counts every status but 200 as an error', async () => {
    let count = 0;
    const { port } = await listen((_request, response) => {
      count += 1;
      response.writeHead(count % 4 === 0 ? 503 : 200).end('x');
    });
    expect(await closedLoop({ ...order, port, requests: 40 })).toMatchObject({ answered: 30, errors: 10 });
  });

  it('counts a broken connection as an error and goes on with another', async () => {
    let count = 0;
    const { port } = await listen((request, response) => {
      count += 1;
      if (count === 5) request.socket.destroy();
      else response.end('x');
    });
    expect(await closedLoop({ ...order, port, requests: 50 })).toMatchObject({ answered: 49, errors: 1 });
  });

  it('gives up on a peer that is not there', async () => {
    const { port } = await listen((_request, response) => response.end());
    servers.splice(0).forEach((server) => server.close());
    expect(await closedLoop({ ...order, port, requests: 50 })).toMatchObject({ answered: 0 });
  });
});
