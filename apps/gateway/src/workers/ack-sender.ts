import { Backoff } from '../control-plane/backoff.ts';
import type { ControlPlaneLink } from '../control-plane/control-plane-client.ts';

/** Clock and randomness for the pauses. */
export interface AckSenderPorts {
  readonly random: () => number;
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
}

/** Sends a node's acknowledgements, one at a time, each until the control plane has it or a later one takes its place. */
export class AckSender {
  readonly #client: Pick<ControlPlaneLink, 'post'>;
  readonly #ports: AckSenderPorts;
  readonly #backoff: Backoff;
  readonly #stop = new AbortController();
  #next: object | undefined;
  #isBusy = false;
  #cancelPause: (() => void) | undefined;

  constructor(client: Pick<ControlPlaneLink, 'post'>, ports: AckSenderPorts) {
    this.#client = client;
    this.#ports = ports;
    this.#backoff = new Backoff(ports.random);
  }

  /** Takes the place of one that is not sent yet. */
  send(ack: object): void {
    this.#next = ack;
    this.#backoff.reset();
    this.#cancelPause?.();
    this.#cancelPause = undefined;
    if (!this.#isBusy) void this.#post(ack); // No call of the client throws.
  }

  stop(): void {
    this.#stop.abort();
    this.#cancelPause?.();
  }

  async #post(ack: object): Promise<void> {
    this.#isBusy = true;
    const outcome = await this.#client.post('ack', ack, this.#stop.signal);
    this.#isBusy = false;
    if (this.#stop.signal.aborted) return;
    const next = this.#next;
    if (next !== undefined && next !== ack) void this.#post(next);
    else if (outcome === 'unavailable') {
      this.#cancelPause = this.#ports.setTimer(() => {
        this.#cancelPause = undefined;
        void this.#post(ack);
      }, this.#backoff.next());
    } else this.#next = undefined;
  }
}
