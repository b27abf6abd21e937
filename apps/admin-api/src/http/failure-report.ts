import type { Log } from '../logging.ts';
import { Problem } from './problem.ts';

/**
 * Why a 503 was answered: the database is out of reach, full or too busy; too many passwords wait to be hashed; or as much
 * other heavy work (large documents, bundles) as is allowed at once is under way.
 */
export const unavailableCauses = ['database', 'password_hashing', 'heavy_work'] as const;

/** One of {@link unavailableCauses}. */
export type UnavailableCause = (typeof unavailableCauses)[number];

/** What becomes of anything that was thrown while a request was answered. */
export interface FailureReport {
  /**
   * The problem that the caller is told. A {@link Problem} says what its maker meant the caller to read; anything else is a
   * bug or a broken part and leaves as `internal` or `unavailable`. Source: wire contract, Errors.
   */
  problemOf(thrown: unknown, requestId: string): Problem;
}

/** What a report works with. */
export interface FailureReportParts {
  readonly log: Log;
  /** A monotonic clock in milliseconds. */
  readonly monotonicMs: () => number;
  /** Told of each 503. */
  readonly onUnavailable?: (cause: UnavailableCause) => void;
}

/** While a part is out of reach, each cause has one line of the log in this time. */
const lineEveryMs = 10_000;

/** Longest reason in such a line, in characters. */
const reasonLengthMax = 200;

/** Codes of errors that say that a part is out of reach or overloaded, not broken; they are worth another try. */
const passingCodes: ReadonlyMap<unknown, UnavailableCause> = new Map([
  ['database_unavailable', 'database'],
  ['hash_queue_full', 'password_hashing'],
]);

/**
 * Logs bugs with their stacks, one line each, and parts that are out of reach in a bounded way: an outage fails every
 * request, and the disk that the log goes to may be the full one.
 */
export function createFailureReport(parts: FailureReportParts): FailureReport {
  const noteUnavailable = unavailableNotes(parts);
  return {
    problemOf(thrown, requestId) {
      const cause = passingCauseOf(thrown);
      if (cause !== undefined) noteUnavailable(cause, thrown, requestId);
      if (thrown instanceof Problem) return thrown;
      if (cause !== undefined) {
        return new Problem('unavailable', 'The service cannot do this just now', { headers: { 'retry-after': '2' } });
      }
      parts.log.error({ err: thrown, request_id: requestId }, 'request failed');
      return new Problem('internal', 'Something went wrong on our side; the request ID finds it in our log');
    },
  };
}

function passingCauseOf(thrown: unknown): UnavailableCause | undefined {
  if (thrown instanceof Problem) return thrown.code === 'unavailable' ? 'heavy_work' : undefined;
  return thrown instanceof Error && 'code' in thrown ? passingCodes.get(thrown.code) : undefined;
}

interface Silence {
  readonly untilMs: number;
  /** 503s since the last line. */
  unlogged: number;
}

/** Counts every 503, and logs the first of each cause and then one in {@link lineEveryMs} with the number between. */
function unavailableNotes({ log, monotonicMs, onUnavailable }: FailureReportParts) {
  const silences = new Map<UnavailableCause, Silence>();
  return (cause: UnavailableCause, thrown: unknown, requestId: string): void => {
    onUnavailable?.(cause);
    const silence = silences.get(cause);
    if (silence && monotonicMs() < silence.untilMs) {
      silence.unlogged += 1;
      return;
    }
    silences.set(cause, { untilMs: monotonicMs() + lineEveryMs, unlogged: 0 });
    const reason = thrown instanceof Error ? thrown.message.slice(0, reasonLengthMax) : '';
    const facts = { cause, reason, request_id: requestId, unlogged: silence?.unlogged ?? 0 };
    log.warn(facts, 'a part is not available');
  };
}
