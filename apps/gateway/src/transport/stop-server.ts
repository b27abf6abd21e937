import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/** How often a stopping server looks for connections that became idle. */
const idleSweepMs = 50;

/** The open sockets of a server. */
export function openSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/**
 * Stops accepting and waits until the connections are gone. Connections that never brought a byte end at once; idle ones
 * after `graceMs`, because a request may be on its way on them.
 */
export function stopServer(server: Server, sockets: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    let sweep: NodeJS.Timeout | undefined;
    const grace = setTimeout(() => {
      server.closeIdleConnections();
      sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs);
    }, graceMs);
    // What the kernel holds already is read before anybody is called silent.
    setImmediate(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    });
    // The `close` of `node:http` would end idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(grace);
      clearInterval(sweep);
      server.close(); // Ends what `node:http` keeps running for its connections.
      resolve();
    });
  });
}
