import type { SinkLimits } from './sink-limits.ts';

/**
 * Wait before a further try, in milliseconds: doubled with each, half of it by chance, so that gateways that lost a sink together do not
 * come back to it together.
 * @param tries that failed, at least 1
 * @param random uniform in [0, 1)
 * @param askedMs what the sink asked for: the least, up to the longest wait
 */
export function backOffMs(
  tries: number,
  limits: Pick<SinkLimits, 'backOffMs' | 'backOffMsMax'>,
  random: number,
  askedMs = 0,
): number {
  const whole = Math.min(limits.backOffMsMax, limits.backOffMs * 2 ** (tries - 1));
  return Math.min(limits.backOffMsMax, Math.max(askedMs, whole / 2 + (whole / 2) * random));
}
