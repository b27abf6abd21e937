import { connect } from 'node:net';
import { quantile } from '../figures/quantile.ts';
import { nextSpread, spreadTarget } from './spread.ts';
import type { LoadOrder, LoadReport } from './load-report.ts';
import { ResponseReader } from './response-reader.ts';

/** A connection that fails is opened again so often in all; then the load ends with what it has. */
const reconnectsMax = 100;

/** Sends requests over keep-alive connections, each connection the next one as soon as it has its answer. */
export function closedLoop(order: LoadOrder): Promise<LoadReport> {
  return new ClosedLoop(order).run();
}

class ClosedLoop {
  readonly #order: LoadOrder;
  readonly #requests: readonly Buffer[];
  #next = 0;
  readonly #latenciesMs: Float64Array;
  readonly #finished: PromiseWithResolvers<void> = Promise.withResolvers();
  #begun = 0;
  #ended = 0;
  #answered = 0;
  #reconnects = 0;

  constructor(order: LoadOrder) {
    this.#order = order;
    const { spread } = order;
    const targets =
      spread === undefined
        ? [order]
        : Array.from({ length: spread }, (_, index) => ({ ...order, ...spreadTarget(index) }));
    this.#requests = targets.map((target) => Buffer.from(requestText(target)));
    this.#latenciesMs = new Float64Array(order.requests);
  }

  async run(): Promise<LoadReport> {
    const startMs = performance.now();
    for (let index = 0; index < Math.min(this.#order.connections, this.#order.requests); index += 1) this.#open();
    await this.#finished.promise;
    const seconds = (performance.now() - startMs) / 1000;
    const latenciesMs = this.#latenciesMs.subarray(0, this.#answered);
    return {
      answered: this.#answered,
      errors: this.#ended - this.#answered,
      requestsPerSecond: this.#ended / seconds,
      p50Ms: quantile(latenciesMs, 0.5) ?? 0,
      p99Ms: quantile(latenciesMs, 0.99) ?? 0,
    };
  }

  #open(): void {
    const socket = connect({ host: '127.0.0.1', port: this.#order.port, noDelay: true });
    const reader = new ResponseReader();
    let sentMs = 0;
    let isWaiting = false;
    const send = (): void => {
      isWaiting = this.#begun < this.#order.requests;
      if (!isWaiting) {
        socket.end();
        return;
      }
      this.#begun += 1;
      sentMs = performance.now();
      socket.write(this.#nextRequest());
    };
    socket.on('connect', send);
    socket.on('data', (bytes) => {
      const outcome = isWaiting ? reader.read(bytes) : 'malformed';
      if (outcome === 'incomplete') return;
      if (outcome === 'malformed') {
        socket.destroy();
        return;
      }
      isWaiting = false;
      this.#end(reader.status === 200 ? performance.now() - sentMs : undefined);
      send();
    });
    socket.on('error', () => undefined); // 'close' follows.
    socket.on('close', () => this.#lost(isWaiting));
  }

  #nextRequest(): Buffer {
    this.#next = nextSpread(this.#next, this.#requests.length);
    return this.#requests[this.#next] ?? Buffer.alloc(0);
  }

  #lost(wasWaiting: boolean): void {
    if (wasWaiting) this.#end(undefined);
    if (this.#begun >= this.#order.requests) return;
    this.#reconnects += 1;
    if (this.#reconnects <= reconnectsMax) {
      this.#open();
      return;
    }
    this.#begun = this.#order.requests; // The other connections end after the answer that they wait for.
    this.#finished.resolve();
  }

  /** @param latencyMs `undefined` for a request that failed */
  #end(latencyMs: number | undefined): void {
    this.#ended += 1;
    if (latencyMs !== undefined) {
      this.#latenciesMs[this.#answered] = latencyMs;
      this.#answered += 1;
    }
    if (this.#ended === this.#order.requests) this.#finished.resolve();
  }
}

function requestText(order: LoadOrder & { readonly host?: string | undefined }): string {
  const { port, path, host, headers, body } = order;
  const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` };
  const lines = Object.entries({ host: host ?? `127.0.0.1:${port}`, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`, ...lines, '', body ?? ''].join('\r\n');
}
