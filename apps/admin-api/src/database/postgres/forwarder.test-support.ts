import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What stands between a client and a server, and can behave like a network that is broken. */
export interface Forwarder {
  readonly port: string;
  /** Forgets the connections of the time without a word to either side, as a lost firewall state does. */
  swallow(): void;
  /** From now on a client learns only after its next word that the server has ended the connection. */
  delayEnds(): void;
  stop(): void;
}

/** Forwards to a server. */
export async function startForwarder(target: URL): Promise<Forwarder> {
  const pairs: { readonly near: Socket; readonly far: Socket }[] = [];
  let areEndsDelayed = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    near.pipe(far).pipe(near, { end: false });
    let isAnswered = false;
    near.on('data', () => (isAnswered = false));
    far.on('data', () => (isAnswered = true));
    far.on('close', () => {
      if (!areEndsDelayed || !isAnswered) return void near.end();
      near.unpipe(far);
      near.once('data', () => near.end()).resume();
    });
    for (const socket of [near, far]) socket.on('error', () => undefined);
    pairs.push({ near, far });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    port: String((server.address() as AddressInfo).port),
    swallow() {
      for (const { near, far } of pairs) {
        near.unpipe(far);
        far.unpipe(near);
        near.resume();
      }
    },
    delayEnds() {
      areEndsDelayed = true;
    },
    stop() {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
      server.close();
    },
  };
}
