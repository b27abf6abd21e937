import type { Clock } from '@portcullis/plugin-runtime';

/** Something that instances of one tenant and namespace share. */
export interface HeldSpace<Space> {
  readonly space: Space;
  /** Says that this instance needs it no more. Call once, when the instance is disposed. */
  readonly release: () => void;
}

/**
 * What instances of a plugin share within a process, by tenant and namespace. A space lives as long as an instance holds it: a new
 * configuration sets its instances up before the old ones are disposed, so a space outlives edits, and is gone with its last instance.
 * There are at most as many spaces as running instances.
 */
export class ProcessSpaces<Space> {
  /** By clock: a process has one, and tests have one each. */
  readonly #processes = new WeakMap<Clock, Map<string, Counted<Space>>>();
  readonly #onGone: (space: Space) => void;

  /** @param onGone is told when nobody holds a space any more */
  constructor(onGone: (space: Space) => void = () => undefined) {
    this.#onGone = onGone;
  }

  /**
   * The space of a tenant's namespace, made where there is none.
   * @param parts what tells it apart: the tenant's ID and whatever instances must agree on
   */
  hold(clock: Clock, parts: readonly (string | number)[], make: () => Space): HeldSpace<Space> {
    const key = JSON.stringify(parts);
    const spaces = this.#spacesOf(clock);
    const counted = spaces.get(key) ?? { space: make(), holders: 0 };
    counted.holders += 1;
    spaces.set(key, counted);
    const release = (): void => {
      counted.holders -= 1;
      if (counted.holders > 0) return;
      spaces.delete(key);
      this.#onGone(counted.space);
    };
    return { space: counted.space, release };
  }

  #spacesOf(clock: Clock): Map<string, Counted<Space>> {
    const known = this.#processes.get(clock);
    if (known !== undefined) return known;
    const spaces = new Map<string, Counted<Space>>();
    this.#processes.set(clock, spaces);
    return spaces;
  }
}

interface Counted<Space> {
  readonly space: Space;
  holders: number;
}
