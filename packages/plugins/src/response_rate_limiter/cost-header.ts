import type { HeaderEdit, PluginLog, ResponseExchange } from '@portcullis/plugin-runtime';
import { warningTimes } from '../shared/warning-times.ts';
import { costOf } from './response-cost.ts';

/** Reads a cost header, and takes it out of the response. */
export interface CostHeader {
  /** The units that the response names; `undefined` when it names none that can be read. */
  read(exchange: ResponseExchange): number | undefined;
  /** Edits that leave no line of it. */
  readonly removal: readonly HeaderEdit[];
}

/**
 * The header of a name. It is between the upstream and the gateway: what it says is left for other instances that read the same
 * header of the same response, and clients do not see it.
 */
export function costHeader(name: string, log: PluginLog, nowMs: () => number): CostHeader {
  const stateKey = `response_rate_limiter.lines.${name.toLowerCase()}`;
  const isTime = warningTimes(nowMs);
  return {
    removal: [{ op: 'remove', name }],
    read({ state, response, facts }) {
      const lines = (state.get(stateKey) as readonly string[] | undefined) ?? response.headers.getAll(name);
      if (lines.length === 0) return undefined;
      state.set(stateKey, lines);
      const cost = costOf(lines);
      if (cost === undefined && isTime()) {
        log.warn('response_rate_limiter cannot read a cost header: the response is charged what the config says', {
          header: name,
          request_id: facts.requestId,
        });
      }
      return cost;
    },
  };
}
