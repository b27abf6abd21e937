import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from './backoff.ts';
import { silentStream, type ControlPlaneLink, type KnownConfiguration } from './control-plane-client.ts';

/** Times of following. */
export const followerTimes = {
  /** How often the configuration is asked for as a safety net while the stream brings news. */
  pollMs: 10_000,
  /** How long the control plane may hold a request while the stream brings none, in seconds. */
  waitSeconds: 25,
  /** When a stream that stayed silent is tried again: what keeps it back will do so for a while. */
  silentRetryMs: 60_000,
} as const;

/** What came of a document: `unfit` asks for the whole configuration in place of a delta, `failed` for the same again later. */
export type Judgement = 'judged' | 'unfit' | 'failed';

/** What the follower tells and asks. */
export interface FollowerPorts {
  readonly client: ControlPlaneLink;
  readonly random: () => number;
  readonly monotonicMs: () => number;
  /** What is served, so that only news are sent. */
  readonly known: () => Pick<KnownConfiguration, 'revision' | 'hash' | 'refused'> | undefined;
  /** A document arrived. Resolves when it is served or refused. */
  readonly onDocument: (pieces: readonly string[]) => Promise<Judgement>;
  /** The control plane confirmed what is known. */
  readonly onUnchanged: () => void;
  readonly onConnected: (connected: boolean, reason: string) => void;
  readonly times?: { readonly [Name in keyof typeof followerTimes]?: number };
}

/**
 * Keeps the configuration up to date: pushed over the stream, and asked for with requests that the control plane holds while the
 * stream does not come through, as behind proxies that keep it back. One request and one document at a time: what is published
 * while a document is built is fetched after it, and only the last of it.
 */
export class Follower {
  readonly #ports: FollowerPorts;
  readonly #times: { readonly [Name in keyof typeof followerTimes]: number };
  readonly #stop = new AbortController();
  readonly #backoff: Backoff;
  #running: Promise<unknown> | undefined;
  /** Whether the stream has brought an event since it was opened. */
  #isStreaming = false;
  #wantsWhole = false;
  /** Ends a pause, or a request that is held, because there are news. */
  #wake = new AbortController();
  #isHeld = false;

  constructor(ports: FollowerPorts) {
    this.#ports = ports;
    this.#times = { ...followerTimes, ...ports.times };
    this.#backoff = new Backoff(ports.random);
  }

  start(): void {
    this.#running = Promise.all([this.#followStream(), this.#keepFetching()]);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #followStream(): Promise<void> {
    const { signal } = this.#stop;
    const backoff = new Backoff(this.#ports.random);
    while (!signal.aborted) {
      const reason = await this.#ports.client.follow((revision) => {
        backoff.reset();
        this.#isStreaming = true;
        this.#ports.onConnected(true, '');
        if (this.#ports.known()?.revision === revision) this.#ports.onUnchanged();
        else this.#poke();
      }, signal);
      this.#isStreaming = false;
      if (signal.aborted) return;
      if (reason === silentStream) {
        this.#poke();
        await pause(this.#times.silentRetryMs, signal);
        continue;
      }
      this.#ports.onConnected(false, reason);
      await pause(backoff.next(), signal);
    }
  }

  async #keepFetching(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const pauseMs = await this.#fetchOnce(AbortSignal.any([signal, this.#wake.signal]));
      // News that came meanwhile are fetched at once.
      await pause(pauseMs, AbortSignal.any([signal, this.#wake.signal]));
    }
  }

  /** There are news, or another way to hear of them: a pause ends, and a request that is only held is given up. */
  #poke(): void {
    if (this.#isHeld || !this.#isFetching) this.#wake.abort();
    else this.#isPoked = true;
  }

  #isFetching = false;
  #isPoked = false;

  /** @returns how long to pause before the next one, in milliseconds */
  async #fetchOnce(wake: AbortSignal): Promise<number> {
    const known = this.#wantsWhole ? undefined : this.#ports.known();
    const holds = known !== undefined && !this.#isStreaming;
    this.#isFetching = true;
    this.#isHeld = holds;
    this.#isPoked = false;
    const startedMs = this.#ports.monotonicMs();
    const asked = known && { ...known, ...(holds && { waitSeconds: this.#times.waitSeconds }) };
    const fetched = await this.#ports.client.configuration(asked, holds ? wake : this.#stop.signal);
    this.#isHeld = false;
    const outcome = await this.#act(fetched);
    this.#isFetching = false;
    if (this.#stop.signal.aborted || this.#isPoked || wake.aborted) return 0;
    if (outcome === 'again') return 0;
    if (outcome === 'failed') return this.#backoff.next();
    this.#backoff.reset();
    if (this.#isStreaming) return this.#times.pollMs;
    // A control plane that does not hold requests, or a document, answers at once: it is not asked in a tight loop.
    const heldMs = this.#ports.monotonicMs() - startedMs;
    return outcome === 'news' || heldMs > (this.#times.waitSeconds * 1000) / 2 ? 0 : this.#times.pollMs;
  }

  async #act(
    fetched: Awaited<ReturnType<ControlPlaneLink['configuration']>>,
  ): Promise<'news' | 'nothing' | 'again' | 'failed'> {
    if (this.#stop.signal.aborted || (fetched.kind === 'unavailable' && this.#wake.signal.aborted)) return 'again';
    if (fetched.kind === 'unchanged') {
      if (!this.#isStreaming) this.#ports.onConnected(true, '');
      this.#ports.onUnchanged();
      return 'nothing';
    }
    if (fetched.kind === 'document') {
      if (!this.#isStreaming) this.#ports.onConnected(true, '');
      const wasWhole = this.#wantsWhole;
      const judgement = await this.#ports.onDocument(fetched.pieces);
      this.#wantsWhole = judgement === 'unfit' && !wasWhole;
      if (judgement === 'judged') return 'news';
      return this.#wantsWhole ? 'again' : 'failed';
    }
    this.#ports.onConnected(false, fetched.reason);
    return 'failed';
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0) return;
  await delay(milliseconds, undefined, { signal }).catch(() => undefined); // An abort ends the wait, nothing else can.
}
