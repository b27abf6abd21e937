/** Certificates that are told of one by one: those that end first. */
export const shownExpiriesMax = 1000;

/** When a certificate ends. */
export interface CertificateExpiry {
  readonly certificateId: string;
  readonly notAfterMs: number;
}

/** The certificates of a generation that end first, {@link shownExpiriesMax} at most; worked out when it is first asked for. */
export type SoonestExpiries = () => readonly CertificateExpiry[];

/** When each certificate of a configuration ends. */
export class CertificateExpiries {
  #notAfterMs: ReadonlyMap<string, number> = new Map();
  readonly #changed = new Map<string, number | undefined>();
  #soonest: SoonestExpiries = () => [];

  /** @param notAfterMs milliseconds since 1970; `undefined` for a certificate that is no more */
  put(certificateId: string, notAfterMs: number | undefined): void {
    this.#changed.set(certificateId, notAfterMs);
  }

  /** Those that end first as it is now; the same function while nothing changed. */
  soonest(): SoonestExpiries {
    if (this.#changed.size === 0) return this.#soonest;
    const next = new Map(this.#notAfterMs);
    for (const [id, notAfterMs] of this.#changed) {
      if (notAfterMs === undefined) next.delete(id);
      else next.set(id, notAfterMs);
    }
    this.#changed.clear();
    this.#notAfterMs = next;
    let list: readonly CertificateExpiry[] | undefined;
    this.#soonest = () => (list ??= firstOf(next));
    return this.#soonest;
  }
}

function firstOf(notAfterMs: ReadonlyMap<string, number>): readonly CertificateExpiry[] {
  return Array.from(notAfterMs, ([certificateId, ms]) => ({ certificateId, notAfterMs: ms }))
    .toSorted((left, right) => left.notAfterMs - right.notAfterMs)
    .slice(0, shownExpiriesMax);
}
