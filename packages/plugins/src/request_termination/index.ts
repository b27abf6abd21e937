import type { HeaderView, PluginHooks } from '@portcullis/plugin-runtime';
import { bodilessStatuses } from '../shared/bodiless.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { problemAnswer, type ProblemAnswer } from '../shared/problem.ts';
import { config, valuesOf, type Config } from './config.ts';

/** Answers requests with certain header values instead of forwarding them. */
export const requestTermination: BuiltIn = builtIn({
  name: 'request_termination',
  version: '1.0.0',
  category: 'enforcement',
  triggers: ['before_request'],
  description: 'Answers requests that carry certain header values with a fixed status instead of forwarding them',
  config,
  setup(settings): PluginHooks {
    const isWanted = Object.entries(settings.header_equals).map(([name, entry]) => isOneOf(name, valuesOf(entry)));
    const answer = answerOf(settings);
    return {
      request(exchange) {
        const { headers } = exchange.request;
        return isWanted.every((isMet) => isMet(headers)) ? answer(exchange) : undefined;
      },
    };
  },
});

/**
 * Whether a header has a value: one of its lines, or all of them joined. A line beside it takes nothing away, else a client that sends its
 * header twice would pass.
 */
function isOneOf(name: string, values: readonly string[]): (headers: HeaderView) => boolean {
  // Letters of a host mean the same in both cases. Source: RFC 9110, 4.2.3.
  const isHost = name.toLowerCase() === 'host';
  const wanted = new Set(isHost ? values.map((value) => value.toLowerCase()) : values);
  const isWanted = (value: string): boolean => wanted.has(isHost ? value.toLowerCase() : value);
  return (headers) => {
    const value = headers.get(name);
    return value !== undefined && (isWanted(value) || (value.includes(', ') && headers.getAll(name).some(isWanted)));
  };
}

/** A problem for error statuses; a success or redirect is not a problem and says its message as plain JSON, if it can have a body. */
function answerOf({ status_code: status, message }: Config): ProblemAnswer {
  if (status >= 400) return problemAnswer({ status, code: 'terminated', title: 'Request terminated', detail: message });
  if (bodilessStatuses.has(status)) return () => ({ status });
  const response = { status, headers: ['content-type', 'application/json'], body: JSON.stringify({ message }) };
  return () => response;
}
