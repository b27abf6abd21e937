import type { PluginHooks, RequestEdits } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { noteSampled } from '../shared/sinks/sampling-decision.ts';
import { config } from './config.ts';
import { samplerOf } from './sampler.ts';

/** The header that tells the decision where the config names none. */
const DECISION_HEADER = 'X-Sampling-Decision';

/** Decides of which requests records are kept. */
export const sampling: BuiltIn = builtIn({
  name: 'sampling',
  version: '1.0.0',
  category: 'observability',
  triggers: ['before_request'],
  description: 'Decides of which requests records are kept; all plugins that emit records, and the gateway, heed it',
  config,
  setup(settings, { random }): PluginHooks {
    const isKept = samplerOf(settings, random);
    const name = settings.decision_header ?? DECISION_HEADER;
    const tells = settings.include_decision_header ?? settings.decision_header !== undefined;
    const kept = decision(true, tells ? name : undefined);
    const leftOut = decision(false, tells ? name : undefined);
    return {
      request(exchange) {
        const sampled = isKept(exchange);
        noteSampled(exchange, sampled);
        return sampled ? kept : leftOut;
      },
    };
  },
});

/** @param name of the header that tells it, if one does. What a client sent under that name is replaced */
function decision(sampled: boolean, name: string | undefined): RequestEdits {
  const observation = { sampled };
  if (name === undefined) return { observation };
  return { observation, headers: [{ op: 'set', name, value: sampled ? '1' : '0' }] };
}
