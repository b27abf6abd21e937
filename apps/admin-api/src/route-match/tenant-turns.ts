/** Work of one tenant, with what waits behind it. */
type Waiting = () => void;

/**
 * Runs long work, some at a time and of one tenant one at a time. Tenants take turns: however much one asks for, another waits
 * for one piece of it at most.
 */
export class TenantTurns {
  readonly #atOnce: number;
  readonly #running = new Set<string>();
  /** By tenant, in the order in which they last had a turn; none of the lists is empty. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** @param atOnce pieces of work that run at the same time */
  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Runs a tenant's work when it is its turn. */
  async run<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#running.size >= this.#atOnce || this.#running.has(tenantId)) {
      await new Promise<void>((resolve) => this.#wait(tenantId, resolve));
    } else this.#running.add(tenantId);
    try {
      return await work();
    } finally {
      this.#running.delete(tenantId);
      this.#startNext();
    }
  }

  #wait(tenantId: string, begin: Waiting): void {
    const line = this.#waiting.get(tenantId);
    if (line === undefined) this.#waiting.set(tenantId, [begin]);
    else line.push(begin);
  }

  #startNext(): void {
    for (const [tenantId, line] of this.#waiting) {
      if (this.#running.size >= this.#atOnce) return;
      if (this.#running.has(tenantId)) continue;
      const [begin, ...rest] = line;
      this.#waiting.delete(tenantId);
      if (rest.length > 0) this.#waiting.set(tenantId, rest);
      this.#running.add(tenantId);
      begin?.();
    }
  }
}
