import { createServer, type Server, type Socket } from 'node:net';

/** Connections that the kernel keeps until they are taken. */
export const backlog = 4096;

/** A port that is listened on. */
export interface OpenPort {
  readonly port: number;
  /** Takes no connection any more; those that were taken live on. */
  close(): void;
}

/**
 * Listens, and hands over each connection with nothing of it read.
 * @param port 0 takes any free one
 * @throws the system's error (`EADDRINUSE`, `EACCES`, …) when it cannot listen
 */
export async function openPort(host: string, port: number, take: (socket: Socket) => void): Promise<OpenPort> {
  // A client may end its side and still wait for the answer.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, take);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: portOf(server), close: () => void server.close() };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
