import { createServer, type RequestListener, type Server } from 'node:http';

/** Servers on one port of several addresses, which say who was connected to. */
export interface CountingListener extends AsyncDisposable {
  readonly port: number;
  /** Connections that the address accepted. */
  accepted(address: string): number;
}

/** Tries for a port that is free on every address. */
const triesMax = 50;

/** Listens on the same port of all addresses. */
export async function listenOn(
  addresses: readonly string[],
  answer: RequestListener = (_req, res) => res.setHeader('connection', 'close').end('here'),
): Promise<CountingListener> {
  for (let tries = 1; ; tries += 1) {
    const accepted = new Map<string, number>();
    const servers: Server[] = [];
    const close = async (): Promise<void> => {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
    };
    let port = 0;
    try {
      for (const address of addresses) {
        const server = createServer(answer);
        server.on('connection', () => accepted.set(address, (accepted.get(address) ?? 0) + 1));
        port = await listen(server, address, port);
        servers.push(server);
      }
      return { port, accepted: (address) => accepted.get(address) ?? 0, [Symbol.asyncDispose]: close };
    } catch (error) {
      await close();
      if (tries === triesMax || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

async function listen(server: Server, address: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}
