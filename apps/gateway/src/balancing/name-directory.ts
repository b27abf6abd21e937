import type { NameResolver, ResolvedAddress } from '@portcullis/egress';

/** Bounds of how long an answer holds, whatever its TTL says: not asked all the time, and not kept for hours. */
export const ttlMsMin = 1000;
/** See {@link ttlMsMin}. */
export const ttlMsMax = 300_000;

/** When a name that could not be resolved is asked for again; each further time is twice as late. */
export const firstRetryMs = 1000;
/** No such pause is longer. */
export const retryMsMax = 30_000;

/** Questions that are out at once. */
export const questionsMax = 64;

/**
 * Addresses of one name that are used, whatever a name server says: each is an endpoint that is probed, reported and chosen among. A name that
 * has more keeps those that it had.
 */
export const addressesMax = 64;

/** Part of a pause that chance takes away: nodes that started together must not ask together for ever. */
const jitterShare = 0.1;

/** What a name stands for at present. */
export interface NameState {
  /** `pending` before the first answer; `failed` when there has never been one. */
  readonly status: 'pending' | 'resolved' | 'failed';
  /** Sorted. Kept while the name cannot be resolved again. */
  readonly addresses: readonly string[];
}

/** A look at a name. */
export interface NameWatch {
  readonly state: NameState;
  /** Not interested any more. The last one ends the asking. */
  release(): void;
}

/** What the directory needs of the process. */
export interface NamePorts {
  readonly resolver: NameResolver;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Calls back later. @returns what cancels it */
  readonly schedule: (callback: () => void, delayMs: number) => () => void;
  /** A name stands for more than {@link addressesMax} addresses. Told once for each name. */
  readonly onTooMany?: (name: string, count: number) => void;
}

interface Entry {
  state: NameState;
  readonly listeners: Set<() => void>;
  failures: number;
  cancel: (() => void) | undefined;
  hasTooMany: boolean;
}

const pending: NameState = { status: 'pending', addresses: [] };
const failed: NameState = { status: 'failed', addresses: [] };

/**
 * The names of all upstreams, each asked for once and then again when its answer has run out, whether requests come or not. No
 * request waits for that.
 */
export class NameDirectory {
  readonly #ports: NamePorts;
  readonly #entries = new Map<string, Entry>();
  readonly #waiting: string[] = [];
  #questions = 0;
  #isStopped = false;

  constructor(ports: NamePorts) {
    this.#ports = ports;
  }

  /** Looks at a name. @param onChange called when its state is another */
  watch(name: string, onChange: () => void): NameWatch {
    const key = name.toLowerCase();
    const entry = this.#entries.get(key) ?? this.#add(key);
    // A function of its own for each watch: two watches may have one listener.
    const listener = (): void => onChange();
    entry.listeners.add(listener);
    return {
      get state(): NameState {
        return entry.state;
      },
      release: () => {
        entry.listeners.delete(listener);
        if (entry.listeners.size > 0 || this.#entries.get(key) !== entry) return;
        entry.cancel?.();
        this.#entries.delete(key);
      },
    };
  }

  /** Nobody is asked any more. What is known stays. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.length = 0;
    for (const { cancel } of this.#entries.values()) cancel?.();
    this.#ports.resolver.stop();
  }

  #add(name: string): Entry {
    const entry: Entry = { state: pending, listeners: new Set(), failures: 0, cancel: undefined, hasTooMany: false };
    this.#entries.set(name, entry);
    const known = this.#ports.resolver.known(name);
    if (known !== undefined && known.length > 0) this.#take(name, entry, known);
    else this.#ask(name);
    return entry;
  }

  #ask(name: string): void {
    this.#waiting.push(name);
    this.#next();
  }

  #next(): void {
    while (this.#questions < questionsMax && !this.#isStopped) {
      const name = this.#waiting.shift();
      if (name === undefined) return;
      const entry = this.#entries.get(name);
      if (entry === undefined) continue;
      this.#questions += 1;
      this.#ports.resolver
        .resolve(name)
        .then(
          (addresses) => this.#take(name, entry, addresses),
          () => this.#fail(name, entry),
        )
        .finally(() => {
          this.#questions -= 1;
          this.#next();
        });
    }
  }

  #take(name: string, entry: Entry, resolved: readonly ResolvedAddress[]): void {
    if (this.#entries.get(name) !== entry) return;
    if (resolved.length === 0) {
      this.#fail(name, entry);
      return;
    }
    entry.failures = 0;
    const ttlMs = Math.min(...resolved.map(({ ttlSeconds }) => ttlSeconds)) * 1000;
    this.#askLater(name, entry, Math.min(ttlMsMax, Math.max(ttlMsMin, ttlMs)));
    const addresses = this.#bounded(name, entry, [...new Set(resolved.map(({ address }) => address))]);
    const { state } = entry;
    const isSame =
      state.status === 'resolved' &&
      state.addresses.length === addresses.length &&
      state.addresses.every((address, index) => address === addresses[index]);
    if (!isSame) this.#change(entry, { status: 'resolved', addresses });
  }

  #bounded(name: string, entry: Entry, found: readonly string[]): readonly string[] {
    if (found.length <= addressesMax) return found.toSorted();
    if (!entry.hasTooMany) this.#ports.onTooMany?.(name, found.length);
    entry.hasTooMany = true;
    const known = new Set(entry.state.addresses);
    const kept = found.toSorted((a, b) => Number(known.has(b)) - Number(known.has(a)) || (a < b ? -1 : 1));
    return kept.slice(0, addressesMax).toSorted();
  }

  /** What was known stays: an outage of name servers must not become one of everything. */
  #fail(name: string, entry: Entry): void {
    if (this.#entries.get(name) !== entry) return;
    this.#askLater(name, entry, Math.min(retryMsMax, firstRetryMs * 2 ** Math.min(entry.failures, 16)));
    entry.failures += 1;
    if (entry.state.status === 'pending') this.#change(entry, failed);
  }

  #change(entry: Entry, state: NameState): void {
    entry.state = state;
    for (const listener of [...entry.listeners]) listener();
  }

  #askLater(name: string, entry: Entry, delayMs: number): void {
    entry.cancel?.();
    if (this.#isStopped) return;
    const early = 1 - jitterShare * this.#ports.random();
    entry.cancel = this.#ports.schedule(() => this.#ask(name), delayMs * early);
  }
}
