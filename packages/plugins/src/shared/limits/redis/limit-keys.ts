import type { LimitWindow } from '../limit-window.ts';
import { STORE_MOMENTS_MAX } from './sliding-script.ts';

/** Where the counts of an instance are in the shared store, and what its scripts are told of its windows. */
export interface LimitKeys {
  /** One key with `fixed`, one for each window with `sliding`. */
  of(client: string): readonly string[];
  /** For each window the limit, the span or length, and the milliseconds in which moments become one. */
  readonly args: readonly (string | number)[];
  readonly hasCalendar: boolean;
}

/**
 * Keys name windows and no limits: a change of the limits goes on with the counts, with `fixed` as long as the windows are the same.
 * @param instanceId what tells this instance's keys from those of others of the gateway
 * @param isExact whether each moment of a sliding window is kept for limits up to {@link STORE_MOMENTS_MAX}
 */
export function limitKeys(
  windows: readonly LimitWindow[],
  isSliding: boolean,
  instanceId: string,
  isExact: boolean,
): LimitKeys {
  const place = `limits:${encodeURIComponent(instanceId)}`;
  const spans = windows.map(({ spanName }) => spanName);
  const hasCalendar = spans.some((span) => Number.isNaN(Number(span)));
  if (!isSliding) {
    const prefix = `${place}:fixed:${spans.join(',')}:`;
    const args = windows.flatMap(({ limit, spanName }) => [limit, spanName, 0]);
    return { of: (client) => [prefix + client], args, hasCalendar };
  }
  const endings = windows.map(({ nominalSeconds }) => `:${nominalSeconds}`);
  const args = windows.flatMap(({ limit, nominalSeconds }) => {
    const lengthMs = nominalSeconds * 1000;
    return [limit, lengthMs, isExact && limit <= STORE_MOMENTS_MAX ? 0 : Math.ceil(lengthMs / STORE_MOMENTS_MAX)];
  });
  return { of: (client) => endings.map((ending) => `${place}:sliding:${client}${ending}`), args, hasCalendar: false };
}
