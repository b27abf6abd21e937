/** A calendar unit in UTC, or a length in milliseconds counted from 1970. */
type Span = 'month' | 'year' | number;

/** One limit and the window that it is in now. Windows are aligned to the calendar, as `minute` and `day` suggest. */
export class LimitWindow {
  /** In the structured header fields; no two limits of a config have one name. */
  readonly name: string;
  /** In the older header names: `Minute`, or the seconds. */
  readonly label: string;
  readonly limit: number;
  /** Length in seconds; of a month or year, 30 and 365 days. */
  readonly nominalSeconds: number;
  readonly #span: Span;
  #startMs = 0;
  #endMs = 0;

  constructor(name: string, label: string, limit: number, span: Span) {
    this.name = name;
    this.label = label;
    this.limit = limit;
    this.nominalSeconds = span === 'month' ? 30 * DAY : span === 'year' ? 365 * DAY : span / 1000;
    this.#span = span;
  }

  /** The same for windows that begin and end together. */
  get spanName(): string {
    return String(this.#span);
  }

  get startMs(): number {
    return this.#startMs;
  }

  get endMs(): number {
    return this.#endMs;
  }

  /** Moves to the window that a moment is in. Costs two comparisons while it is the same one. */
  moveTo(nowMs: number): void {
    if (nowMs >= this.#startMs && nowMs < this.#endMs) return;
    this.#startMs = startOf(this.#span, nowMs);
    this.#endMs = endOf(this.#span, this.#startMs);
  }
}

/** An entry of `limits`. */
export interface WindowLimit {
  readonly limit: number;
  readonly window_seconds: number;
  readonly name?: string | undefined;
}

/** The fields in which a config says its limits. */
export interface LimitForms {
  readonly limit?: number | undefined;
  readonly window_seconds?: number | undefined;
  readonly second?: number | undefined;
  readonly minute?: number | undefined;
  readonly hour?: number | undefined;
  readonly day?: number | undefined;
  readonly month?: number | undefined;
  readonly year?: number | undefined;
  readonly limits?: readonly WindowLimit[] | undefined;
}

/** All limits of a config, in the order in which headers list them. */
export function limitWindows(config: LimitForms): readonly LimitWindow[] {
  const windows: LimitWindow[] = [];
  if (config.limit !== undefined && config.window_seconds !== undefined) {
    windows.push(
      new LimitWindow('default', labelOf(config.window_seconds), config.limit, config.window_seconds * 1000),
    );
  }
  for (const { field, span } of NAMED) {
    const limit = config[field];
    if (limit !== undefined) windows.push(new LimitWindow(field, titled(field), limit, span));
  }
  for (const [index, { limit, window_seconds: seconds, name }] of (config.limits ?? []).entries()) {
    windows.push(new LimitWindow(limitName(name, index), labelOf(seconds), limit, seconds * 1000));
  }
  return windows;
}

/** Name of an entry of `limits` in the headers: its own, or one by its place. */
export function limitName(name: string | undefined, index: number): string {
  return name ?? (index === 0 ? 'default' : `limit-${index + 1}`);
}

const DAY = 86_400;

const NAMED = [
  { field: 'second', span: 1000 },
  { field: 'minute', span: 60_000 },
  { field: 'hour', span: 3_600_000 },
  { field: 'day', span: DAY * 1000 },
  { field: 'month', span: 'month' },
  { field: 'year', span: 'year' },
] as const;

/** Seconds that have a name get it, as in Kong's headers. */
function labelOf(seconds: number): string {
  const named = NAMED.find(({ span }) => span === seconds * 1000);
  return named === undefined ? String(seconds) : titled(named.field);
}

function titled(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function startOf(span: Span, momentMs: number): number {
  if (typeof span === 'number') return Math.floor(momentMs / span) * span;
  const date = new Date(momentMs);
  return Date.UTC(date.getUTCFullYear(), span === 'month' ? date.getUTCMonth() : 0);
}

function endOf(span: Span, startMs: number): number {
  if (typeof span === 'number') return startMs + span;
  const date = new Date(startMs);
  return span === 'month'
    ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
    : Date.UTC(date.getUTCFullYear() + 1, 0);
}
