/** The reports of a node, by the names of their endpoints. */
export type Report = 'ack' | 'heartbeat' | 'observations';

/**
 * How long after a failure a report has to be taken without another one before it counts as working again, so that one that is
 * taken now and then does not fill the log. Acknowledgements are rare: the next one that is taken says enough.
 */
const steadyMs: Readonly<Record<Report, number>> = { ack: 0, heartbeat: 10_000, observations: 10_000 };

/** Where the lines go. */
export interface ReportLogSink {
  info(details: Readonly<Record<string, unknown>>, message: string): void;
  warn(details: Readonly<Record<string, unknown>>, message: string): void;
}

interface Failing {
  lastMs: number;
  times: number;
}

/** Counts the reports that the control plane does not take. Says once that the control plane does not take a kind of report, and once that it does again. */
export class ReportLog {
  readonly #sink: ReportLogSink;
  readonly #monotonicMs: () => number;
  readonly #failing = new Map<Report, Failing>();
  readonly #failed: Record<Report, number> = { ack: 0, heartbeat: 0, observations: 0 };

  constructor(sink: ReportLogSink, monotonicMs: () => number) {
    this.#sink = sink;
    this.#monotonicMs = monotonicMs;
  }

  /** Reports that were not taken since the process began. */
  get failed(): Readonly<Record<Report, number>> {
    return this.#failed;
  }

  /** @param failure why a report was not taken; `undefined` when it was */
  note(report: Report, failure: string | undefined): void {
    const failing = this.#failing.get(report);
    if (failure !== undefined) {
      this.#failed[report] += 1;
      if (failing === undefined) {
        this.#sink.warn({ report, reason: failure }, 'the control plane does not take a report');
      }
      this.#failing.set(report, { lastMs: this.#monotonicMs(), times: (failing?.times ?? 0) + 1 });
    } else if (failing !== undefined && this.#monotonicMs() - failing.lastMs >= steadyMs[report]) {
      this.#failing.delete(report);
      this.#sink.info({ report, failures: failing.times }, 'the control plane takes a report again');
    }
  }
}
