import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { configurationMediaType } from '@portcullis/resources';
import type { ObservationBatch } from '@portcullis/resources';
import type { BenchConfiguration } from './configuration.ts';

/** Stands in for `admin-api` towards one gateway: real HTTP, one configuration that never changes. */
export interface ControlPlane extends AsyncDisposable {
  readonly url: string;
  /** Requests that the gateway has counted in its batches so far. */
  reported(): number;
}

const base = '/api/v1/data-plane';
const aliveMs = 10_000;
const keptBytesMax = 256 * 1024 * 1024;

/** Serves a configuration to whoever has the token, and takes reports. Batches are opened only when somebody asks. */
export async function startControlPlane(document: BenchConfiguration, token: string): Promise<ControlPlane> {
  const batches: Buffer[] = [];
  let reported = 0;
  let keptBytes = 0;
  const keep = (batch: Buffer): void => {
    keptBytes += batch.length;
    if (keptBytes > keptBytesMax) throw new Error('the gateway reports more than the benchmark can keep');
    batches.push(batch);
  };
  const server = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end();
      return;
    }
    answer(request, response, document, keep);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reported() {
      for (const batch of batches.splice(0)) reported += requestsOf(batch);
      keptBytes = 0;
      return reported;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  document: BenchConfiguration,
  keep: (batch: Buffer) => void,
): void {
  const path = request.url?.split('?')[0];
  if (path === `${base}/config`) {
    const etag = `"${document.hash}"`;
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { etag, 'content-type': configurationMediaType }).end(document.text);
  } else if (path === `${base}/stream`) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: revision\ndata: {"revision":${document.revision}}\n\n`);
    const timer = setInterval(() => response.write(': alive\n\n'), aliveMs);
    response.once('close', () => clearInterval(timer));
  } else if (path === `${base}/observations`) {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      keep(Buffer.concat(chunks));
      response.writeHead(202).end();
    });
  } else if (path === `${base}/ack` || path === `${base}/heartbeat`) {
    request.resume();
    response.writeHead(202).end();
  } else response.writeHead(404).end();
}

const gzipMagic = 0x1f;

function requestsOf(body: Buffer): number {
  const text = (body[0] === gzipMagic ? gunzipSync(body) : body).toString('utf8');
  const { counters } = JSON.parse(text) as ObservationBatch;
  return counters.reduce((sum, { requests }) => sum + requests, 0);
}
