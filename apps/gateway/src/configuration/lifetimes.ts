/** Something that is part of the generations from `born` to `died`. */
export interface Retired {
  readonly born: number;
  readonly died: number;
  /** No new request gets it: called once, when a generation after `died` begins to serve, at the latest before `free`. */
  readonly leave?: () => void;
  /** No request has it any more. */
  readonly free: () => void;
}

/**
 * Knows when what generations share may be freed. Generations have rising numbers; something that is part of those from `born` to
 * `died` is freed once none of these serves a request any more. So a request that lasts for days keeps what its own generation
 * has, and nothing that came later. A change costs what it retires, whatever the number of things that stay.
 */
export class Lifetimes {
  readonly #live = new Set<number>();
  #retired: Retired[] = [];
  /** Those of the retired that new requests still get. */
  #leaving: Retired[] = [];

  /** A generation begins to serve, in place of those before it. */
  begin(generation: number): void {
    this.#live.add(generation);
    const leaving = this.#leaving;
    this.#leaving = leaving.filter(({ died }) => died >= generation);
    for (const { died, leave } of leaving) if (died < generation) leave?.();
  }

  /** The last request of a generation is over, and another one took its place. */
  end(generation: number): void {
    this.#live.delete(generation);
    const free: Retired[] = [];
    this.#retired = this.#retired.filter((one) => this.#isUsed(one) || free.push(one) === 0);
    for (const one of free) one.free();
  }

  /** Something is part of no generation after `died`. It is freed now when none that has it is live. */
  retire(one: Retired): void {
    if (this.#isUsed(one)) {
      this.#retired.push(one);
      if (one.leave !== undefined) this.#leaving.push(one);
      return;
    }
    one.leave?.();
    one.free();
  }

  #isUsed({ born, died }: Retired): boolean {
    for (const generation of this.#live) if (generation >= born && generation <= died) return true;
    return false;
  }
}
