import { Problem } from '../http/problem.ts';
import { partLimits, type BatchPart } from './batch-parts.ts';

/** Counters and records that may wait, of all tenants and of one: some seconds of what a busy service gets. */
export const waitingMax = { all: 100_000, tenant: 40_000 } as const;

/** How long a node shall wait that is refused, seconds. */
const retryAfterSeconds = '2';

interface Waiting<Result> {
  readonly part: BatchPart;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Parts of batches that wait to be written, first come, first served. While one group is written the next one gathers: the busier it
 * is, the more parts share a transaction, and the rows of a gateway's counters are read and written once for all of them.
 */
export class IngestQueue<Result> {
  readonly #write: (parts: readonly BatchPart[]) => Promise<readonly Result[]>;
  readonly #waiting: Waiting<Result>[] = [];
  readonly #ofTenants = new Map<string, number>();
  #weight = 0;
  #isWriting = false;

  /** @param write writes a group, all or nothing, and gives a result for each part */
  constructor(write: (parts: readonly BatchPart[]) => Promise<readonly Result[]>) {
    this.#write = write;
  }

  /**
   * Waits until all parts of a batch are written.
   * @throws Problem `unavailable` when too much waits; what the writing throws. Then some parts may be written: send all again
   */
  async add(parts: readonly BatchPart[]): Promise<readonly Result[]> {
    const [first] = parts;
    if (!first) return [];
    const weight = parts.reduce((sum, part) => sum + weightOf(part), 0);
    const { tenantId } = first.node;
    const own = this.#ofTenants.get(tenantId) ?? 0;
    // Who finds nothing waiting is let in whatever it weighs.
    if (this.#weight > 0 && (this.#weight + weight > waitingMax.all || own + weight > waitingMax.tenant)) {
      throw new Problem('unavailable', 'Too many observations wait to be counted', {
        headers: { 'retry-after': retryAfterSeconds },
      });
    }
    this.#take(tenantId, weight);
    const settled = await Promise.allSettled(parts.map((part) => this.#enter(part)));
    this.#take(tenantId, -weight);
    return settled.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }

  #enter(part: BatchPart): Promise<Result> {
    const result = new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ part, resolve, reject });
    });
    if (!this.#isWriting) void this.#run();
    return result;
  }

  async #run(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const group = this.#nextGroup();
      if (await this.#writeGroup(group)) continue;
      // One that cannot be written is no reason to refuse the others.
      for (const one of group) await this.#writeGroup([one], true);
    }
    this.#isWriting = false;
  }

  /** At least one part, and no more than one full part together. */
  #nextGroup(): Waiting<Result>[] {
    let [counters, records, count] = [0, 0, 0];
    for (const { part } of this.#waiting) {
      counters += part.counters.length;
      records += part.records.length;
      if (count > 0 && (counters > partLimits.counters || records > partLimits.records)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** @param isLast whether its parts fail with it; otherwise `false` is given back for a group of several that failed */
  async #writeGroup(group: readonly Waiting<Result>[], isLast = group.length === 1): Promise<boolean> {
    try {
      const results = await this.#write(group.map(({ part }) => part));
      group.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (result === undefined) reject(new TypeError('a part has no result'));
        else resolve(result);
      });
      return true;
    } catch (error) {
      if (!isLast) return false;
      for (const { reject } of group) reject(error);
      return true;
    }
  }

  #take(tenantId: string, weight: number): void {
    this.#weight += weight;
    const left = (this.#ofTenants.get(tenantId) ?? 0) + weight;
    if (left > 0) this.#ofTenants.set(tenantId, left);
    else this.#ofTenants.delete(tenantId);
  }
}

/** An empty part waits for its turn, too. */
function weightOf({ counters, records }: BatchPart): number {
  return 1 + counters.length + records.length;
}
