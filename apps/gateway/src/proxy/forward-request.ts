import type { CompiledRoute } from '../configuration/generation.ts';
import { DestinationExchange } from './destination-exchange.ts';
import type { Exchange } from './exchange.ts';
import type { ForwardedExchange } from './forwarded-exchange.ts';
import type { HeldBody } from './held-body.ts';
import type { RequestHead } from './request-head.ts';
import { UpstreamExchange } from './upstream-exchange.ts';

/** Where a request goes: where a plugin chose, else to its service; `undefined` when there is neither. */
export function forwardRequest(
  exchange: Exchange,
  route: CompiledRoute,
  head: RequestHead,
  held: HeldBody | undefined,
): ForwardedExchange | undefined {
  const destination = exchange.state?.request.destination;
  if (destination !== undefined) return new DestinationExchange(exchange, route, destination, head, held);
  const { service, balancer } = route;
  if (service === undefined || balancer === undefined) return undefined;
  return new UpstreamExchange(exchange, route, service, balancer, head, held);
}
