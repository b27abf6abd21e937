/** The fields of an acknowledgement that say what it is about. */
interface Acknowledged {
  readonly revision: number;
  readonly hash: string;
  readonly status: string;
}

/**
 * Makes one node of several workers towards the control plane: a configuration counts as applied once every worker serves it,
 * and as rejected as soon as one does not; heartbeats are those of the first worker.
 */
export class NodeReports {
  readonly #workers = new Set<number>();
  readonly #acks = new Map<number, Acknowledged>();
  #told = '';

  /** A worker began or ended. */
  setWorkers(slots: Iterable<number>): void {
    this.#workers.clear();
    for (const slot of slots) this.#workers.add(slot);
    for (const slot of [...this.#acks.keys()]) if (!this.#workers.has(slot)) this.#acks.delete(slot);
  }

  /** Whether a worker's heartbeats are the node's. */
  beats(slot: number): boolean {
    return slot === Math.min(...this.#workers);
  }

  /**
   * A worker acknowledged a configuration.
   * @returns what the control plane is to be told; `undefined` while others have not decided, or when it knows
   */
  acknowledge(slot: number, ack: Acknowledged): Acknowledged | undefined {
    this.#acks.set(slot, ack);
    return ack.status === 'applied' ? this.agreed() : this.#tell(ack);
  }

  /** What all workers acknowledged, if that is news; asked again when a worker ended. */
  agreed(): Acknowledged | undefined {
    const [first] = this.#acks.values();
    if (first === undefined || this.#acks.size < this.#workers.size) return undefined;
    for (const { revision, hash, status } of this.#acks.values()) {
      if (revision !== first.revision || hash !== first.hash || status !== 'applied') return undefined;
    }
    return this.#tell(first);
  }

  #tell(ack: Acknowledged): Acknowledged | undefined {
    const text = `${ack.revision} ${ack.hash} ${ack.status}`;
    if (text === this.#told) return undefined;
    this.#told = text;
    return ack;
  }
}
