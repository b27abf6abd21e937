import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { problemAnswer, refusal } from '../shared/problem.ts';
import { config } from './config.ts';
import { userAgentRules } from './user-agent-rules.ts';

/** Refuses requests by their User-Agent. */
export const botDetectionBasic: BuiltIn = builtIn({
  name: 'bot_detection_basic',
  version: '1.0.0',
  category: 'access_control',
  triggers: ['before_request'],
  description: 'Refuses requests whose User-Agent matches a pattern, is empty or is missing',
  config,
  setup(settings, { log }): PluginHooks {
    const { header_name: header, status_code: status, message } = settings;
    const faultOf = userAgentRules(settings);
    const answer = problemAnswer({ status, code: 'forbidden', title: 'Forbidden', detail: message });
    const refuse = refusal(log, answer);
    return {
      request(exchange) {
        const fault = faultOf(exchange.request.headers.getAll(header));
        return fault === undefined ? undefined : refuse(exchange, fault);
      },
    };
  },
});
