import { setTimeout as delay } from 'node:timers/promises';
import type { Runtime } from '@portcullis/plugin-runtime';

/**
 * Disposes the plugins of a process that ends, and waits for what they have left to do (telling others what they counted), at most
 * so many milliseconds. Call it when no request runs any more, and close afterwards what plugins reach. Never rejects.
 */
export async function endPlugins(runtime: Runtime | undefined, timeoutMs: number): Promise<void> {
  if (runtime === undefined) return;
  const over = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: over.signal }).catch(() => undefined);
  runtime.dispose();
  await Promise.race([runtime.settled(), late]);
  over.abort();
}
