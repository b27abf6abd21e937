import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { ProcessSpaces } from '../shared/process-spaces.ts';
import { AnswerStore } from './answer-store.ts';
import { config } from './config.ts';
import { Flights } from './flights.ts';
import { budgetOf } from './memory-budget.ts';
import { ResponseCache, type CacheSpace } from './response-cache.ts';
import { cacheSettings } from './settings.ts';

const spaces = new ProcessSpaces<CacheSpace>(({ store }) => store.end());

/** Answers requests with what the service answered to the same request before. */
export const responseCache: BuiltIn = builtIn({
  name: 'response_cache',
  version: '1.0.0',
  category: 'traffic',
  triggers: ['both'],
  description: 'Stores answers of services, and answers later requests with them as long as they are fresh',
  config,
  setup(settings, { clock, instance, log }): PluginHooks {
    const place = settings.namespace === undefined ? ['instance', instance.id] : ['namespace', settings.namespace];
    const read = cacheSettings(settings);
    // Who tells requests apart in another way must not find answers of those who do not.
    const { includeQuery, respectsCacheControl, varyHeaders } = read;
    const agreed = JSON.stringify([includeQuery, respectsCacheControl, varyHeaders.toSorted()]);
    const { space, release } = spaces.hold(clock, [instance.tenantId, ...place, agreed], () => ({
      store: new AnswerStore(budgetOf(clock)),
      flights: new Flights(),
    }));
    const cache = new ResponseCache(read, space, clock, log, `response_cache:${instance.id}`);
    return {
      request: (exchange, place) => cache.request(exchange, place),
      response: (exchange) => cache.response(exchange),
      error: (exchange) => cache.error(exchange),
      dispose: release,
    };
  },
});
