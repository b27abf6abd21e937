import type { Heartbeat } from '@portcullis/resources';
import type { ControlPlaneLink, KnownConfiguration, PostOutcome } from '../control-plane/control-plane-client.ts';
import { AckSender, type AckSenderPorts } from './ack-sender.ts';
import { NodeHealth } from './node-health.ts';
import { NodeReports } from './node-reports.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

type Call = Extract<FromWorker, { kind: 'call' }>;

/** One talk with the control plane that several workers wait for. */
interface SharedTalk {
  /** Send functions by worker and call. */
  readonly waiting: Map<string, { readonly id: number; readonly send: (message: ToWorker) => void }>;
  readonly controller: AbortController;
  /** The last one that the stream told. */
  revision: number | undefined;
}

/** The first process's side of {@link ControlPlaneLink}: what several workers ask at a time is asked once. */
export class ControlPlaneRelay {
  readonly #client: ControlPlaneLink;
  readonly #reports = new NodeReports();
  readonly #health = new NodeHealth();
  readonly #shared = new Map<string, SharedTalk>();
  readonly #posts = new Map<string, AbortController>();
  readonly #acks: AckSender;

  constructor(client: ControlPlaneLink, ports: AckSenderPorts) {
    this.#client = client;
    this.#acks = new AckSender(client, ports);
  }

  /** Which workers there are now. What only others asked for is given up. */
  setWorkers(slots: readonly number[]): void {
    this.#reports.setWorkers(slots);
    this.#health.setWorkers(slots);
    const isGone = (key: string): boolean => !slots.includes(Number(key.split(' ')[0]));
    for (const talk of this.#shared.values()) {
      for (const key of [...talk.waiting.keys()]) if (isGone(key)) this.#leave(talk, key);
    }
    for (const [key, controller] of [...this.#posts]) if (isGone(key)) controller.abort();
    this.#acknowledge(this.#reports.agreed());
  }

  /** A worker's call. */
  call(slot: number, { id, method, args }: Call, send: (message: ToWorker) => void): void {
    const key = `${slot} ${id}`;
    if (method === 'follow') this.#follow(key, id, send);
    else if (method === 'configuration') this.#configuration(args[0], key, id, send);
    else {
      this.#post(slot, key, args[0] as 'ack' | 'heartbeat' | 'observations', args[1])
        .then((value) => send({ kind: 'answer', id, value }))
        .catch(() => send({ kind: 'answer', id, value: 'unavailable' }));
    }
  }

  /** A worker gave a call up. */
  cancel(slot: number, id: number): void {
    const key = `${slot} ${id}`;
    for (const talk of this.#shared.values()) this.#leave(talk, key);
    this.#posts.get(key)?.abort();
  }

  async close(): Promise<void> {
    this.#acks.stop();
    await this.#client.close();
  }

  #follow(key: string, id: number, send: (message: ToWorker) => void): void {
    const talk = this.#join('follow', key, id, send, (own) =>
      this.#client.follow((revision) => {
        own.revision = revision;
        for (const one of own.waiting.values()) one.send({ kind: 'revision', id: one.id, revision });
      }, own.controller.signal),
    );
    if (talk.revision !== undefined) send({ kind: 'revision', id, revision: talk.revision });
  }

  #configuration(known: unknown, key: string, id: number, send: (message: ToWorker) => void): void {
    this.#join(`configuration ${JSON.stringify(known)}`, key, id, send, ({ controller }) =>
      this.#client.configuration(known as KnownConfiguration | undefined, controller.signal),
    );
  }

  #join(
    name: string,
    key: string,
    id: number,
    send: (message: ToWorker) => void,
    begin: (talk: SharedTalk) => Promise<unknown>,
  ): SharedTalk {
    const underway = this.#shared.get(name);
    if (underway !== undefined) {
      underway.waiting.set(key, { id, send });
      return underway;
    }
    const talk: SharedTalk = { waiting: new Map(), controller: new AbortController(), revision: undefined };
    talk.waiting.set(key, { id, send });
    this.#shared.set(name, talk);
    const end = (value: unknown): void => {
      if (this.#shared.get(name) === talk) this.#shared.delete(name);
      for (const one of talk.waiting.values()) one.send({ kind: 'answer', id: one.id, value });
    };
    talk.controller.signal.addEventListener('abort', () => this.#shared.delete(name), { once: true });
    begin(talk).then(end, () => end(name === 'follow' ? 'failed' : { kind: 'unavailable', reason: 'failed' }));
    return talk;
  }

  #leave(talk: SharedTalk, key: string): void {
    if (talk.waiting.delete(key) && talk.waiting.size === 0) talk.controller.abort();
  }

  async #post(
    slot: number,
    key: string,
    path: 'ack' | 'heartbeat' | 'observations',
    report: unknown,
  ): Promise<PostOutcome> {
    if (path === 'ack') {
      const ack = this.#reports.acknowledge(slot, report as Parameters<NodeReports['acknowledge']>[1]);
      this.#acknowledge(ack);
      return 'accepted';
    }
    const isHeartbeat = path === 'heartbeat';
    const whole = isHeartbeat ? this.#health.heartbeat(slot, this.#reports.beats(slot), report as Heartbeat) : report;
    if (whole === undefined) return 'accepted';
    const controller = new AbortController();
    this.#posts.set(key, controller);
    try {
      return await this.#client.post(path, whole, controller.signal);
    } finally {
      this.#posts.delete(key);
    }
  }

  #acknowledge(ack: object | undefined): void {
    if (ack !== undefined) this.#acks.send(ack);
  }
}
