import { errorBody, type AiOperation, type RouterError } from '@portcullis/ai-router';
import type { ResponderAnswer, ResponderCall } from '@portcullis/plugin-runtime';

/**
 * Refuses what never reaches the router, with the body, headers and record that the router gives to its own refusals.
 * @param operation `undefined` where the request asks for none that there is
 */
export function refuseEarly(
  { exchange, observe }: ResponderCall,
  operation: AiOperation | undefined,
  error: RouterError,
): ResponderAnswer {
  const { requestId } = exchange.facts;
  const body = errorBody(operation ?? 'chat', error);
  Object.assign(body['error'] as object, { request_id: requestId });
  body['gateway_ai'] = { attempts: [], provider: null, model: null, cache: 'disabled', request_id: requestId };
  observe({
    ai: {
      ...{ operation: operation ?? 'unknown', stream: false, requested_model: null, model_route: null },
      ...{
        provider: null,
        model: null,
        response_model: null,
        policy: null,
        outcome: 'refused',
        error_class: error.code,
        fallback: false,
      },
      ...{ attempts: [], cache: 'disabled', usage: null, cost: null, ttft_ms: null },
      ...{ provider_ms: 0, gateway_ms: 0, unreadable_events: 0 },
    },
  });
  return {
    status: error.status ?? 413,
    headers: ['content-type', 'application/json', 'x-gateway-ai-attempts', '[]', 'x-gateway-ai-cache', 'disabled'],
    body: JSON.stringify(body),
    source: 'plugin',
  };
}
