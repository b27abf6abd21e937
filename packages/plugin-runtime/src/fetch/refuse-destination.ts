import type { ExchangeState } from '../exchange-state.ts';

/**
 * For hosts whose upstream is the application behind them. A request that is meant for somewhere else must not reach it.
 * @throws TypeError when plugins chose a destination
 */
export function refuseDestination({ request }: ExchangeState): void {
  if (request.destination !== undefined)
    throw new TypeError(
      'a plugin sends the request to a destination, and a middleware cannot: use ./fetch or the gateway',
    );
}
