import type { Database } from '../database/database.ts';
import { gatewayRevision } from './gateway-revision.ts';

/** Longest wait that a node may ask for, in seconds: below what proxies let an answer take. */
export const waitSecondsMax = 50;

/** Nodes that may wait at a time, and how often one of them may. A node has one wait, and a second while it reconnects. */
export const waitLimits = { all: 2000, perNode: 4 } as const;

/** Who waits for which revision to pass. */
export interface WaitInput {
  readonly nodeKey: string;
  readonly tenantId: string;
  readonly gatewayId: string;
  readonly revision: number;
  readonly timeoutMs: number;
  /** Whether the node's token is still good; asked at every change. */
  readonly isKnown: () => Promise<boolean>;
  /** Fires when the node goes away or the service shuts down. */
  readonly signal: AbortSignal;
}

/** Holds the requests of nodes that cannot keep a stream until there is something to tell them. */
export class ConfigurationWaits {
  readonly #database: Database;
  readonly #waiting = new Map<string, number>();
  #count = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether one more may wait. */
  hasRoom(nodeKey: string): boolean {
    return this.#count < waitLimits.all && (this.#waiting.get(nodeKey) ?? 0) < waitLimits.perNode;
  }

  /** Resolves when the gateway's revision is another one, the time is over, or the node is not to be answered any more. */
  async wait(input: WaitInput): Promise<void> {
    this.#add(input.nodeKey, 1);
    const woken = wakeable();
    const unsubscribe = this.#database.subscribe((notice) => {
      if (notice.tenantId === input.tenantId || notice.tenantId === '') woken.wake();
    });
    const timer = setTimeout(() => woken.end(), input.timeoutMs);
    const end = (): void => woken.end();
    input.signal.addEventListener('abort', end, { once: true });
    if (input.signal.aborted) end();
    try {
      while (!woken.isOver) {
        // Looked up after the subscription, so that no change falls between the two.
        const revision = await gatewayRevision(this.#database.read, input.tenantId, input.gatewayId);
        if (revision !== input.revision || !(await input.isKnown())) return;
        await woken.next();
      }
    } finally {
      unsubscribe();
      clearTimeout(timer);
      input.signal.removeEventListener('abort', end);
      this.#add(input.nodeKey, -1);
    }
  }

  #add(nodeKey: string, change: 1 | -1): void {
    this.#count += change;
    const left = (this.#waiting.get(nodeKey) ?? 0) + change;
    if (left > 0) this.#waiting.set(nodeKey, left);
    else this.#waiting.delete(nodeKey);
  }
}

/** Something to sleep on that remembers a call that came while nobody slept. */
function wakeable() {
  let isAwake = false;
  let isOver = false;
  let resolve: (() => void) | undefined;
  const wake = (): void => {
    isAwake = true;
    resolve?.();
  };
  return {
    wake,
    get isOver() {
      return isOver;
    },
    end(): void {
      isOver = true;
      wake();
    },
    async next(): Promise<void> {
      if (!isAwake) await new Promise<void>((done) => (resolve = done));
      [isAwake, resolve] = [isOver, undefined];
    },
  };
}
