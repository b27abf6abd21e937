import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { compileClientKey } from '../shared/limits/client-key.ts';
import { crowdedWarning, limitAnswers } from '../shared/limits/limit-answers.ts';
import { limitPlace } from '../shared/limits/limit-place.ts';
import { limitWindows } from '../shared/limits/limit-window.ts';
import { joinNamespace } from '../shared/limits/namespaces.ts';
import { RequestLimits } from '../shared/limits/request-limits.ts';
import { config } from './config.ts';

/** Refuses requests of clients that use too much, in counters that instances can share. */
export const advancedRateLimiter: BuiltIn = builtIn({
  name: 'advanced_rate_limiter',
  version: '1.0.0',
  category: 'rate_limit',
  triggers: ['before_request'],
  description: 'Refuses requests of a client beyond a number of units per window of time, in counters of one process',
  config,
  setup(settings, services): PluginHooks {
    const windows = limitWindows(settings);
    const keyOf = compileClientKey(settings);
    const look = limitPlace('advanced_rate_limiter', settings, services.log);
    const answers = limitAnswers(windows, { isQuiet: settings.hide_client_headers });
    const { counters, nowMs, leave } = joinNamespace('advanced_rate_limiter', settings.namespace, services);
    const limits = new RequestLimits({
      windows,
      isSliding: settings.strategy.startsWith('sliding'),
      cost: settings.cost,
      counters,
      onCrowded: crowdedWarning('advanced_rate_limiter', services.log, nowMs),
    });
    return {
      request(exchange, place) {
        look(place);
        const standings = limits.take(keyOf(exchange), nowMs());
        const refusal = answers.refusal(exchange, standings);
        if (refusal !== undefined) return refusal;
        const headers = answers.headers(standings);
        return headers === undefined ? undefined : { responseHeaders: headers };
      },
      dispose() {
        limits.release();
        leave();
      },
    };
  },
});
