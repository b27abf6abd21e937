import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { calendarClock } from '../shared/limits/calendar-clock.ts';
import { compileClientKey } from '../shared/limits/client-key.ts';
import { crowdedWarning, waitOf } from '../shared/limits/limit-answers.ts';
import { fixedLimitHeaders, limitHeaders, toPairs } from '../shared/limits/limit-headers.ts';
import { limitWindows } from '../shared/limits/limit-window.ts';
import { RequestLimits } from '../shared/limits/request-limits.ts';
import { problemAnswer } from '../shared/problem.ts';
import { config } from './config.ts';

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
      onCrowded: crowdedWarning('rate_limiter', log, nowMs),
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
