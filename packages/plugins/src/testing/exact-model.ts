import { limitWindows, type LimitForms } from '../shared/limits/limit-window.ts';

/** What a plain count decides: whether the request passes, and per window what is left and when a refused one has room. */
export interface Decided {
  readonly passes: boolean;
  readonly remaining: readonly number[];
}

interface Counted {
  readonly client: string;
  readonly atMs: number;
  readonly units: number;
}

/** For tests: a plain list of all that was counted, and a look through all of it for each decision. */
export class ExactModel {
  readonly #counted: Counted[] = [];

  /** Decides, and counts what passes, as one of any number of limiters that share the list. */
  take(config: LimitForms, isSliding: boolean, client: string, nowMs: number, cost: number): Decided {
    const windows = limitWindows(config).map(({ spanName, nominalSeconds, limit }) => {
      const counts = (atMs: number): boolean =>
        isSliding
          ? atMs > nowMs - nominalSeconds * 1000
          : calendarPlace(spanName, atMs) === calendarPlace(spanName, nowMs);
      return { limit, used: this.#sum((one) => one.client === client && counts(one.atMs)) };
    });
    const passes = windows.every(({ limit, used }) => used + cost <= limit);
    if (passes) this.charge(client, nowMs, cost);
    return { passes, remaining: windows.map(({ limit, used }) => Math.max(0, limit - used - (passes ? cost : 0))) };
  }

  charge(client: string, atMs: number, units: number): void {
    this.#counted.push({ client, atMs, units });
  }

  #sum(isMeant: (one: Counted) => boolean): number {
    return this.#counted.filter(isMeant).reduce((sum, { units }) => sum + units, 0);
  }
}

/** Says in which window of the calendar a moment lies, by the calendar's own words. */
function calendarPlace(spanName: string, atMs: number): string {
  const text = new Date(atMs).toISOString();
  if (spanName === 'year') return text.slice(0, 4);
  if (spanName === 'month') return text.slice(0, 7);
  return String(Math.floor(atMs / Number(spanName)));
}
