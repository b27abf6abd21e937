import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { configurationAck, heartbeat, observationBatch, writeConfiguration } from '@portcullis/resources';
import type { ConfigurationAck, Heartbeat, ObservationBatch } from '@portcullis/resources';
import * as v from 'valibot';
import { deltaText, publishedOf, type Published } from './delta-text.test-support.ts';

/** Records of a document; what is left out is empty. */
export interface Resources {
  /** Default: `acme`. */
  readonly tenantId?: string;
  readonly gateway?: Record<string, unknown>;
  readonly services?: readonly Record<string, unknown>[];
  readonly routes?: readonly Record<string, unknown>[];
  readonly upstreams?: readonly Record<string, unknown>[];
  readonly targets?: readonly Record<string, unknown>[];
  readonly consumers?: readonly Record<string, unknown>[];
  readonly consumer_credentials?: readonly Record<string, unknown>[];
  readonly plugins?: readonly Record<string, unknown>[];
  readonly vaults?: readonly Record<string, unknown>[];
  readonly ai_records?: readonly Record<string, unknown>[];
  readonly certificates?: readonly Record<string, unknown>[];
  readonly snis?: readonly Record<string, unknown>[];
  readonly ca_certificates?: readonly Record<string, unknown>[];
}

/** The token that it takes unless it is given another. */
export const testToken = 'gwdp_test_0123456789';

/** A real HTTP server with the node endpoints, which keeps what nodes report. */
export class FakeControlPlane implements AsyncDisposable {
  /** Set by {@link listen}. */
  url = '';
  /** The token that it takes. */
  token: string = testToken;
  readonly acks: ConfigurationAck[] = [];
  readonly heartbeats: Heartbeat[] = [];
  readonly batches: ObservationBatch[] = [];
  /** Answered instead of the usual one, by path; 0 cuts the connection. */
  readonly failures = new Map<string, number>();
  /** What failures are told in; that of the control plane itself, unless a test plays a proxy before it. */
  failureType = 'application/problem+json';
  /** Paths that get no answer. */
  readonly silent = new Set<string>();
  /** Whether batches with raw records are refused with 422. */
  refusesRecords = false;
  /** Requests for the configuration, as they were asked. */
  readonly asked: string[] = [];
  /** Whether streams stay open and say nothing, as behind a proxy that keeps them back. */
  mutesStreams = false;
  /** Answers in place of the published text; `undefined` answers as usual. */
  onConfiguration: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  #document: { text: string; hash: string } | undefined;
  readonly #waiting: (() => void)[] = [];
  readonly #published = new Map<string, Published>();
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
  publish({ tenantId = 'acme', ...resources }: Resources): number {
    const place = { tenantId, revision: this.#revision + 1 };
    const gateway = { id: 'gateway-1', name: 'main', ...resources.gateway };
    const whole = { ...resources, gateway } as unknown as Parameters<typeof writeConfiguration>[1];
    const { text, hash: digest } = writeConfiguration(place, whole, (line) => hash('sha256', line));
    this.publishText(text, digest);
    return this.#revision;
  }

  /** Publishes any text as the next revision. Nodes that have an earlier one of {@link publish} get deltas. */
  publishText(text: string, digest = ''): void {
    this.#revision += 1;
    this.#document = { text, hash: digest };
    const published = publishedOf(text);
    if (published !== undefined && digest !== '') this.#published.set(digest, published);
    for (const stream of this.#streams) this.#push(stream);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** The revision that was published last. */
  get revision(): number {
    return this.#revision;
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  /** Requests that the counters of accepted batches hold. */
  countedRequests(): number {
    return this.batches.flatMap(({ counters }) => counters).reduce((sum, { requests }) => sum + requests, 0);
  }

  async close(): Promise<void> {
    this.#waiting.length = 0;
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
    else if (failure !== undefined) response.writeHead(failure, { 'content-type': this.failureType }).end();
    else if (request.headers.authorization !== `Bearer ${this.token}`) response.writeHead(401).end();
    else if (path === 'config') this.#configuration(request, response);
    else if (path === 'stream') this.#stream(response);
    else {
      const isTaken = await this.#report(path, request);
      response.writeHead(isTaken ? 202 : 422, { 'content-type': 'application/problem+json' }).end();
    }
  }

  #configuration(request: IncomingMessage, response: ServerResponse): void {
    this.asked.push(request.url ?? '');
    if (this.onConfiguration?.(request, response) === true) return;
    const document = this.#document;
    const tags = request.headers['if-none-match'] ?? '';
    if (document === undefined) response.writeHead(404).end();
    else if (document.hash === '' || !tags.includes(`"${document.hash}"`)) {
      const from = this.#published.get(/^"([0-9a-f]+)"/.exec(tags)?.[1] ?? '');
      const to = this.#published.get(document.hash);
      const isDelta = from !== undefined && to !== undefined && request.url?.includes(`since=${from.head.revision}`);
      const text = isDelta === true ? deltaText(from, to) : document.text;
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(text);
    } else if (request.url?.includes('wait=') === true) {
      this.#waiting.push(() => this.#configuration(request, response));
    } else response.writeHead(304).end();
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
    this.#push(response);
  }

  #push(stream: ServerResponse): void {
    if (this.mutesStreams) {
      stream.flushHeaders();
      return;
    }
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
