import type {
  ControlPlaneLink,
  FetchedConfiguration,
  KnownConfiguration,
  PostOutcome,
} from '../control-plane/control-plane-client.ts';
import type { FromWorker, RelayedMethod, ToWorker } from './worker-messages.ts';

interface OpenCall {
  readonly resolve: (value: unknown) => void;
  readonly onRevision: ((revision: number) => void) | undefined;
}

/** What a call that was given up comes to. */
const givenUp = {
  configuration: { kind: 'unavailable', reason: 'given up' },
  follow: 'given up',
  post: 'unavailable',
} as const satisfies Record<RelayedMethod, unknown>;

/** The control plane as a worker reaches it: through the first process, which talks with it once for all workers. */
export class RelayedControlPlane implements ControlPlaneLink {
  readonly #send: (message: FromWorker) => void;
  readonly #open = new Map<number, OpenCall>();
  #lastId = 0;

  constructor(send: (message: FromWorker) => void) {
    this.#send = send;
  }

  /** Takes a message of the first process. */
  take(message: ToWorker): void {
    if (message.kind === 'revision') this.#open.get(message.id)?.onRevision?.(message.revision);
    else if (message.kind === 'answer') this.#close(message.id, message.value);
  }

  async configuration(known: KnownConfiguration | undefined, signal: AbortSignal): Promise<FetchedConfiguration> {
    return (await this.#call('configuration', [known], signal)) as FetchedConfiguration;
  }

  async follow(onRevision: (revision: number) => void, signal: AbortSignal): Promise<string> {
    return (await this.#call('follow', [], signal, onRevision)) as string;
  }

  async post(path: 'ack' | 'heartbeat' | 'observations', report: unknown, signal: AbortSignal): Promise<PostOutcome> {
    return (await this.#call('post', [path, report], signal)) as PostOutcome;
  }

  async close(): Promise<void> {
    for (const id of this.#open.keys()) this.#close(id, 'unavailable');
  }

  #call(
    method: RelayedMethod,
    args: readonly unknown[],
    signal: AbortSignal,
    onRevision?: (revision: number) => void,
  ): Promise<unknown> {
    if (signal.aborted) return Promise.resolve(givenUp[method]);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const onAbort = (): void => {
        this.#send({ kind: 'cancel', id });
        this.#close(id, givenUp[method]);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#open.set(id, {
        onRevision,
        resolve: (value) => {
          signal.removeEventListener('abort', onAbort);
          resolve(value);
        },
      });
      this.#send({ kind: 'call', id, method, args });
    });
  }

  #close(id: number, value: unknown): void {
    const call = this.#open.get(id);
    this.#open.delete(id);
    call?.resolve(value);
  }
}
