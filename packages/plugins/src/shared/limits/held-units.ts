/**
 * Units that requests in flight may still be charged, per client. Bounded by the requests in flight: who holds units releases them
 * when its request ends, however it ends.
 */
export class HeldUnits {
  readonly #units = new Map<string, number>();

  of(client: string): number {
    return this.#units.get(client) ?? 0;
  }

  hold(client: string, units: number): void {
    this.#units.set(client, this.of(client) + units);
  }

  release(client: string, units: number): void {
    const left = this.of(client) - units;
    if (left > 0) this.#units.set(client, left);
    else this.#units.delete(client);
  }

  /** Clients that hold units. */
  get size(): number {
    return this.#units.size;
  }
}
