import type { CompiledRoute } from '../configuration/generation.ts';
import { DestinationExchange } from './destination-exchange.ts';
import type { Exchange } from './exchange.ts';
import type { AnsweringExchange } from './answering-exchange.ts';
import type { HeldBody } from './held-body.ts';
import type { RequestHead } from './request-head.ts';
import { ResponderExchange } from './responder-exchange.ts';
import { UpstreamExchange } from './upstream-exchange.ts';

/** Who answers a request: a plugin, who stands where one chose, else its service; `undefined` when there is none of them. */
export function forwardRequest(
  exchange: Exchange,
  route: CompiledRoute,
  head: RequestHead,
  held: HeldBody | undefined,
): AnsweringExchange | undefined {
  const { state } = exchange;
  const responder = state?.request.responder;
  if (state !== undefined && responder !== undefined) return new ResponderExchange(exchange, route, state, responder);
  const destination = state?.request.destination;
  if (destination !== undefined) return new DestinationExchange(exchange, route, destination, head, held);
  const { service, balancer } = route;
  if (service === undefined || balancer === undefined) return undefined;
  return new UpstreamExchange(exchange, route, service, balancer, head, held);
}
