import type { ModelInstance, ModelTarget, Outcome, StageName } from './chain-cases.test-support.ts';

/** What one request should have come to. */
export interface Predicted {
  /** `stage id` of every hook that ran, in order. */
  readonly trace: readonly string[];
  /** Who made the answer that the client gets: `upstream`, `gateway`, or the ID of the instance that answered last. */
  readonly answeredBy: string;
}

/**
 * The rules of chains as the specification says them, one sentence after the other and without a thought for speed. The
 * runtime has to come to the same for every configuration. Source: spec, Scope matching rules, Trigger semantics, Ordering
 * rules, Execution policy.
 */
export function predict(
  collection: readonly ModelInstance[],
  inline: readonly ModelInstance[],
  target: ModelTarget,
  upstream: 'answers' | 'fails',
): Predicted {
  const trace: string[] = [];
  let consumer: ModelTarget['consumer'];
  let answeredBy = '';

  /** Runs a stage. "Every matching enabled instance runs; a narrower scope never replaces a broader one." */
  const runStage = (stage: StageName): Outcome => {
    let result: Outcome = 'continue';
    for (const instance of stageOrder(collection, inline, stage)) {
      if (!instance.enabled || !stagesOf(instance.trigger).includes(stage)) continue;
      if (!matches(instance, target, consumer)) continue;
      trace.push(`${stage} ${instance.id}`);
      const behaviour = instance.behaviour[stage];
      if (behaviour === 'identify' && stage === 'request') consumer = target.consumer;
      if (behaviour === 'respond') {
        answeredBy = instance.id;
        result = 'respond';
        // "May return a response and stop proxying": nothing further runs in the request stage.
        if (stage === 'request') return 'respond';
      }
      // "Fail-closed plugin categories reject on infrastructure errors"; the client is told already in the error stage.
      if (behaviour === 'break' && failsClosed(instance) && stage !== 'error') return 'failed';
    }
    return result;
  };

  const tellOfFailure = (): Predicted => {
    answeredBy = 'gateway';
    runStage('error');
    return { trace, answeredBy };
  };

  const request = runStage('request');
  if (request === 'failed') return tellOfFailure();
  if (request === 'continue') {
    if (upstream === 'fails') return tellOfFailure();
    answeredBy = 'upstream';
  }
  // "Response-stage plugins still receive that response."
  return runStage('response') === 'failed' ? tellOfFailure() : { trace, answeredBy };
}

/** "Collection request-stage plugins run before the route's inline plugins; on responses and errors inline plugins run before collection plugins. Priorities apply within each chain." */
function stageOrder(
  collection: readonly ModelInstance[],
  inline: readonly ModelInstance[],
  stage: StageName,
): readonly ModelInstance[] {
  return stage === 'request'
    ? [...inOrder(collection), ...inOrder(inline)]
    : [...inOrder(inline), ...inOrder(collection)];
}

/** "Ordered by higher priority, then plugin name ascending, then instance ID ascending, then source order." */
function inOrder(instances: readonly ModelInstance[]): readonly ModelInstance[] {
  const before = (left: ModelInstance, right: ModelInstance): boolean => {
    if (left.priority !== right.priority) return left.priority > right.priority;
    if (left.name !== right.name) return left.name < right.name;
    if (left.sortId !== right.sortId) return left.sortId < right.sortId;
    return instances.indexOf(left) < instances.indexOf(right);
  };
  const ordered: ModelInstance[] = [];
  for (const instance of instances) {
    const place = ordered.findIndex((other) => before(instance, other));
    ordered.splice(place === -1 ? ordered.length : place, 0, instance);
  }
  return ordered;
}

/** "Trigger semantics", a row each. */
function stagesOf(trigger: ModelInstance['trigger']): readonly StageName[] {
  switch (trigger) {
    case 'before_request':
      return ['request'];
    case 'after_response':
      return ['response'];
    case 'on_error':
      return ['error'];
    case 'both':
    case 'request_response':
      return ['request', 'response'];
    case 'all':
      return ['request', 'response', 'error'];
    default:
      return [];
  }
}

/** "When several selectors are given, all must match." A consumer "must already be authenticated before the plugin runs". */
function matches(instance: ModelInstance, target: ModelTarget, consumer: ModelTarget['consumer']): boolean {
  const { selectors } = instance;
  const wants = (wanted: string | undefined, actual: string | undefined): boolean =>
    wanted === undefined || wanted === actual;
  return (
    wants(selectors.gateway_id, target.gateway.id) &&
    wants(selectors.workspace_id, target.workspaceId) &&
    wants(selectors.service_id, target.service?.id) &&
    wants(selectors.service_name, target.service?.name) &&
    wants(selectors.route_id, target.route?.id) &&
    wants(selectors.route_name, target.route?.name) &&
    wants(selectors.consumer_id, consumer?.id) &&
    (selectors.consumer_group === undefined || (consumer?.groups.includes(selectors.consumer_group) ?? false))
  );
}

/** "Authentication, access-control, rate-limit, request-protection, contract and enforcement plugins stay fail-closed." */
function failsClosed({ category, failureMode }: ModelInstance): boolean {
  const closed = ['authentication', 'access_control', 'rate_limit', 'request_protection', 'contract', 'enforcement'];
  return closed.includes(category) || failureMode === 'strict';
}
