import type { Socket } from 'node:net';
import { TcpConnectionState } from '@portcullis/plugin-runtime';
import type { CompiledRoute, Generation } from '../configuration/generation.ts';
import { plainAddress } from '../proxy/trusted-proxies.ts';
import type { ConnectionFacts } from '../transport/server-transport.ts';
import type { StreamKind } from './observe-stream.ts';
import type { StreamSeries } from './stream-metrics.ts';

/** What a connection is carried with. */
export interface StreamParts {
  readonly generation: Generation;
  readonly route: CompiledRoute;
  readonly series: StreamSeries;
  /** Nothing of it has been read. */
  readonly client: Socket;
  readonly connection: ConnectionFacts;
  readonly kind: StreamKind;
  /** It is over: both sockets are closed. */
  readonly onOver: () => void;
}

/** What the hooks of a connection see of it. */
export function stateOf(
  { generation, route, connection }: StreamParts,
  connectionId: string,
  recordSteps: boolean,
): TcpConnectionState {
  const { gateway, tenantId, workspaceId } = generation;
  const service = route.service?.record;
  const facts = { connectionId, tenantId, gateway, route: route.record };
  return new TcpConnectionState({
    facts: { ...facts, ...(workspaceId !== undefined && { workspaceId }), ...(service && { service }) },
    clientIp: plainAddress(connection.peerAddress),
    ...(connection.serverName !== undefined && { sni: connection.serverName }),
    recordSteps,
  });
}
