import type { PluginHooks, PluginLog } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { problemAnswer } from '../shared/problem.ts';
import { calendarClock } from './calendar-clock.ts';
import { compileClientKey } from './client-key.ts';
import { config } from './config.ts';
import { fixedLimitHeaders, limitHeaders, toPairs } from './limit-headers.ts';
import { limitWindows } from './limit-window.ts';
import { RequestLimits, type LimitStanding } from './request-limits.ts';

/** Refuses requests of clients that send too many. */
export const rateLimiter: BuiltIn = builtIn({
  name: 'rate_limiter',
  version: '1.0.0',
  category: 'rate_limit',
  triggers: ['before_request'],
  description: 'Refuses requests of a client beyond a number per window of time',
  config,
  setup(settings, { clock, log }): PluginHooks {
    const nowMs = calendarClock(clock);
    const windows = limitWindows(settings);
    const limits = new RequestLimits({
      windows,
      isSliding: settings.strategy.startsWith('sliding'),
      onCrowded: crowdedWarning(log, nowMs),
    });
    const keyOf = compileClientKey(settings);
    const fixed = fixedLimitHeaders(windows);
    const isQuiet = settings.hide_client_headers;
    const refuse = problemAnswer({
      status: settings.error_code,
      code: 'rate_limited',
      title: 'Too many requests',
      detail: settings.error_message,
    });
    return {
      request(exchange) {
        const standings = limits.take(keyOf(exchange), nowMs());
        const waitSeconds = waitOf(standings);
        if (waitSeconds === 0) return isQuiet ? undefined : { responseHeaders: limitHeaders(fixed, standings) };
        const shown = isQuiet ? [] : toPairs(limitHeaders(fixed, standings));
        return refuse(exchange, ['Retry-After', String(waitSeconds), ...shown]);
      },
    };
  },
});

/** Seconds until all limits that refuse have room; 0 when none refuses. */
function waitOf(standings: readonly LimitStanding[]): number {
  let wait = 0;
  for (const one of standings) if (one.isExceeded && one.resetSeconds > wait) wait = one.resetSeconds;
  return wait;
}

/** Time between two warnings of one instance. */
const WARNING_INTERVAL_MS = 60_000;

function crowdedWarning(log: PluginLog, nowMs: () => number): () => void {
  let nextMs = 0;
  return () => {
    const moment = nowMs();
    if (moment < nextMs) return;
    nextMs = moment + WARNING_INTERVAL_MS;
    log.warn('rate_limiter counts too many clients: the least active are forgotten before their windows end');
  };
}
