import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import { readModelRoute } from './read-route.ts';
import type { ModelRoute, Target } from './route.ts';
import { routingPrompt } from './routing-prompt.ts';
import { TargetOrder } from './target-order.ts';

/** A request for {@link orderTargets}. */
export interface RoutedRequest {
  /** The form of its fields. Default `chat`. */
  readonly operation?: AiOperation;
  readonly stream?: boolean;
  /** Fields of the body: `messages`, `prompt`, `input`. */
  readonly [field: string]: unknown;
}

/**
 * The targets of a route in the order in which they are to be tried. A route that is the same object as before goes on where it was: weighted routes pick the next of
 * their sequence. For measured latencies keep a {@link TargetOrder}, and pass it.
 * @param route as `readModelRoute` gives it, or a config
 * @throws InvalidConfigError for a config that is none
 */
export function orderTargets(
  route: ModelRoute | JsonObject,
  request: RoutedRequest = {},
  order?: TargetOrder,
): readonly Target[] {
  const known = stateOf(route);
  const { operation = 'chat', stream = false } = request;
  return (order ?? known.order).order(known.route, { stream, promptText: () => routingPrompt(operation, request) });
}

/** What is known of a route that was ordered before. */
interface RouteState {
  readonly route: ModelRoute;
  readonly order: TargetOrder;
}

/** Goes with the route. */
const states = new WeakMap<object, RouteState>();

function stateOf(given: ModelRoute | JsonObject): RouteState {
  const known = states.get(given);
  if (known !== undefined) return known;
  const route = isRoute(given) ? given : readModelRoute('route', given);
  const state = { route, order: new TargetOrder({ monotonicMs: () => 0 }) };
  states.set(given, state);
  return state;
}

function isRoute(given: ModelRoute | JsonObject): given is ModelRoute {
  return 'vectorDimensions' in given && 'latencyColdStart' in given;
}
