/**
 * What becomes of the call that fails: the database refuses it; it is carried out, but its answer never comes; the connection
 * breaks; or others were at the same rows, and the transaction has to be run again. The last two are PostgreSQL's.
 */
export type FaultKind = 'refused' | 'unanswered' | 'disconnected' | 'conflict';

/** The kinds that a database can be made to show for real. */
export const faultKinds: Readonly<Record<'sqlite' | 'postgres', readonly FaultKind[]>> = {
  sqlite: ['refused', 'unanswered'],
  postgres: ['refused', 'unanswered', 'disconnected', 'conflict'],
};

/** Which call of a request to the database fails, and how. Calls are counted from 1 on while a fault is armed. */
export class FaultPlan {
  #armed: { readonly at: number; readonly kind: FaultKind } | undefined;
  #calls = 0;
  #fired: string | undefined;

  /** The call number `at` from now on will fail. */
  arm(at: number, kind: FaultKind): void {
    this.#armed = { at, kind };
    this.#calls = 0;
    this.#fired = undefined;
  }

  /** No further call fails. @returns what the call was that did, if there was one */
  disarm(): string | undefined {
    this.#armed = undefined;
    return this.#fired;
  }

  /** Counts a call. @returns how it has to fail, if it has to */
  next(call: string): FaultKind | undefined {
    if (this.#armed === undefined) return undefined;
    this.#calls += 1;
    if (this.#calls !== this.#armed.at) return undefined;
    this.#fired = call;
    return this.#armed.kind;
  }
}
