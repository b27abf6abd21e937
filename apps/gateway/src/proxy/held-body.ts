import { readWhole, type Allowance, type ReadOutcome } from '../transport/body-reader.ts';
import type { BodySource } from '../transport/body-source.ts';
import type { ArrivingBody, ByteBudget } from './byte-budget.ts';
import type { GatewayProblem } from './problems.ts';

/** A plugin may read at most this much of a body, whatever it asks for: as much as requests to AI models may have. */
export const bodyReadBytesMax: number = 64 * 1024 * 1024;

/** Longest body that a route holds back until it is whole, because its configuration says so. */
export const bufferedBytesMax: number = 16 * 1024 * 1024;

/** Whose body is held. */
export interface HoldOwner {
  readonly ports: { readonly heldBodies: ByteBudget };
  /** The process holds as many bytes as it may: the request is to end with this problem. */
  refuseHold(problem: GatewayProblem): void;
}

/**
 * A body that plugins may read into memory before it goes on. Nothing is read unless one asks. What is read counts against the
 * budget of the process until `release`.
 */
export class HeldBody implements Allowance, ArrivingBody {
  readonly #owner: HoldOwner;
  readonly #refusal: GatewayProblem;
  readonly #slowness: GatewayProblem;
  #source: BodySource;
  #bytes: Uint8Array | undefined;
  #pending: Promise<ReadOutcome> | undefined;
  /** Bytes of the budget that this body has. */
  #taken = 0;
  /** Of these, what is kept for bytes that are still to come. */
  #reserved = 0;
  #isReleased = false;
  /** Whether a read has begun, also one that found the body too long: the source is then what is left and what was read. */
  #isRead = false;

  /** See `ArrivingBody`. */
  arrived = 0;
  /** See `ArrivingBody`. */
  sinceMs = 0;
  #giveUp: ((error: Error) => void) | undefined;

  /**
   * @param refusal what the owner is told when there is no room
   * @param slowness what it is told when there is none for others, because this one comes slowly
   */
  constructor(source: BodySource, owner: HoldOwner, refusal: GatewayProblem, slowness: GatewayProblem) {
    this.#source = source;
    this.#owner = owner;
    this.#refusal = refusal;
    this.#slowness = slowness;
  }

  /** For the runtime. A bound property: it is passed on by itself. */
  readonly read = async (bytesMax: number, isOptional = false): Promise<Uint8Array | undefined> => {
    const limit = Math.min(bytesMax, bodyReadBytesMax);
    if (this.#pending !== undefined) await this.#settle();
    if (this.#isReleased) throw new Error('the request is over');
    if (this.#bytes !== undefined) return this.#bytes.length <= limit ? this.#bytes : undefined;
    const { length } = this.#source;
    if (length !== undefined && length > limit) return undefined;
    if (isOptional && !this.#reserve(length)) return undefined;
    if (!isOptional && length !== undefined && !this.#owner.ports.heldBodies.fits(length)) {
      this.#owner.refuseHold(this.#refusal);
      throw new Error(this.#refusal.detail);
    }
    this.#isRead = true;
    const pending = this.#readWhole(limit);
    this.#pending = pending;
    this.#keep(await pending);
    return this.#bytes;
  };

  giveWay(): void {
    this.#owner.refuseHold(this.#slowness);
    this.#source.pause();
    this.release();
    this.#giveUp?.(new Error(this.#slowness.detail));
  }

  /** What goes on: the bytes when they were read, else the stream. Waits for a read that its hook has given up. */
  async forward(): Promise<Uint8Array | BodySource> {
    await this.#settle();
    return this.#bytes ?? this.#source;
  }

  /** Whether nobody has read: the stream can go on at once. */
  get untouched(): boolean {
    return !this.#isRead;
  }

  take(bytes: number): boolean {
    if (this.#isReleased) return false;
    this.arrived += bytes;
    if (bytes <= this.#reserved) {
      this.#reserved -= bytes;
      return true;
    }
    if (!this.#owner.ports.heldBodies.take(bytes)) {
      this.#owner.refuseHold(this.#refusal);
      return false;
    }
    // It may have been the one that had to give way.
    if (this.#givesBack(bytes)) return false;
    this.#taken += bytes;
    return true;
  }

  #givesBack(bytes: number): boolean {
    if (this.#isReleased) this.#owner.ports.heldBodies.give(bytes);
    return this.#isReleased;
  }

  give(bytes: number): void {
    if (this.#isReleased) return;
    this.#taken -= bytes;
    this.#owner.ports.heldBodies.give(bytes);
  }

  /** The exchange is over: nothing is held any more, and nothing is read. Safe to call twice. */
  release(): void {
    this.give(this.#taken);
    this.#owner.ports.heldBodies.arrived(this);
    this.#isReleased = true;
    this.#bytes = undefined;
  }

  /** Room for the whole body, before any of it is read: then it cannot end in the middle. */
  #reserve(length: number | undefined): boolean {
    if (length === undefined || !this.#owner.ports.heldBodies.reserve(length)) return false;
    this.#taken += length;
    this.#reserved = length;
    return true;
  }

  async #readWhole(limit: number): Promise<ReadOutcome> {
    const { heldBodies } = this.#owner.ports;
    this.sinceMs = heldBodies.nowMs;
    this.arrived = 0;
    heldBodies.arrives(this);
    try {
      return await new Promise((resolve, reject) => {
        this.#giveUp = reject;
        readWhole(this.#source, limit, this).then(resolve, reject);
      });
    } finally {
      heldBodies.arrived(this);
    }
  }

  async #settle(): Promise<void> {
    if (this.#pending === undefined) return;
    this.#keep(await this.#pending);
  }

  #keep(outcome: ReadOutcome): void {
    this.#pending = undefined;
    if (!outcome.whole) this.#source = outcome.rest;
    else if (!this.#isReleased) this.#bytes = outcome.bytes;
  }
}
