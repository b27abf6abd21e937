import { explainRequest, type RequestExplanation } from '../explain/explain-request.ts';
import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import { isAllowed } from '../policy/select-policy.ts';
import { TargetOrder } from '../routing/target-order.ts';
import { RequestRun } from './request-run.ts';
import { compileRouter, planOf, type RouterConfig, sentName } from './router-config.ts';
import type { RouterOptions } from './router-options.ts';
import type { AiConsumer, RouterAnswer, RouterRequest } from './router-request.ts';

/** Takes clients' requests to providers. */
export interface Router {
  /**
   * Answers one request. Errors of clients and providers are answers, too; what is rejected is a mistake of a port.
   * @param signal fires when the client left; then the answer is of status 499 and for nobody
   */
  handle(request: RouterRequest, signal: AbortSignal): Promise<RouterAnswer>;
  /** The list of models that a consumer may ask for by name. Source: ai, Endpoints. */
  models(consumer: AiConsumer | undefined): RouterAnswer;
  /** Says what would happen to a request, and why. No provider is called, nothing is counted, nothing moves. */
  explain(operation: AiOperation, body: JsonObject, consumer: AiConsumer | undefined): RequestExplanation;
}

/** One entry of the list, as OpenAI's clients read it. */
interface ListedModel {
  readonly id: string;
  readonly object: 'model';
  /** Seconds since 1970. */
  readonly created: number;
  readonly owned_by: string;
}

const MS_PER_SECOND = 1000;

/** Makes a router of one configuration. @throws UnsupportedRequestError for a provider's type without an adapter */
export function createRouter(options: RouterOptions): Router {
  const config = compileRouter(options);
  const created = Math.floor(options.clock.nowMs() / MS_PER_SECOND);
  return {
    handle: (request, signal) => new RequestRun(config, request, signal).start(),
    explain: (operation, body, consumer) => {
      const { routes, policies, defaultProvider, ordering } = options;
      const order = ordering instanceof TargetOrder ? { order: ordering } : {};
      const model = typeof body['model'] === 'string' ? body['model'] : '';
      const sentAs = sentName(config.slots.get(defaultProvider ?? ''), model);
      return explainRequest({ operation, body, model, routes, policies, consumer, defaultProvider, sentAs, ...order });
    },
    models: (consumer) => ({
      status: 200,
      headers: ['content-type', 'application/json'],
      body: JSON.stringify({ object: 'list', data: listModels(config, consumer, created) }),
      source: 'router',
    }),
  };
}

function listModels(config: RouterConfig, consumer: AiConsumer | undefined, created: number): readonly ListedModel[] {
  const policy = config.policies.select(consumer);
  return config.routes
    .models()
    .filter((model) => isAllowed(policy, model, { routeModel: planOf(config, model)?.route?.model }))
    .map((model) => {
      const targets = planOf(config, model)?.route?.targets ?? [];
      const owner = targets.find(({ enabled, provider }) => enabled && config.slots.has(provider))?.provider;
      return { id: model, object: 'model' as const, created, owned_by: owner ?? 'gateway' };
    });
}
