import { Problem } from '../http/problem.ts';

/** Characters of texts that all exports together may hold at a time; more than four times what an import may send. */
export const exportCharactersMax: number = 256 * 1024 * 1024;

/** When a refused export may be tried again. */
const retryAfterSeconds = 10;

/** The memory that exports share while they wait for those who read them. */
export class ExportBudget {
  readonly #max: number;
  /** Characters of each tenant that has some. */
  readonly #ofTenants = new Map<string, number>();
  #used = 0;

  constructor(charactersMax: number = exportCharactersMax) {
    this.#max = charactersMax;
  }

  /** What is taken at present, in characters. */
  get used(): number {
    return this.#used;
  }

  /** The part of one export. A tenant may have all there is in one; in several, half, so that others have theirs. */
  open(tenantId: string): ExportMemory {
    let own = 0;
    const add = (characters: number): void => {
      own += characters;
      this.#used += characters;
      const left = this.#of(tenantId) + characters;
      if (left > 0) this.#ofTenants.set(tenantId, left);
      else this.#ofTenants.delete(tenantId);
    };
    return {
      take: (characters) => {
        const ofTenant = this.#of(tenantId);
        if (ofTenant > own && ofTenant + characters > this.#max / 2) throw refused('rate_limited', 'of this tenant ');
        if (this.#used + characters > this.#max) throw refused('unavailable', '');
        add(characters);
      },
      give: (characters) => add(-Math.min(own, characters)),
      giveAll: () => add(-own),
    };
  }

  #of(tenantId: string): number {
    return this.#ofTenants.get(tenantId) ?? 0;
  }
}

function refused(code: 'rate_limited' | 'unavailable', whose: string): Problem {
  return new Problem(code, `Too much ${whose}is being exported at once`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}

/** One export's part of the memory. */
export interface ExportMemory {
  /** @throws Problem `unavailable` when there is no room; `rate_limited` when other exports of the tenant take its own */
  take(characters: number): void;
  give(characters: number): void;
  giveAll(): void;
}
