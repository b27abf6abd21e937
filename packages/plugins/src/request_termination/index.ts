import type { PluginHooks } from '@portcullis/plugin-runtime';
import { bodilessStatuses } from '../shared/bodiless.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { problemAnswer, type ProblemAnswer } from '../shared/problem.ts';
import { config, type Config } from './config.ts';

/** Answers requests with certain header values instead of forwarding them. */
export const requestTermination: BuiltIn = builtIn({
  name: 'request_termination',
  version: '1.0.0',
  category: 'enforcement',
  triggers: ['before_request'],
  description: 'Answers requests that carry certain header values with a fixed status instead of forwarding them',
  config,
  setup(settings): PluginHooks {
    const wanted = Object.entries(settings.header_equals);
    const answer = answerOf(settings);
    return {
      request(exchange) {
        const { headers } = exchange.request;
        return wanted.every(([name, value]) => headers.get(name) === value) ? answer(exchange) : undefined;
      },
    };
  },
});

/** A problem for error statuses; a success or redirect is not a problem and says its message as plain JSON, if it can have a body. */
function answerOf({ status_code: status, message }: Config): ProblemAnswer {
  if (status >= 400) return problemAnswer({ status, code: 'terminated', title: 'Request terminated', detail: message });
  if (bodilessStatuses.has(status)) return () => ({ status });
  const response = { status, headers: ['content-type', 'application/json'], body: JSON.stringify({ message }) };
  return () => response;
}
