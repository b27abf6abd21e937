import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { configurationAck, heartbeat, observationBatch } from '@portcullis/resources';
import type { ConfigurationAck, Heartbeat, ObservationBatch } from '@portcullis/resources';
import * as v from 'valibot';

/** Records of a document; what is left out is empty. */
export interface Resources {
  readonly gateway?: Record<string, unknown>;
  readonly services?: readonly Record<string, unknown>[];
  readonly routes?: readonly Record<string, unknown>[];
  readonly upstreams?: readonly Record<string, unknown>[];
  readonly targets?: readonly Record<string, unknown>[];
  readonly consumers?: readonly Record<string, unknown>[];
  readonly consumer_credentials?: readonly Record<string, unknown>[];
  readonly plugins?: readonly Record<string, unknown>[];
}

/** The token that it takes. */
export const testToken = 'gwdp_test_0123456789';

/** A real HTTP server with the node endpoints, which keeps what nodes report. */
export class FakeControlPlane implements AsyncDisposable {
  /** Set by {@link listen}. */
  url = '';
  readonly acks: ConfigurationAck[] = [];
  readonly heartbeats: Heartbeat[] = [];
  readonly batches: ObservationBatch[] = [];
  /** Answered instead of the usual one, by path; 0 cuts the connection. */
  readonly failures = new Map<string, number>();
  /** Paths that get no answer. */
  readonly silent = new Set<string>();
  /** Whether batches with raw records are refused with 422. */
  refusesRecords = false;
  #document: { text: string; hash: string; revision: number } | undefined;
  #revision = 0;
  readonly #streams = new Set<ServerResponse>();
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  /** Where it listens; port 0 takes a free one. */
  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    const address = this.#server.address();
    this.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    return this.url;
  }

  /** Publishes a new revision. */
  publish(resources: Resources): number {
    const whole = {
      gateway: { id: 'gateway-1', name: 'main' },
      ...{ services: [], routes: [], upstreams: [], targets: [], consumers: [], consumer_credentials: [], plugins: [] },
      ...resources,
    };
    const hash = createHash('sha256').update(JSON.stringify(whole)).digest('hex');
    this.publishDocument({ format: 1, tenant_id: 'acme', revision: this.#revision + 1, hash, resources: whole });
    return this.#revision;
  }

  /** Publishes any text as the next revision. */
  publishDocument(document: unknown): void {
    this.#revision += 1;
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    this.#document = { text, revision: this.#revision, hash: createHash('sha256').update(text).digest('hex') };
    for (const stream of this.#streams) this.#push(stream);
  }

  /** Requests that the counters of accepted batches hold. */
  countedRequests(): number {
    return this.batches.flatMap(({ counters }) => counters).reduce((sum, { requests }) => sum + requests, 0);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    if (this.#server.listening) await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace('/api/v1/data-plane/', '').split('?')[0] ?? '';
    const failure = this.failures.get(path);
    if (this.silent.has(path)) return;
    if (failure === 0) request.socket.destroy();
    else if (failure !== undefined) response.writeHead(failure).end();
    else if (request.headers.authorization !== `Bearer ${testToken}`) response.writeHead(401).end();
    else if (path === 'config') this.#configuration(request, response);
    else if (path === 'stream') this.#stream(response);
    else {
      response.writeHead((await this.#report(path, request)) ? 202 : 422).end();
    }
  }

  #configuration(request: IncomingMessage, response: ServerResponse): void {
    const etagOf = (text: string): string => `"${(JSON.parse(text) as { hash?: string }).hash ?? ''}"`;
    const document = this.#document;
    if (document === undefined) response.writeHead(404).end();
    else if (document.text.startsWith('{') && request.headers['if-none-match'] === etagOf(document.text)) {
      response.writeHead(304).end();
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(document.text);
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
    this.#push(response);
  }

  #push(stream: ServerResponse): void {
    stream.write(`: heartbeat\n\nevent: revision\ndata: {"revision": ${this.#revision}}\n\n`);
  }

  /** @returns whether it is taken */
  async #report(path: string, request: IncomingMessage): Promise<boolean> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const value: unknown = JSON.parse(
      (request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString(),
    );
    if (path === 'ack') this.acks.push(v.parse(configurationAck, value));
    else if (path === 'heartbeat') this.heartbeats.push(v.parse(heartbeat, value));
    else if (path === 'observations') {
      const batch = v.parse(observationBatch, value);
      if (this.refusesRecords && batch.records.length > 0) return false;
      this.batches.push(batch);
    }
    return true;
  }
}
