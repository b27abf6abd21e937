import type { PluginHooks, RequestEdits } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { consumerOf } from '../shared/consumer-reference.ts';
import { problemAnswer, refusal } from '../shared/problem.ts';
import { config } from './config.ts';
import { compileKeys, findKey } from './key-table.ts';

/** Lets requests pass that carry a known API key. */
export const apiKeyAuth: BuiltIn = builtIn({
  name: 'api_key_auth',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['before_request'],
  description: 'Lets requests pass that carry a known API key, and identifies the consumer the key belongs to',
  config,
  credentialHeaders: ({ header_name: header }) => [header],
  setup({ header_name: header, valid_keys: keys }, { clock, log }): PluginHooks {
    const table = compileKeys(keys);
    const detail = `a valid API key is required in ${header}`;
    const answer = problemAnswer({ status: 401, code: 'unauthenticated', title: 'Unauthorized', detail }, [
      'www-authenticate',
      `ApiKey realm="api", header="${header}"`,
    ]);
    const refuse = refusal(log, answer);
    return {
      request(exchange) {
        const { headers } = exchange.request;
        const key = headers.get(header);
        if (key === undefined || key === '') return refuse(exchange, 'no_key');
        // Several lines come joined. A list of them is made only where there may be several: it costs as much as the look-up.
        if (key.includes(', ') && headers.getAll(header).length > 1) return refuse(exchange, 'several_keys');
        const entry = findKey(table, key);
        if (entry?.consumer !== undefined) {
          const consumer = consumerOf(exchange, entry.consumer);
          return consumer === 'disabled' ? refuse(exchange, 'consumer_disabled') : { consumer };
        }
        const match = exchange.consumers.findApiKey(key);
        const isExpired = match?.expiresAtMs !== undefined && match.expiresAtMs <= clock.nowMs();
        if (match !== undefined && !isExpired) return { consumer: match.consumer } satisfies RequestEdits;
        if (entry !== undefined) return undefined;
        return refuse(exchange, isExpired ? 'key_expired' : 'unknown_key');
      },
    };
  },
});
