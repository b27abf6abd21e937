import { setTimeout as delay } from 'node:timers/promises';
import type { ReportedCircuit, ReportedTarget } from '@portcullis/resources';
import type { PostOutcome } from './control-plane-client.ts';

/** How often a node says that it lives. Source: contract between gateway and control plane. */
const heartbeatMs = 5000;

/** Time between two heartbeats, however much changes: targets that flap must not fill the line. */
const heartbeatGapMs = 100;

/** Says so at once, every {@link heartbeatMs}, and whenever it is told that something changed. */
export class HeartbeatLoop {
  readonly #beat: () => Promise<unknown>;
  readonly #stop = new AbortController();
  #wake = new AbortController();
  #running: Promise<void> | undefined;

  /** @param beat sends one heartbeat; must not throw */
  constructor(beat: () => Promise<unknown>) {
    this.#beat = beat;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** The next heartbeat is due now. */
  now(): void {
    this.#wake.abort();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal: stopped } = this.#stop;
    while (!stopped.aborted) {
      this.#wake = new AbortController();
      await this.#beat();
      const signal = AbortSignal.any([stopped, this.#wake.signal]);
      await delay(heartbeatGapMs, undefined, { signal: stopped }).catch(() => undefined);
      await delay(heartbeatMs - heartbeatGapMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** What a heartbeat says beside the node's own state. */
export interface HeartbeatReports {
  /** Absent when the control plane has the list already. */
  readonly targets?: readonly ReportedTarget[];
  readonly circuits: readonly ReportedCircuit[];
}

/** Sends a heartbeat. A control plane that does not take the reports still hears that the node lives. */
export async function sendHeartbeat(
  post: (heartbeat: object) => Promise<PostOutcome>,
  state: object,
  reports: HeartbeatReports,
): Promise<PostOutcome> {
  const outcome = await post({ ...state, ...reports });
  if (outcome === 'dropped') await post(state);
  return outcome;
}
