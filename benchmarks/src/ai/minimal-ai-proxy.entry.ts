/**
 * The least that an AI gateway does, on Node's own server and undici's `dispatch`: `node minimal-ai-proxy.js PROVIDER_PORT`. It reads the
 * request, puts the provider's name of the model into it, passes the answer on and reads the usage from it. Prints its port.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool, type Dispatcher } from 'undici';
import { chatPath, models } from './ai-terms.ts';

const [providerPort] = process.argv.slice(2);
const pool = new Pool(`http://127.0.0.1:${providerPort}`, { connections: 1024, pipelining: 1 });
const names = new Map<unknown, string>([[models.public, models.upstream]]);
const usageMark = Buffer.from('"usage":{');

/** Tokens that passed, so that reading them is no idle work. */
let tokens = 0;

class MinimalAiCall implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #isStream: boolean;
  readonly #pieces: Buffer[] = [];

  constructor(response: ServerResponse, isStream: boolean) {
    this.#response = response;
    this.#isStream = isStream;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#response.once('close', () => {
      if (!this.#response.writableEnded) controller.abort(new Error('the client went away'));
    });
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    if (this.#isStream) this.#response.writeHead(status, { 'content-type': 'text/event-stream; charset=utf-8' });
    else this.#response.statusCode = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isStream) {
      this.#pieces.push(chunk);
      return;
    }
    const at = chunk.indexOf(usageMark);
    if (at >= 0) countTokens(chunk.toString('utf8', at + usageMark.length - 1, chunk.indexOf(0x7d, at) + 1));
    if (this.#response.write(chunk)) return;
    controller.pause();
    this.#response.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    if (this.#isStream) {
      this.#response.end();
      return;
    }
    const body = Buffer.concat(this.#pieces);
    const { usage } = JSON.parse(body.toString('utf8')) as { usage?: { total_tokens?: number } };
    tokens += usage?.total_tokens ?? 0;
    this.#response.writeHead(this.#response.statusCode, {
      'content-type': 'application/json',
      'content-length': body.length,
    });
    this.#response.end(body);
  }

  onResponseError(): void {
    if (this.#response.headersSent) this.#response.destroy();
    else this.#response.writeHead(502).end();
  }
}

function countTokens(usage: string): void {
  tokens += (JSON.parse(usage) as { total_tokens?: number }).total_tokens ?? 0;
}

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.once('end', () => {
    const chat = JSON.parse(Buffer.concat(pieces).toString('utf8')) as { model: unknown; stream?: boolean };
    const body = JSON.stringify({ ...chat, model: names.get(chat.model) });
    const headers = ['content-type', 'application/json', 'authorization', 'Bearer bench-key'];
    pool.dispatch({ method: 'POST', path: chatPath, headers, body }, new MinimalAiCall(response, chat.stream === true));
  });
});

server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.once('SIGTERM', () => {
  process.stderr.write(`${tokens} tokens\n`);
  process.exit(0);
});
