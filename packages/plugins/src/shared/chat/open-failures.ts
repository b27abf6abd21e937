import { secretFailure, type Exchange, type PluginServices } from '@portcullis/plugin-runtime';
import { warningTimes } from '../warning-times.ts';
import { ServiceError } from './json-service.ts';

/** What becomes of a request whose service gave no answer. */
export type OnServiceFailure = (exchange: Exchange, error: unknown) => void;

/**
 * The rule of `fail_open`: such a request goes on, with a warning at most once a minute, or fails as the plugin's failure, which the instance's
 * circuit counts. What is no failure of the service always fails.
 * @param what became of it, for the warning
 */
export function serviceFailures(
  { log, clock }: Pick<PluginServices, 'log' | 'clock'>,
  failsOpen: boolean,
  what: string,
): OnServiceFailure {
  const isWarningDue = warningTimes(() => clock.monotonicMs());
  return (exchange, error) => {
    const reason = reasonOf(error);
    if (reason === undefined || !failsOpen) throw error;
    const details = { reason, request_id: exchange.facts.requestId };
    if (isWarningDue()) log.warn(what, details);
    else log.debug(what, details);
  };
}

/** Why a service could not be asked, or gave nothing; `undefined` for an error of something else. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof ServiceError) return error.reason;
  const failure = secretFailure(error);
  return failure === undefined ? undefined : `secret_${failure}`;
}
