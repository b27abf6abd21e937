import { createServer } from 'node:net';

/**
 * A TCP port on 127.0.0.1 that nothing listens on at this moment, and that this process has not given before: two calls
 * in a row never give the same one. Where a server can be told to take port 0 itself, prefer that: it cannot race.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await probe();
    if (!given.has(port)) {
      given.add(port);
      return port;
    }
  }
}

const given = new Set<number>();

async function probe(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('the listening socket has no port');
  return address.port;
}
