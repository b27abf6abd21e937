import { once } from 'node:events';
import { connect } from 'node:net';
import { quantile } from '../figures/quantile.ts';
import { ResponseReader } from './response-reader.ts';

/** A load that comes at its own pace, whatever becomes of it. */
export interface OpenLoadOrder {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Keep-alive connections, open before the first request. A request that finds none free waits, and its time counts. */
  readonly connections: number;
  readonly phases: readonly { readonly perSecond: number; readonly seconds: number }[];
}

/** What one phase saw, by when its requests were due. */
export interface OpenPhaseReport {
  readonly sent: number;
  /** Answers with status 200, with 503, and everything else. */
  readonly served: number;
  readonly shed: number;
  readonly failed: number;
  /** What came in place of an answer with either status, and how often: `broken` connections, `unanswered` requests, other statuses. */
  readonly failures: Readonly<Record<string, number>>;
  /** Of what was served, from the moment it was due. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The same for requests that were due after the phase's first second. */
  readonly laterP99Ms: number;
  /** Of what was shed. */
  readonly shedP99Ms: number;
  /** When the last request was due that was not served, or not within the bound; 0 when all were. */
  readonly troubledSeconds: number;
  /** How late this process itself was with sending, where a connection was free. */
  readonly lateP99Ms: number;
}

/** Within this a served request counts as well served. Source: reliability goals, 12. */
export const servedWellMs = 250;

/** Longest wait for answers after the last phase. */
const lastAnswersMs = 10_000;

interface Due {
  readonly phase: Phase;
  readonly dueMs: number;
}

/** Sends every request when it is due, over whichever connection is free. */
export async function openLoad(order: OpenLoadOrder): Promise<readonly OpenPhaseReport[]> {
  const text = [
    `GET ${order.path} HTTP/1.1`,
    `host: 127.0.0.1:${order.port}`,
    ...Object.entries(order.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const request = Buffer.from(`${text.join('\r\n')}\r\n\r\n`, 'latin1');
  const free: Connection[] = [];
  const waiting: Due[] = [];
  let next = 0;
  const onFree = (connection: Connection): void => {
    const due = waiting[next];
    if (due === undefined) {
      free.push(connection);
      return;
    }
    next += 1;
    connection.send(due, false);
  };
  const opened = Array.from({ length: order.connections }, async () => {
    const connection = new Connection(order.port, request, onFree);
    await connection.opened;
    onFree(connection);
  });
  await Promise.all(opened);
  const phases: Phase[] = [];
  let beginMs = performance.now();
  for (const { perSecond, seconds } of order.phases) {
    const phase = new Phase(beginMs);
    phases.push(phase);
    const total = Math.round(perSecond * seconds);
    while (phase.sent < total) {
      const until = Math.min(total, Math.floor(((performance.now() - beginMs) * perSecond) / 1000));
      for (; phase.sent < until; phase.sent += 1) {
        const due = { phase, dueMs: beginMs + (phase.sent * 1000) / perSecond };
        // The one that was free for longest: a connection on which nothing is ever asked is closed as a slow one.
        const connection = next === waiting.length ? free.shift() : undefined;
        if (connection === undefined) waiting.push(due);
        else connection.send(due, true);
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    beginMs += seconds * 1000;
  }
  const endMs = performance.now() + lastAnswersMs;
  while (phases.some((phase) => phase.ended < phase.sent) && performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return phases.map((phase) => phase.report());
}

/** What becomes of the requests that are due in one phase. */
class Phase {
  readonly #beginMs: number;
  sent = 0;
  ended = 0;
  readonly #served: number[] = [];
  readonly #later: number[] = [];
  readonly #shed: number[] = [];
  readonly #late: number[] = [];
  readonly #failures = new Map<string, number>();
  #troubledMs = 0;

  constructor(beginMs: number) {
    this.#beginMs = beginMs;
  }

  sentLate(dueMs: number): void {
    this.#late.push(performance.now() - dueMs);
  }

  /** @param status 0 for a connection that broke */
  end(dueMs: number, status: number): void {
    this.ended += 1;
    const latencyMs = performance.now() - dueMs;
    const sinceMs = dueMs - this.#beginMs;
    if (status === 200) {
      this.#served.push(latencyMs);
      if (sinceMs >= 1000) this.#later.push(latencyMs);
    } else if (status === 503) this.#shed.push(latencyMs);
    else this.#fail(status === 0 ? 'broken' : `${status}`, 1);
    if (status !== 200 || latencyMs > servedWellMs) this.#troubledMs = Math.max(this.#troubledMs, sinceMs);
  }

  #fail(what: string, count: number): void {
    this.#failures.set(what, (this.#failures.get(what) ?? 0) + count);
  }

  report(): OpenPhaseReport {
    if (this.sent > this.ended) this.#fail('unanswered', this.sent - this.ended);
    return {
      sent: this.sent,
      served: this.#served.length,
      shed: this.#shed.length,
      failed: this.sent - this.#served.length - this.#shed.length,
      failures: Object.fromEntries(this.#failures),
      p50Ms: quantile(this.#served, 0.5) ?? 0,
      p99Ms: quantile(this.#served, 0.99) ?? 0,
      laterP99Ms: quantile(this.#later, 0.99) ?? 0,
      shedP99Ms: quantile(this.#shed, 0.99) ?? 0,
      troubledSeconds: this.#troubledMs / 1000,
      lateP99Ms: quantile(this.#late, 0.99) ?? 0,
    };
  }
}

class Connection {
  readonly #socket: ReturnType<typeof connect>;
  readonly #request: Buffer;
  /** Rejects when the connection cannot be made. */
  readonly opened: Promise<unknown>;
  #due: Due | undefined;

  constructor(port: number, request: Buffer, onFree: (connection: Connection) => void) {
    this.#request = request;
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true });
    const reader = new ResponseReader();
    this.opened = once(this.#socket, 'connect');
    this.#socket.on('data', (bytes) => {
      const outcome = this.#due === undefined ? 'malformed' : reader.read(bytes);
      if (outcome === 'incomplete') return;
      if (outcome === 'malformed') {
        this.#socket.destroy();
        return;
      }
      this.#end(reader.status);
      onFree(this);
    });
    this.#socket.on('error', () => undefined); // 'close' follows.
    this.#socket.on('close', () => this.#end(0));
  }

  send(due: Due, wasFree: boolean): void {
    this.#due = due;
    if (wasFree) due.phase.sentLate(due.dueMs);
    this.#socket.write(this.#request);
  }

  #end(status: number): void {
    this.#due?.phase.end(this.#due.dueMs, status);
    this.#due = undefined;
  }
}
