import type { Timers } from '@portcullis/plugin-runtime';
import { SendError, type RecordSender } from './record-sender.ts';

/**
 * Sends a batch within a time. A sender that ignores its signal is left behind.
 * @param ended ends it early
 * @throws SendError for a time-out, and whatever the sender rejects with
 */
export async function timedSend<Entry>(
  sender: RecordSender<Entry>,
  batch: readonly Entry[],
  timeoutMs: number,
  timers: Timers,
  ended: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const late = Promise.withResolvers<never>();
  const giveUp = (why: string): void => {
    over.abort();
    late.reject(new SendError(why, true));
  };
  const onEnded = (): void => giveUp('the sink was given up');
  if (ended.aborted) throw new SendError('the sink was given up', true);
  ended.addEventListener('abort', onEnded, { once: true });
  const timer = timers.set(() => giveUp('the sink took too long'), timeoutMs);
  try {
    await Promise.race([sender.send(batch, over.signal), late.promise]);
  } finally {
    timers.clear(timer);
    ended.removeEventListener('abort', onEnded);
  }
}
