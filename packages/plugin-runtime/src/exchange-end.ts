import type { ExchangeEnd, ExchangeFailure } from './exchange.ts';

/** Ends of answers that are not whole for which nothing behind the plugins is to blame. See `ExchangeEnd.failure`. */
export const endFailures: Readonly<Record<'clientLeft' | 'clientTooSlow' | 'gatewayStopped', ExchangeFailure>> = {
  clientLeft: { code: 'client_left', message: 'the client closed the connection' },
  clientTooSlow: { code: 'client_too_slow', message: 'the client did not take its answer' },
  gatewayStopped: { code: 'gateway_stopped', message: 'the gateway stopped' },
};

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
