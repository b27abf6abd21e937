import type { PluginHooks } from '@portcullis/plugin-runtime';
import { andThen } from '../shared/and-then.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { compileClientKey } from '../shared/limits/client-key.ts';
import { limitAnswers } from '../shared/limits/limit-answers.ts';
import { limitPlace } from '../shared/limits/limit-place.ts';
import { limitWindows } from '../shared/limits/limit-window.ts';
import { config } from './config.ts';
import { createLimiter } from './limiter.ts';

/** Refuses requests of clients that send too many. */
export const rateLimiter: BuiltIn = builtIn({
  name: 'rate_limiter',
  version: '1.0.0',
  category: 'rate_limit',
  triggers: ['before_request'],
  description: 'Refuses requests of a client beyond a number per window of time',
  config,
  setup(settings, services): PluginHooks {
    const windows = limitWindows(settings);
    const limiter = createLimiter(settings, windows, services);
    const keyOf = compileClientKey(settings);
    const look = limitPlace('rate_limiter', settings, services.log);
    const answers = limitAnswers(windows, {
      isQuiet: settings.hide_client_headers,
      status: settings.error_code,
      message: settings.error_message,
    });
    return {
      request(exchange, place) {
        look(place);
        return andThen(limiter.take(keyOf(exchange)), (standings) => {
          const refusal = answers.refusal(exchange, standings);
          if (refusal !== undefined) return refusal;
          const responseHeaders = answers.headers(standings);
          return responseHeaders && { responseHeaders };
        });
      },
      dispose: () => limiter.dispose?.(),
    };
  },
});
