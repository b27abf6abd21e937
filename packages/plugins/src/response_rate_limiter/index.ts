import type { HeaderEdit, PluginHooks, ResponseEdits, ResponseExchange } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { compileClientKey } from '../shared/limits/client-key.ts';
import { crowdedWarning, limitAnswers } from '../shared/limits/limit-answers.ts';
import { limitPlace } from '../shared/limits/limit-place.ts';
import { limitWindows } from '../shared/limits/limit-window.ts';
import { joinNamespace } from '../shared/limits/namespaces.ts';
import { RequestLimits } from '../shared/limits/request-limits.ts';
import { config } from './config.ts';
import { costHeader } from './cost-header.ts';
import { ResponseCharges } from './response-charges.ts';

/** Refuses requests of clients whose responses have used up a limit. */
export const responseRateLimiter: BuiltIn = builtIn({
  name: 'response_rate_limiter',
  version: '1.0.0',
  category: 'rate_limit',
  triggers: ['both'],
  description: 'Refuses requests of a client whose responses have cost a number of units per window of time',
  config,
  setup(settings, services): PluginHooks {
    const windows = limitWindows(settings);
    const keyOf = compileClientKey(settings);
    const look = limitPlace('response_rate_limiter', settings, services.log);
    const answers = limitAnswers(windows, { isQuiet: settings.hide_client_headers });
    // What a response will cost is known before it comes, unless it says so itself: then a place for it is one unit.
    const heldUnits = settings.cost_header === undefined ? settings.cost : 1;
    const { counters, held, nowMs, leave } = joinNamespace('response_rate_limiter', settings.namespace, services);
    const header =
      settings.cost_header === undefined ? undefined : costHeader(settings.cost_header, services.log, nowMs);
    const limits = new RequestLimits({
      windows,
      isSliding: settings.strategy.startsWith('sliding'),
      cost: heldUnits,
      counters,
      onCrowded: crowdedWarning('response_rate_limiter', services.log, nowMs),
    });
    const charges = new ResponseCharges({
      held,
      heldUnits,
      cost: settings.cost,
      statuses: settings.count_statuses === undefined ? undefined : new Set(settings.count_statuses),
      charge: (client, units) => limits.charge(client, nowMs(), units),
    });
    const onResponse = (exchange: ResponseExchange): ResponseEdits | undefined => {
      const standings = charges.settle(exchange, exchange.response.status, header?.read(exchange));
      const shown = (standings === undefined ? undefined : answers.headers(standings)) ?? NONE;
      const headers = header === undefined ? shown : [...header.removal, ...shown];
      return headers.length === 0 ? undefined : { headers };
    };
    return {
      request(exchange, place) {
        look(place);
        const client = keyOf(exchange);
        const refusal = answers.refusal(exchange, limits.peek(client, nowMs(), held.of(client)));
        if (refusal !== undefined) return refusal;
        charges.open(exchange, client);
        return undefined;
      },
      response: onResponse,
      error: onResponse,
      dispose() {
        limits.release();
        leave();
      },
    };
  },
});

const NONE: readonly HeaderEdit[] = [];
