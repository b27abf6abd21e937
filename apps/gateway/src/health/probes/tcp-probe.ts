import { plainConnection } from './probe-connection.ts';
import type { ProbeKind } from './run-probe.ts';

/** A connection that comes about is a success; nothing is sent. */
export const tcpProbe: ProbeKind = (parts, _plan, address, sink) => {
  const socket = plainConnection(parts, address);
  socket.once('connect', () => sink.onVerdict('success', 'connected'));
  socket.on('error', (error) => sink.onError(error));
  return () => socket.destroy();
};
