import { FakeClock } from '@portcullis/testkit';
import type { SyncFetch } from '../calls/sync-fetch.ts';
import type { SyncInput } from '../driver.ts';
import { IntegrationError } from '../integration-error.ts';

/** A clock at a fixed moment. Its timers stand still: nothing in a test depends on how fast a machine is. */
export function stillClock(): FakeClock {
  return new FakeClock({ nowMs: Date.UTC(2026, 1, 3, 4, 5, 6) });
}

/** The rest of a sync's input, over real connections. */
export function realWorld(): Pick<SyncInput<never, never>, 'fetch' | 'clock'> {
  return { fetch, clock: stillClock() };
}

/** A failure as a caller sees it. @throws what is no failure of ours, and an error for a success */
export async function failureOf(sync: Promise<unknown>): Promise<IntegrationError> {
  try {
    await sync;
  } catch (error) {
    if (error instanceof IntegrationError) return error;
    throw error;
  }
  throw new Error('the sync succeeded');
}

/** All that an error tells, its hidden properties too. */
export function everythingOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error);
  const own = Object.getOwnPropertyNames(error).map((name) => [name, Reflect.get(error, name) as unknown]);
  return `${JSON.stringify(Object.fromEntries(own))} ${everythingOf(error.cause ?? null)}`;
}

/** Takes every call to a system, whatever address it was meant for, and says what that was. */
export function divertedTo(system: { readonly url: string }, meant: string[]): SyncFetch {
  return async (url, init) => {
    meant.push(url);
    const { pathname, search } = new URL(url);
    return await fetch(`${system.url}${pathname}${search}`, init);
  };
}
