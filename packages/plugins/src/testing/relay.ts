import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A listener that passes on what comes, byte for byte, to another port of this machine. */
export interface Relay extends AsyncDisposable {
  readonly port: number;
  readonly accepted: () => number;
  /** Cuts all connections. */
  cut(): void;
}

/** @param change what is made of what the server says. Default: nothing */
export async function startRelay(options: {
  readonly host: string;
  readonly to: number;
  readonly change?: (chunk: Buffer) => Buffer;
}): Promise<Relay> {
  const { host, to, change = (chunk: Buffer) => chunk } = options;
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    const onward = connect(to, '127.0.0.1');
    for (const end of [socket, onward]) {
      sockets.add(end);
      end.on('error', () => undefined);
      end.on('close', () => sockets.delete(end));
    }
    socket.on('data', (chunk) => onward.write(chunk));
    onward.on('data', (chunk: Buffer) => socket.write(change(chunk)));
    socket.on('close', () => onward.destroy());
    onward.on('close', () => socket.destroy());
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
