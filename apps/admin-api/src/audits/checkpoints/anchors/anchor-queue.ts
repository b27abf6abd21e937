import type { AuditCheckpointRow } from '../../../database/audit-tables.ts';
import type { Log } from '../../../logging.ts';
import type { Anchor } from './anchor.ts';

/** Checkpoints that wait for one anchor. The oldest goes first: a later one of its chain vouches for it as well. */
const waitingMax = 1_000;
/** After a failure an anchor is left alone for this long, doubled each time. */
const pauseMinMs = 1_000;
const pauseMaxMs = 60_000;

/** What a queue says about itself. */
export interface AnchorCounts {
  readonly kind: string;
  readonly stored: number;
  readonly failures: number;
  readonly waiting: number;
}

/** Hands checkpoints to one anchor in their order. Nobody waits for it. */
export interface AnchorQueue {
  /** Takes a checkpoint; it is tried at once unless the anchor is resting. */
  add(checkpoint: AuditCheckpointRow): void;
  /** Tries what waits, if the pause after the last failure is over; to be called from time to time, and at the end. */
  flush(): Promise<void>;
  counts(): AnchorCounts;
}

/** A queue in memory. What waits at a crash is lost, and vouched for by the next checkpoint. */
export function createAnchorQueue(
  anchor: Anchor,
  { log, monotonicMs }: { readonly log: Pick<Log, 'warn'>; readonly monotonicMs: () => number },
): AnchorQueue {
  const waiting: AuditCheckpointRow[] = [];
  let running: Promise<void> | undefined;
  let [stored, failures, pauseMs, restsUntilMs] = [0, 0, 0, 0];

  const drain = async (): Promise<void> => {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      try {
        await anchor.put(next);
      } catch (error) {
        failures += 1;
        pauseMs = Math.min(pauseMaxMs, Math.max(pauseMinMs, pauseMs * 2));
        restsUntilMs = monotonicMs() + pauseMs;
        log.warn({ err: error, anchor: anchor.kind, waiting: waiting.length }, 'an audit checkpoint was not anchored');
        return;
      }
      pauseMs = 0;
      stored += 1;
      const at = waiting.indexOf(next);
      if (at >= 0) waiting.splice(at, 1);
    }
  };
  const flush = (): Promise<void> => {
    if (monotonicMs() < restsUntilMs) return Promise.resolve();
    running ??= drain().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    add(checkpoint) {
      waiting.push(checkpoint);
      if (waiting.length > waitingMax) waiting.shift();
      void flush();
    },
    flush,
    counts: () => ({ kind: anchor.kind, stored, failures, waiting: waiting.length }),
  };
}
