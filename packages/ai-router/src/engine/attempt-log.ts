import type { Attempt, AttemptOutcome } from '../attempt.ts';

/** Characters of the header that lists attempts. Source: ai, Attempt list and headers. */
export const ATTEMPTS_HEADER_LENGTH_MAX = 4096;

/** Characters of the list in a record, so that the record as a whole stays within what observations hold. */
export const ATTEMPTS_RECORD_LENGTH_MAX = 2048;

/** An attempt while it goes. */
export interface OpenAttempt {
  readonly provider: string;
  readonly model: string;
  readonly startedAtMs: number;
  /** On the monotonic clock. */
  readonly begunMs: number;
}

/** How an attempt ended. */
export interface AttemptEnd {
  readonly outcome: AttemptOutcome;
  readonly status?: number | undefined;
  readonly errorClass?: string | undefined;
  readonly isRetryable?: boolean;
  readonly ttftMs?: number | undefined;
}

/** The attempts of one request, in their order. */
export class AttemptLog {
  readonly #attempts: Attempt[] = [];

  /** The attempt that decided: the last that was made; of attempts that were all skipped, the last. */
  get decisive(): Attempt | undefined {
    const last = this.#attempts.at(-1);
    return last?.outcome === 'skipped' ? (this.#attempts.findLast(isMade) ?? last) : last;
  }

  /** How many attempts came before the one that decided. Source: ai, Attempt list and headers. */
  get fallbackCount(): number {
    return this.decisive?.index ?? 0;
  }

  all(): readonly Attempt[] {
    return this.#attempts;
  }

  add(open: OpenAttempt, end: AttemptEnd, nowMs: number): void {
    this.#attempts.push(ended(open, end, nowMs, this.#attempts.length));
  }

  /** Says of the last attempt what became of it after it was added: of a stream that had begun. */
  amend(open: OpenAttempt, end: AttemptEnd, nowMs: number): void {
    const index = this.#attempts.length - 1;
    this.#attempts[index] = ended(open, end, nowMs, index);
  }
}

function isMade({ outcome }: Attempt): boolean {
  return outcome !== 'skipped';
}

function ended(open: OpenAttempt, end: AttemptEnd, nowMs: number, index: number): Attempt {
  return {
    index,
    provider: open.provider,
    model: open.model,
    outcome: end.outcome,
    status: end.status ?? null,
    error_class: end.errorClass ?? null,
    retryable: end.isRetryable ?? false,
    latency_ms: roundedMs(nowMs - open.begunMs),
    ttft_ms: end.ttftMs === undefined ? null : roundedMs(end.ttftMs),
    started_at: timeTextOf(open.startedAtMs),
  };
}

const MS_PER_SECOND = 1000;

/** The second that was written last, and its text: making it anew for each attempt takes longer than the rest of the attempt's record. */
let knownSecond = Number.NaN;
let knownText = '';

function timeTextOf(ms: number): string {
  const whole = Math.floor(ms);
  const second = Math.floor(whole / MS_PER_SECOND);
  if (second !== knownSecond) {
    knownSecond = second;
    knownText = new Date(second * MS_PER_SECOND).toISOString().slice(0, -'000Z'.length);
  }
  return `${knownText}${String(whole - second * MS_PER_SECOND).padStart(3, '0')}Z`;
}

/** Milliseconds as records show them: to the microsecond. */
export function roundedMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/**
 * The list, bounded: where it is too long, attempts between the first and the last are left out, the earlier ones last.
 * @param lengthMax of its JSON
 */
export function boundedAttempts(attempts: readonly Attempt[], lengthMax: number): readonly Attempt[] {
  const kept = [...attempts];
  while (kept.length > 1 && asciiJson(kept).length > lengthMax) kept.splice(Math.max(kept.length - 2, 0), 1);
  return kept;
}

/** JSON of printable ASCII. */
export function asciiJson(value: unknown): string {
  const json = JSON.stringify(value);
  return NOT_ASCII.test(json) ? json.replace(EACH_NOT_ASCII, escaped) : json;
}

const NOT_ASCII = /[^\x20-\x7e]/;
const EACH_NOT_ASCII = /[^\x20-\x7e]/g;

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The value of the header `X-Gateway-AI-Attempts`. */
export function attemptsHeader(attempts: readonly Attempt[]): string {
  const whole = asciiJson(attempts);
  return whole.length <= ATTEMPTS_HEADER_LENGTH_MAX
    ? whole
    : asciiJson(boundedAttempts(attempts, ATTEMPTS_HEADER_LENGTH_MAX));
}
