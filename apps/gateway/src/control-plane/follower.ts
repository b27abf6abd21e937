import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from './backoff.ts';
import type { ControlPlaneClient } from './control-plane-client.ts';

/** How often the configuration is asked for while the stream is down, and as a safety net while it is up. */
const pollMs = 10_000;

/** What the follower tells and asks. */
export interface FollowerPorts {
  readonly client: ControlPlaneClient;
  readonly random: () => number;
  /** What is known already, so that only news are sent. */
  readonly known: () => { revision: number; hash: string } | undefined;
  /** A document arrived. Resolves when it is served or refused. */
  readonly onDocument: (text: string) => Promise<void>;
  /** The control plane confirmed what is known. */
  readonly onUnchanged: () => void;
  readonly onConnected: (connected: boolean, reason: string) => void;
}

/** Keeps the configuration up to date: pushed over the stream, polled while that is down. One fetch at a time. */
export class Follower {
  readonly #ports: FollowerPorts;
  readonly #stop = new AbortController();
  #running: Promise<unknown> | undefined;
  #fetching: Promise<void> | undefined;
  #again = false;

  constructor(ports: FollowerPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#running = Promise.all([this.#followStream(), this.#poll()]);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#fetching;
  }

  async #followStream(): Promise<void> {
    const { signal } = this.#stop;
    const backoff = new Backoff(this.#ports.random);
    while (!signal.aborted) {
      const reason = await this.#ports.client.follow((revision) => {
        backoff.reset();
        this.#ports.onConnected(true, '');
        if (this.#ports.known()?.revision !== revision) this.#fetch();
        else this.#ports.onUnchanged();
      }, signal);
      if (signal.aborted) return;
      this.#ports.onConnected(false, reason);
      await wait(backoff.next(), signal);
    }
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stop;
    this.#fetch();
    while (!signal.aborted) {
      await wait(pollMs, signal);
      if (!signal.aborted) this.#fetch();
    }
  }

  /** Fetches now, or once more after the fetch that is under way: the news may have come after its answer was made. */
  #fetch(): void {
    if (this.#fetching !== undefined) {
      this.#again = true;
      return;
    }
    this.#fetching = this.#fetchOnce().finally(() => {
      this.#fetching = undefined;
      if (this.#again && !this.#stop.signal.aborted) this.#fetch();
      this.#again = false;
    });
  }

  async #fetchOnce(): Promise<void> {
    this.#again = false;
    const fetched = await this.#ports.client.configuration(this.#ports.known(), this.#stop.signal);
    if (this.#stop.signal.aborted) return;
    if (fetched.kind === 'document') await this.#ports.onDocument(fetched.text);
    else if (fetched.kind === 'unchanged') this.#ports.onUnchanged();
    else if (fetched.kind === 'refused') this.#ports.onConnected(false, 'the control plane refused the token');
    else this.#ports.onConnected(false, fetched.reason);
  }
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined); // An abort ends the wait, nothing else can.
}
