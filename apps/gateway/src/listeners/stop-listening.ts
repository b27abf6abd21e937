import type { Http1Server } from '../transport/http1-server.ts';
import type { Http2Server } from '../transport/http2-server.ts';
import type { OpenSockets } from '../transport/open-sockets.ts';
import type { OpenPort } from './open-port.ts';

/** How often connections are looked at that became idle. */
const idleSweepMs = 50;

/** What is stopped. */
export interface StoppedParts {
  readonly ports: readonly OpenPort[];
  readonly sockets: OpenSockets;
  readonly http1: Http1Server;
  readonly http2: Http2Server;
  /** How long idle connections are kept, because a request may be on its way on them. */
  readonly graceMs: number;
}

/**
 * Stops accepting and waits until the connections are gone. Those that never brought a byte end at once; clients of HTTP/2
 * are told at once that theirs will end.
 */
export async function stopListening({ ports, sockets, http1, http2, graceMs }: StoppedParts): Promise<void> {
  for (const port of ports) port.close();
  // What the kernel holds already is read before anybody is called silent.
  setImmediate(() => sockets.closeSilent());
  http2.announceEnd();
  let sweep: NodeJS.Timeout | undefined;
  const closeIdle = (): void => {
    http1.closeIdle();
    http2.close();
  };
  const grace = setTimeout(() => {
    closeIdle();
    sweep = setInterval(closeIdle, idleSweepMs);
  }, graceMs);
  await sockets.gone();
  clearTimeout(grace);
  clearInterval(sweep);
  http1.close();
}
