import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Where free ports are looked for: below the ranges from which Linux, macOS and Windows take ports for outgoing connections and for
 * servers that ask for any. A port from there could be taken before whoever asked for it listens.
 */
const range = { from: 20_000, below: 32_000 } as const;

/**
 * A TCP port on 127.0.0.1 that nothing listens on at this moment, and that this process has not given before: two calls
 * in a row never give the same one. Where a server can be told to take port 0 itself, prefer that: it cannot race.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(range.from, range.below);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

const given = new Set<number>();

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  } catch {
    return false;
  }
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return true;
}
