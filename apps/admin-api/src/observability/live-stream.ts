import type { Database } from '../database/database.ts';
import { lastArrival, readArrivals, type Arrivals } from './read-arrivals.ts';
import { requestView } from './request-records.ts';

/** How often a stream looks whether there is something to do. News wait for the next time, and so are read together. */
const tickMs = 250;
/** Ticks between questions whether the caller is still let in: with what authentication remembers, less than five seconds. */
const ticksPerQuestion = 2;
/** Ticks between signs of life, and between looks although no notice came: one may be lost. */
const ticksPerSign = 40;
const ticksPerLook = 12;

/** Whose stream it is, and what ends it. */
export interface LiveStreamInput {
  readonly tenantId: string;
  /** Query parameters that narrow it. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** The event after which to go on; from now on when not given. */
  readonly after: number | undefined;
  /** Whether the caller is still let in. */
  readonly isAllowed: () => Promise<boolean>;
  /** Called once, when the stream is over for whatever reason. */
  readonly onEnd: () => void;
  /** Fires when the caller goes away or the service shuts down. */
  readonly signal: AbortSignal;
}

/**
 * Server-sent events, one `request` for each observed request, in the order of arrival; their IDs are numbers of arrival. Each stream
 * reads for itself what comes after what it has sent, and only when that has left: so a slow reader costs one page of memory, and
 * who comes back with `Last-Event-ID` misses nothing and gets nothing twice. One that is too far behind is told by an event
 * `lagged` how much it is not shown.
 */
export function liveStream(database: Database, input: LiveStreamInput): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const state = { isOver: false, isStale: true, isSignDue: true, isAsking: false, ticks: 0 };
  let after = input.after;
  let wake = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe = (): void => undefined;
  let close = (): void => undefined;
  /** Gives everything back. @returns whether that was still to be done */
  const release = (): boolean => {
    if (state.isOver) return false;
    state.isOver = true;
    clearInterval(timer);
    unsubscribe();
    input.signal.removeEventListener('abort', stop);
    input.onEnd();
    wake();
    return true;
  };
  const stop = (): void => {
    if (release()) close();
  };
  const ask = async (): Promise<void> => {
    if (state.isAsking) return;
    state.isAsking = true;
    try {
      // Who cannot be asked about is not let in: the caller comes back and goes on where it was.
      if (!(await input.isAllowed().catch(() => false))) stop();
    } finally {
      state.isAsking = false;
    }
  };
  const tick = (): void => {
    state.ticks += 1;
    if (state.ticks % ticksPerQuestion === 0) void ask();
    if (state.ticks % ticksPerSign === 0) state.isSignDue = true;
    if (state.ticks % ticksPerLook === 0) state.isStale = true;
    wake();
  };
  /** What is to be sent now; empty when there is nothing. */
  const news = async (): Promise<string> => {
    let text = '';
    if (state.isStale) {
      state.isStale = false;
      after ??= await lastArrival(database.read, input.tenantId);
      const arrivals = await readArrivals(database.read, input.tenantId, after, input.filter);
      after = arrivals.through;
      if (arrivals.hasMore) state.isStale = true;
      text = eventsOf(arrivals);
    }
    if (!state.isSignDue) return text;
    state.isSignDue = false;
    // The ID alone is no event, but what a reader goes on from that has seen nothing that it asked for.
    return `${text}: alive\nid: ${after ?? 0}\n\n`;
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      close = () => controller.close();
      unsubscribe = database.subscribeArrivals(({ tenantId }) => {
        if (tenantId === input.tenantId) state.isStale = true;
      });
      timer = setInterval(tick, tickMs);
      input.signal.addEventListener('abort', stop, { once: true });
      // A signal that fired before anyone listened does not fire again.
      if (input.signal.aborted) stop();
    },
    async pull(controller) {
      try {
        while (!state.isOver) {
          const text = await news();
          if (state.isOver) return;
          if (text !== '') {
            controller.enqueue(encoder.encode(text));
            return;
          }
          if (!state.isStale) await new Promise<void>((resolve) => (wake = resolve));
        }
      } catch (error) {
        release();
        throw error;
      }
    },
    cancel() {
      release();
    },
  });
}

function eventsOf({ rows, skipped, through }: Arrivals): string {
  const lagged =
    skipped === 0
      ? ''
      : `id: ${rows[0] ? rows[0].arrival - 1 : through}\nevent: lagged\ndata: {"skipped":${skipped}}\n\n`;
  const events = rows.map((row) => `id: ${row.arrival}\nevent: request\ndata: ${JSON.stringify(requestView(row))}\n\n`);
  return lagged + events.join('');
}
