import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A server on one address of this machine. */
export interface AddressServer extends AsyncDisposable {
  readonly port: number;
  /** `host` fields of the requests so far. */
  readonly hosts: (string | undefined)[];
  /** Open connections. */
  readonly connections: () => Promise<number>;
}

/**
 * An HTTP server on an address of the loopback net (on Linux all of 127.0.0.0/8 is), so that several upstreams can share a port. Answers with the address unless a
 * handler does.
 */
export async function startAddressServer(
  address: string,
  port = 0,
  handler: (req: IncomingMessage, res: ServerResponse) => void = (_req, res) => void res.end(address),
): Promise<AddressServer> {
  const hosts: (string | undefined)[] = [];
  const server = createServer((req, res) => {
    hosts.push(req.headers.host);
    handler(req, res);
  });
  server.listen(port, address);
  await once(server, 'listening');
  const bound = server.address();
  return {
    port: typeof bound === 'object' ? (bound?.port ?? 0) : 0,
    hosts,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      ),
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
