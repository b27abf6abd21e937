/** How long work on a configuration may hold the event loop before requests get their turn. */
export const sliceMs = 4;

/**
 * How long while requests keep the loop busy. What a turn is late is its slice over the share of time that requests leave free:
 * with little left, long slices would make turns so late that requests are refused for overload.
 */
export const busySliceMs = 1;

/** The others' turns from which on the loop counts as busy; from `lateMs` on it is overloaded whatever is done here, which goes on. */
const busyTurn = { fromMs: 12, lateMs: 100 } as const;

/** What slicing takes from the process. */
export interface SlicePorts {
  readonly monotonicMs: () => number;
  /** Lets everything else that waits run, then resolves. */
  readonly pause: () => Promise<void>;
}

/** Cuts long work into slices of {@link sliceMs}, between which requests are served; shorter ones while there are many. */
export class TimeSlices {
  readonly #ports: SlicePorts;
  #endsAtMs: number;

  constructor(ports: SlicePorts) {
    this.#ports = ports;
    this.#endsAtMs = ports.monotonicMs() + sliceMs;
  }

  /** Whether it is the others' turn. Asked once per record: reading the clock takes a fraction of a microsecond. */
  get isOver(): boolean {
    return this.#ports.monotonicMs() >= this.#endsAtMs;
  }

  /** Lets the others run, and begins the next slice. */
  async next(): Promise<void> {
    const { monotonicMs, pause } = this.#ports;
    const startedMs = monotonicMs();
    await pause();
    const nowMs = monotonicMs();
    const othersMs = nowMs - startedMs;
    const isBusy = othersMs >= busyTurn.fromMs && othersMs < busyTurn.lateMs;
    this.#endsAtMs = nowMs + (isBusy ? busySliceMs : sliceMs);
  }
}
