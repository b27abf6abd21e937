import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import { estimateTokens, type TokenEstimate } from '../policy/estimate-tokens.ts';
import type { AiPolicy, PolicyConsumer } from '../policy/policy.ts';
import { isAllowed, namesOf, policySubject, selectPolicy } from '../policy/select-policy.ts';
import type { ModelRoute } from '../routing/route.ts';
import { RouteTable } from '../routing/route-table.ts';
import { routingPrompt } from '../routing/routing-prompt.ts';
import { TargetOrder, type RankedTarget } from '../routing/target-order.ts';
import { rankReason } from './rank-reason.ts';

/** What is asked for, and by which rules. */
export interface ExplainedRequest {
  readonly operation: AiOperation;
  readonly body: JsonObject;
  readonly model: string;
  /** Those of a config before those of records. */
  readonly routes: readonly ModelRoute[];
  readonly policies: readonly AiPolicy[];
  readonly consumer?: PolicyConsumer | undefined;
  /** Takes models without a route, under the name that was asked for. */
  readonly defaultProvider?: string | undefined;
  /** What that provider calls the model. Default: as it was asked for. */
  readonly sentAs?: string | undefined;
  /** With what it has learnt; a new one otherwise. */
  readonly order?: TargetOrder;
}

/** A target with its place. */
export interface ExplainedTarget extends RankedTarget {
  readonly reason: string;
}

/** What would happen to a request. */
export interface RequestExplanation {
  readonly outcome: 'routed' | 'default_provider' | 'no_route' | 'model_not_allowed';
  readonly reason: string;
  readonly route: ModelRoute | undefined;
  /** In the order in which they would be tried; also where the policy refuses. */
  readonly targets: readonly ExplainedTarget[];
  readonly policy: AiPolicy | undefined;
  /** Whose use the policy's limits count. */
  readonly subject: string | undefined;
  readonly isAllowed: boolean;
  readonly estimate: TokenEstimate;
  readonly warnings: readonly string[];
}

/**
 * Says what would happen to a request and why: its route, the order of targets, the policy and the estimate. Asks no provider, counts nothing, moves nothing. What was counted so
 * far is not looked at. Source: wire, AI records.
 */
export function explainRequest(request: ExplainedRequest): RequestExplanation {
  const { operation, body, model, routes, policies, consumer, defaultProvider, sentAs = model } = request;
  const route = new RouteTable(routes, false).find(model);
  const order = request.order ?? new TargetOrder({ monotonicMs: () => 0 });
  const stream = body['stream'] === true;
  const ranked =
    route === undefined ? [] : order.explain(route, { stream, promptText: () => routingPrompt(operation, body) });
  const policy = selectPolicy(policies, consumer);
  const allowed = isAllowed(policy, model, {
    routeModel: route?.model,
    sentAs: route === undefined ? namesOf(sentAs) : [],
  });
  const found = route !== undefined ? 'routed' : defaultProvider !== undefined ? 'default_provider' : 'no_route';
  const outcome = found === 'no_route' || allowed ? found : 'model_not_allowed';
  const estimate = estimateTokens(operation, body);
  return {
    outcome,
    reason: reasonOf(outcome, route, policy, defaultProvider),
    route,
    targets: ranked.map((one) => ({ ...one, reason: rankReason(route?.strategy, one) })),
    policy,
    subject: policy && policySubject(policy, consumer),
    isAllowed: allowed,
    estimate,
    warnings: warningsOf(route, ranked, policy, estimate),
  };
}

function reasonOf(
  outcome: RequestExplanation['outcome'],
  route: ModelRoute | undefined,
  policy: AiPolicy | undefined,
  defaultProvider: string | undefined,
): string {
  if (outcome === 'no_route') return 'no route has this model, and there is no default provider';
  if (outcome === 'model_not_allowed') return `policy ${policy?.name ?? ''} does not allow the model`;
  if (outcome === 'default_provider') return `no route has this model: it goes to ${defaultProvider ?? ''} as it is`;
  return `route of ${route?.model ?? ''}, strategy ${route?.strategy ?? ''}`;
}

function warningsOf(
  route: ModelRoute | undefined,
  ranked: readonly RankedTarget[],
  policy: AiPolicy | undefined,
  { total }: TokenEstimate,
): readonly string[] {
  const warnings: string[] = [];
  if (route !== undefined && ranked.length === 0) warnings.push('no target of the route is enabled');
  if (route?.strategy === 'semantic' && ranked.length > 0 && ranked.every(({ score }) => score === undefined)) {
    warnings.push('no hint scores: targets stand in the order of the array');
  }
  if (route?.strategy === 'weighted' && ranked.length > 0 && ranked.every(({ target }) => target.weight === 0)) {
    warnings.push('all weights are zero: targets stand in the order of the array');
  }
  if (policy !== undefined && policy.tokenBudget > 0 && total > policy.tokenBudget) {
    warnings.push('the estimate alone is above the token budget');
  }
  return warnings;
}
