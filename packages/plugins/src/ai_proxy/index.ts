import {
  type AiOperation,
  REQUEST_BYTES_MAX,
  tooLarge,
  type RouterAnswer,
  type RouterError,
  vendorHeaderNames,
} from '@portcullis/ai-router';
import type { PluginHooks, RequestView, Responder, ResponderAnswer, ResponderCall } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { askedOperation } from './asked-operation.ts';
import { askingConsumer } from './asking-consumer.ts';
import { config } from './config.ts';
import { refuseEarly } from './early-refusal.ts';
import { ProviderTroubles } from './provider-troubles.ts';
import { routerSource } from './router-parts.ts';

/** Header of requests whose client wants to read in the body which way its answer took. */
const DETAILS_HEADER = 'x-gateway-ai-details';

/** Answers requests with what providers of AI models say. */
export const aiProxy: BuiltIn = builtIn({
  name: 'ai_proxy',
  version: '1.0.0',
  // It keeps policies, budgets and guardrails: without it no request may go on, whatever `failure_mode` says.
  category: 'enforcement',
  triggers: ['before_request'],
  description: 'Answers requests for AI models by their providers, with routes, policies and fallback',
  config,
  setup(given, services): PluginHooks {
    const source = routerSource(given, services);
    const troubles = new ProviderTroubles(given.providers, services);
    const { route_type: routeType, trust_consumer_headers: trustsHeaders, prompt_response_logging: logging } = given;
    const keptLength = logging?.enabled === true ? logging.max_chars : undefined;
    const responder: Responder = {
      async respond(call: ResponderCall): Promise<ResponderAnswer> {
        const { exchange, signal } = call;
        const { request } = exchange;
        const asked = askedOperation(request, routeType);
        if (asked === undefined) return refuseEarly(call, undefined, unknownEndpoint);
        const router = source.routerOf(exchange.aiRecords);
        const consumer = askingConsumer(exchange, trustsHeaders);
        if (asked === 'models') return answerOf(router.models(consumer));
        const body = await request.readBody(REQUEST_BYTES_MAX);
        if (body === undefined) return refuseEarly(call, asked, tooLarge);
        const answer = await router.handle(
          {
            operation: asked,
            body,
            consumer,
            vendorHeaders: vendorHeaders(request, asked),
            cacheControl: cacheControl(request),
            requestId: exchange.facts.requestId,
            isToldInBody: request.headers.get(DETAILS_HEADER) === 'true',
            ...(keptLength !== undefined && { keptLength }),
            onRecord: (record) => {
              troubles.note(record.attempts);
              call.observe({ ai: { ...record } });
            },
          },
          signal,
        );
        return answerOf(answer);
      },
    };
    const edits = Object.freeze({ responder });
    return { request: () => edits, dispose: () => source.release() };
  },
});

function vendorHeaders({ headers }: RequestView, operation: AiOperation): readonly string[] | undefined {
  let given: string[] | undefined;
  for (const name of vendorHeaderNames(operation)) {
    const value = headers.get(name);
    if (value !== undefined) (given ??= []).push(name, value);
  }
  return given;
}

/** All lines of the header count together. */
function cacheControl({ headers }: RequestView): string | undefined {
  const lines = headers.getAll('cache-control');
  return lines.length === 0 ? undefined : lines.join(',');
}

const unknownEndpoint: RouterError = {
  code: 'invalid_request_error',
  status: 404,
  message: 'No AI operation has this method and path',
};

function answerOf({ status, headers, body, source }: RouterAnswer): ResponderAnswer {
  return { status, headers, body, source: source === 'provider' ? 'upstream' : 'plugin' };
}
