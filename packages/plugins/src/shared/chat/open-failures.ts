import { secretFailure, type Exchange, type PluginServices } from '@portcullis/plugin-runtime';
import { warningTimes } from '../warning-times.ts';
import { guardFigures } from './guard-figures.ts';
import { isAborted, isOutage, ServiceError } from './json-service.ts';
import { ServiceRest } from './service-rest.ts';

/** What becomes of a message that nobody judged, by `fail_open`. */
export type Unjudged = 'goes_on' | 'refused';

/** The rule of `fail_open` for one service. */
export interface ServiceFailures {
  /**
   * Asks the service, or does not, because it failed for a while.
   * @returns what it says, or what becomes of the message without
   * @throws what is no failure of the service
   */
  ask<Result extends object>(exchange: Exchange, call: () => Promise<Result>): Promise<Result | Unjudged>;
  /** Tells the operator of a message that nobody judged, with the reason in snake_case. */
  unjudged(exchange: Exchange, reason: string): Unjudged;
}

/**
 * Makes the rule. Either way such messages count as not judged, and the operator is warned at most once a minute. A service that fails, and not
 * only for one message, is left alone for a while.
 * @param who the service in the operator's words: `the judge`
 */
export function serviceFailures(
  { log, clock, metrics }: Pick<PluginServices, 'log' | 'clock' | 'metrics'>,
  failsOpen: boolean,
  who: string,
): ServiceFailures {
  const isWarningDue = warningTimes(() => clock.monotonicMs());
  const figures = guardFigures({ metrics });
  const rest = new ServiceRest(() => clock.monotonicMs());
  const what = `${who} judged nothing: ${failsOpen ? 'messages pass without it' : 'messages are refused'}`;
  const unjudged = (exchange: Exchange, reason: string): Unjudged => {
    figures.unjudged();
    const details = { reason, request_id: exchange.facts.requestId };
    if (isWarningDue()) log.warn(what, details);
    else log.debug(what, details);
    return failsOpen ? 'goes_on' : 'refused';
  };
  return {
    unjudged,
    async ask(exchange, call) {
      if (rest.isOn()) return unjudged(exchange, 'resting');
      try {
        const result = await call();
        rest.noteSuccess();
        return result;
      } catch (error) {
        const reason = reasonOf(error);
        if (reason === undefined) throw error;
        if (isOutage(error)) rest.noteFailure();
        else if (!isAborted(error)) rest.noteSuccess();
        return unjudged(exchange, reason);
      }
    },
  };
}

/** Why a service could not be asked, or gave nothing; `undefined` for an error of something else. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof ServiceError) return error.reason;
  const failure = secretFailure(error);
  return failure === undefined ? undefined : `secret_${failure}`;
}
