import { type Placed, PlacedItems } from '@portcullis/egress';

/** What is watched: bytes that moved, and whether they are waited for. */
export interface WatchedBody extends Placed {
  readonly bytes: number;
  /** At the last sweep, when they were waited for; else not a number. The watch's own. */
  bytesBefore: number;
  readonly flowing: boolean;
  cut(): void;
}

/** A body has to bring this much in every window in which it is waited for. Source: decisions, 25. */
export const bodyBytesPerWindowMin = 1000;

/** See {@link bodyBytesPerWindowMin}: 100 bytes a second. There is no limit on the whole time. */
export const bodyWindowMs = 10_000;

/** Cuts senders that drip their bodies. One timer for all of them, running only while there are any. */
export class SlowBodyWatch {
  readonly #watched = new PlacedItems<WatchedBody>();
  readonly #windowMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(windowMs: number = bodyWindowMs) {
    this.#windowMs = windowMs;
  }

  /** Begins to watch. A body is first judged when it was watched for a whole window. */
  add(body: WatchedBody): void {
    body.bytesBefore = Number.NaN;
    this.#watched.add(body);
    this.#timer ??= setInterval(() => this.#sweep(), this.#windowMs).unref();
  }

  /** Ends it. */
  delete(body: WatchedBody): void {
    this.#watched.delete(body);
  }

  #sweep(): void {
    // The timer of what is over lives on until here: one body after the other would otherwise make a timer each.
    if (this.#watched.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#watched.forEach((body) => {
      const arrived = body.bytes - body.bytesBefore;
      if (body.flowing && arrived < bodyBytesPerWindowMin) body.cut();
      else body.bytesBefore = body.flowing ? body.bytes : Number.NaN;
    });
  }
}
