import { secretFailure, type Exchange, type PluginServices } from '@portcullis/plugin-runtime';
import { warningTimes } from '../warning-times.ts';
import { guardFigures } from './guard-figures.ts';
import { ServiceError } from './json-service.ts';
import { ServiceRest } from './service-rest.ts';

/** The rule of `fail_open` for one service. */
export interface ServiceFailures {
  /**
   * Asks the service, or does not, because it failed for a while and requests go on without it.
   * @returns what it says; `undefined` where the request goes on without
   * @throws what the call throws, where the request fails with it, and what is no failure of the service
   */
  ask<Result>(exchange: Exchange, call: () => Promise<Result>): Promise<Result | undefined>;
  /** Says that a request goes on without the service. @throws the error, where it must not */
  onFailure(exchange: Exchange, error: unknown): void;
}

/**
 * Makes the rule: such requests go on, with a warning at most once a minute, or fail as the plugin's failure, which the instance's circuit
 * counts. Either way they count as not judged.
 * @param what became of them, for the warning
 */
export function serviceFailures(
  { log, clock, metrics }: Pick<PluginServices, 'log' | 'clock' | 'metrics'>,
  failsOpen: boolean,
  what: string,
): ServiceFailures {
  const isWarningDue = warningTimes(() => clock.monotonicMs());
  const figures = guardFigures({ metrics });
  const rest = new ServiceRest(() => clock.monotonicMs());
  const tell = (exchange: Exchange, reason: string): void => {
    figures.unjudged();
    const details = { reason, request_id: exchange.facts.requestId };
    if (isWarningDue()) log.warn(what, details);
    else log.debug(what, details);
  };
  const onFailure = (exchange: Exchange, error: unknown): void => {
    const reason = reasonOf(error);
    if (reason === undefined || !failsOpen) {
      figures.unjudged();
      throw error;
    }
    tell(exchange, reason);
  };
  return {
    onFailure,
    async ask(exchange, call) {
      if (failsOpen && rest.isOn()) {
        tell(exchange, 'resting');
        return undefined;
      }
      try {
        const result = await call();
        rest.noteSuccess();
        return result;
      } catch (error) {
        // Who left says nothing of the service.
        if (reasonOf(error) !== 'aborted') rest.noteFailure();
        onFailure(exchange, error);
        return undefined;
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
