import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { serviceFailures } from '../shared/chat/open-failures.ts';
import { config } from './config.ts';
import { answerJudge } from './judged-answer.ts';
import { requestJudge } from './judged-request.ts';
import { textJudge } from './text-judge.ts';

/** Has prompts and answers judged by a guardrail of a cloud. */
export const cloudGuardrails: BuiltIn = builtIn({
  name: 'cloud_guardrails',
  version: '1.0.0',
  category: 'enforcement',
  triggers: ['both', 'request_response', 'before_request', 'after_response'],
  description: 'Has what goes to models, and what they answer, judged by a guardrail of Amazon Bedrock',
  config,
  setup(given, services): PluginHooks {
    const failures = serviceFailures(services, given.fail_open, 'the guardrail');
    const judge = textJudge(given, services, failures);
    const request = requestJudge(given, judge, services);
    const response = answerJudge(given, judge, failures, services);
    return {
      request: (exchange) => (exchange.request.hasBody ? request(exchange, exchange.signal()) : undefined),
      response: (exchange) => {
        const { source, status } = exchange.response;
        // What the gateway and its plugins refuse with holds nothing of a model.
        if (source === 'gateway' || (source === 'plugin' && status >= 400)) return undefined;
        return response(exchange, exchange.signal());
      },
    };
  },
});
