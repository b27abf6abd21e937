import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { editResponse } from './minimal-policies.ts';

type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/** One request on its way through the minimal proxy: what undici hears goes to the client as it comes. */
export class MinimalCall implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #left: number | undefined;
  /** Bytes of a counted body that are still to come. */
  #bytesLeft = Number.POSITIVE_INFINITY;

  /** @param left of the rate limit; `undefined`: without policies */
  constructor(response: ServerResponse, left: number | undefined) {
    this.#response = response;
    this.#left = left;
  }

  onRequestStart(controller: Controller): void {
    this.#response.once('close', () => {
      if (!this.#response.writableEnded) controller.abort(new Error('the client went away'));
    });
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    if (status < 200) return;
    const pairs: string[] = [];
    for (const name in headers) {
      if (name === 'connection' || name === 'keep-alive' || name === 'transfer-encoding') continue;
      const value = headers[name];
      if (typeof value === 'string') pairs.push(name, value);
      else for (const line of value ?? []) pairs.push(name, line);
    }
    const length = headers['content-length'];
    if (typeof length === 'string') this.#bytesLeft = Number(length);
    if (this.#left !== undefined) editResponse(pairs, this.#left);
    this.#response.writeHead(status, pairs);
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#bytesLeft -= chunk.length;
    // The last bytes go out together with the end: one write for a small answer.
    if (this.#bytesLeft === 0) {
      this.#response.end(chunk);
      return;
    }
    if (this.#response.write(chunk)) return;
    controller.pause();
    this.#response.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    if (!this.#response.writableEnded) this.#response.end();
  }

  onResponseError(_controller: Controller, _error: Error): void {
    if (this.#response.headersSent) this.#response.destroy();
    else this.#response.writeHead(502).end();
  }
}
