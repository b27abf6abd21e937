import type { ExchangeEnd } from './exchange.ts';

/** Hears of the end of an exchange. */
export type EndListener = (end: ExchangeEnd) => void;

/**
 * Tells listeners of an end, in the order in which they came.
 * @param onFault is told what a listener threw: the others are called all the same
 */
export function tellEnd(
  listeners: readonly EndListener[],
  end: ExchangeEnd,
  onFault: ((error: unknown) => void) | undefined,
): void {
  for (const listener of listeners) {
    try {
      listener(end);
    } catch (error) {
      onFault?.(error);
    }
  }
}
