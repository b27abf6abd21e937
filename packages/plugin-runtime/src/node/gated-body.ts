import type { ServerResponse } from 'node:http';
import type { Chain } from '../chain.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { BodyReader } from '../peer-body.ts';
import type { StreamOutcome } from '../stream-chunk.ts';
import type { ResponseWriter, WriteCallback } from './response-writer.ts';

/** One `write` or `end` of an application. */
export interface Written {
  readonly chunk: string | Uint8Array | undefined;
  readonly encoding: BufferEncoding;
  readonly callback: WriteCallback | undefined;
  readonly isEnd: boolean;
}

const NO_BYTES = new Uint8Array(0);

/**
 * `staged`: what is written waits for the hooks of the response, which may read it. `held`: it waits for a stream hook.
 * `open`: it goes on. `dropped`: something else is sent in its place, or nothing.
 */
type Phase = 'staged' | 'held' | 'open' | 'dropped';

/** The body that an application writes, on its way to the client. */
export class GatedBody {
  readonly #response: ServerResponse;
  readonly #chain: Chain;
  readonly #exchange: ExchangeState;
  readonly #writer: ResponseWriter;
  #phase: Phase = 'open';
  #queue: Written[] = [];
  #queuedBytes = 0;
  /** Up to how many bytes somebody wants to read; below 0: nobody reads. */
  #wantedBytes = -1;
  #onQueued: (() => void)[] = [];
  #onOpen: (() => void)[] = [];
  #isBlocked = false;
  #hasEnd = false;
  #withHooks = false;
  #index = 0;

  constructor(response: ServerResponse, chain: Chain, exchange: ExchangeState, writer: ResponseWriter) {
    this.#response = response;
    this.#chain = chain;
    this.#exchange = exchange;
    this.#writer = writer;
  }

  /** Whether the hooks of the response run. */
  get isStaged(): boolean {
    return this.#phase === 'staged';
  }

  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  get hasEnd(): boolean {
    return this.#hasEnd;
  }

  /** What is written from now on waits for the hooks of the response. */
  stage(): void {
    this.#phase = 'staged';
  }

  /** Lets go on what waits and what comes. */
  open(withHooks: boolean): void {
    this.#withHooks = withHooks;
    this.#phase = 'open';
    this.#wantedBytes = -1;
    this.#tellOpen();
    while (this.#phase === 'open') {
      const written = this.#queue.shift();
      if (written === undefined) break;
      this.#pass(written);
    }
    if (this.#phase === 'open') this.#unblock();
  }

  /** Calls back once the hooks of the response are done, at once when they are. */
  whenOpen(callback: () => void): void {
    if (this.#phase === 'staged') this.#onOpen.push(callback);
    else callback();
  }

  /** One more piece from the application. @returns whether it may go on writing */
  write(written: Written): boolean {
    // Applications may say more than once that nothing more comes.
    if (this.#hasEnd && written.isEnd && written.chunk === undefined) return this.#drop(written);
    if (written.isEnd) this.#hasEnd = true;
    if (this.#phase === 'open') return this.#pass(written);
    if (this.#phase === 'dropped') return this.#drop(written);
    const isWanted = this.#queuedBytes <= this.#wantedBytes;
    this.#enqueue(isWanted ? withoutCallback(written) : written);
    if (!isWanted) this.#isBlocked = true;
    return isWanted;
  }

  /** The whole body as the application writes it; see `BodyReader`. It goes on to the client all the same. */
  readonly read: BodyReader = async (bytesMax) => {
    if (bytesMax > this.#wantedBytes) this.#wantedBytes = bytesMax;
    this.#release();
    while (this.#phase === 'staged' && !this.#isWhole && this.#queuedBytes <= bytesMax) {
      await new Promise<void>((resolve) => this.#onQueued.push(resolve));
    }
    if (this.#phase !== 'staged' || !this.#isWhole || this.#queuedBytes > bytesMax) return undefined;
    return Buffer.concat(this.#queue.map(bytesOf));
  };

  /** Sends a body in the place of the application's, whatever it still writes. */
  async replace(body: Uint8Array | ReadableStream<Uint8Array> | undefined, withHooks: boolean): Promise<void> {
    this.#phase = 'dropped';
    this.#withHooks = withHooks;
    const dropped = this.#queue;
    this.#queue = [];
    for (const written of dropped) this.#drop(written);
    this.#tellOpen();
    this.#unblock();
    try {
      if (body instanceof ReadableStream) await this.#pump(body);
      else if (!withHooks) this.#writer.end(body, 'utf8', undefined);
      else await this.#sendOwn(body ?? NO_BYTES, true);
    } catch {
      this.#cut();
    }
  }

  get #isWhole(): boolean {
    return this.#queue.at(-1)?.isEnd === true;
  }

  #enqueue(written: Written): void {
    this.#queue.push(written);
    this.#queuedBytes += bytesOf(written).length;
    const told = this.#onQueued;
    this.#onQueued = [];
    for (const tell of told) tell();
  }

  /** Lets an application go on that waits for what a reader wants. */
  #release(): void {
    if (this.#phase !== 'staged' || this.#queuedBytes > this.#wantedBytes) return;
    this.#queue = this.#queue.map(withoutCallback);
    this.#unblock();
  }

  #tellOpen(): void {
    for (const tell of [...this.#onOpen.splice(0), ...this.#onQueued.splice(0)]) tell();
  }

  /** Node emits `drain` itself when the socket was what the application had to wait for. */
  #unblock(): void {
    if (!this.#isBlocked) return;
    this.#isBlocked = false;
    if (this.#writer.mayWrite && !this.#hasEnd) this.#response.emit('drain');
  }

  #pass(written: Written): boolean {
    const { chunk, encoding, callback, isEnd } = written;
    if (!this.#withHooks) {
      if (!isEnd) return this.#writer.write(chunk ?? '', encoding, callback);
      this.#writer.end(chunk, encoding, callback);
      return true;
    }
    const outcome = this.#runHooks(bytesOf(written), isEnd);
    if (!(outcome instanceof Promise)) return this.#forward(outcome, isEnd, callback);
    this.#phase = 'held';
    this.#isBlocked = true;
    void outcome.then((late) => {
      this.#forward(late, isEnd, callback);
      if (this.#phase === 'held') this.open(true);
    });
    return false;
  }

  #runHooks(bytes: Uint8Array, last: boolean): StreamOutcome | Promise<StreamOutcome> {
    const index = this.#index;
    this.#index += 1;
    return this.#chain.runStream(this.#exchange, { bytes, index, last });
  }

  #forward(outcome: StreamOutcome, isEnd: boolean, callback: WriteCallback | undefined): boolean {
    if (outcome === 'failed') {
      this.#cut();
      return true;
    }
    if (isEnd) {
      this.#writer.end(outcome.length > 0 ? outcome : undefined, 'utf8', callback);
      return true;
    }
    if (outcome.length > 0) return this.#writer.write(outcome, 'utf8', callback);
    if (callback !== undefined) process.nextTick(callback);
    return this.#writer.mayWrite;
  }

  async #pump(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.getReader();
    const onClose = (): void => void reader.cancel().catch(() => undefined);
    this.#response.once('close', onClose);
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        await this.#sendOwn(next.value, false);
        if (this.#response.destroyed) return;
      }
    } catch (error) {
      onClose();
      throw error;
    } finally {
      this.#response.off('close', onClose);
    }
    if (this.#withHooks) await this.#sendOwn(NO_BYTES, true);
    else this.#writer.end(undefined, 'utf8', undefined);
  }

  async #sendOwn(bytes: Uint8Array, last: boolean): Promise<void> {
    const outcome = this.#withHooks ? await this.#runHooks(bytes, last) : bytes;
    if (this.#forward(outcome, last, undefined) || this.#response.destroyed) return;
    await drained(this.#response);
  }

  /** The response ends unfinished: the client has to notice. */
  #cut(): void {
    this.#phase = 'dropped';
    this.#queue = [];
    this.#response.destroy();
  }

  #drop({ callback }: Written): boolean {
    if (callback !== undefined) process.nextTick(callback);
    return true;
  }
}

/** Waits until the socket's buffer has room, or nobody is there any more. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      response.off('drain', stop);
      response.off('close', stop);
      resolve();
    };
    response.on('drain', stop);
    response.on('close', stop);
  });
}

function bytesOf({ chunk, encoding }: Written): Uint8Array {
  if (chunk === undefined) return NO_BYTES;
  return typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
}

function withoutCallback(written: Written): Written {
  if (written.callback !== undefined) process.nextTick(written.callback);
  return { ...written, callback: undefined };
}
