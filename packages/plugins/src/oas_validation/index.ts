import type { Exchange, PluginHooks, PluginResponse, ResponseExchange } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { contractAnswers, issueOfFault } from './answers.ts';
import { warningTimes } from '../shared/warning-times.ts';
import { config } from './config.ts';
import { DescribedApi, type FoundOperation } from './description/described-api.ts';
import type { ContractIssue, MessageFault } from './operations/issue.ts';

/** Checks requests and answers against an OpenAPI description. */
export const oasValidation: BuiltIn = builtIn({
  name: 'oas_validation',
  version: '1.0.0',
  category: 'contract',
  triggers: ['before_request', 'both', 'after_response', 'request_response', 'all'],
  description: 'Refuses requests, and answers of services, that are not as an OpenAPI description has them',
  config,
  setup(settings, { log, clock, metrics }): PluginHooks {
    const { strict: isStrict, max_body_bytes: bytesMax } = settings;
    const api = new DescribedApi(settings.spec, { isStrict, bytesMax }, settings.base_path);
    const answers = contractAnswers(settings);
    const isWarningDue = warningTimes(() => clock.monotonicMs());
    const undescribed = metrics.counter('undescribed', 'Requests that are not described and went on unchecked');
    /** A description that no request meets would check nothing, and nobody would know. */
    const passed = (exchange: Exchange, what: keyof typeof UNDESCRIBED): void => {
      undescribed.add(1);
      if (isWarningDue())
        log.warn('a request went on unchecked: it is not described', { what, request_id: exchange.facts.requestId });
    };
    /** What requests were, as they came to this plugin: later plugins may change their paths. */
    const known = new WeakMap<Exchange, FoundOperation>();

    const refused = (
      exchange: Exchange,
      fault: MessageFault | undefined,
      answer: (exchange: Exchange, fault: MessageFault) => PluginResponse,
    ): PluginResponse | undefined => {
      if (fault === undefined) return undefined;
      const { in: place, name = '', pointer = '', rule } = issueOfFault(fault);
      log.debug('refused a message that is not as described', {
        place,
        name,
        pointer,
        rule,
        request_id: exchange.facts.requestId,
      });
      return answer(exchange, fault);
    };

    const request = (exchange: Exchange) => {
      const found = api.find(exchange.request.method, exchange.request.path);
      known.set(exchange, found);
      if (!settings.validate_request) return undefined;
      if (typeof found === 'string') {
        if (isStrict) return refused(exchange, UNDESCRIBED[found], answers.toRequest);
        passed(exchange, found);
        return undefined;
      }
      const fault = found.contract.requestFault(exchange, found.parameters);
      return fault instanceof Promise
        ? fault.then((late) => refused(exchange, late, answers.toRequest))
        : refused(exchange, fault, answers.toRequest);
    };

    const response = (exchange: ResponseExchange) => {
      // What plugins and the gateway answer is not the service's.
      if (exchange.response.source !== 'upstream') return undefined;
      const found = known.get(exchange) ?? api.find(exchange.request.method, exchange.request.clientPath);
      if (typeof found === 'string') return undefined;
      const fault = found.contract.responseFault(exchange);
      return fault instanceof Promise
        ? fault.then((late) => refused(exchange, late, answers.toResponse))
        : refused(exchange, fault, answers.toResponse);
    };
    return { request, ...(settings.validate_response ? { response } : {}) };
  },
});

const UNDESCRIBED: Readonly<Record<'no path' | 'no method', ContractIssue>> = {
  'no path': { in: 'path', rule: 'described', message: 'is not described' },
  'no method': { in: 'method', rule: 'described', message: 'is not described for this path' },
};
