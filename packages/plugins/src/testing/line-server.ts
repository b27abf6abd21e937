import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A server that reads lines. */
export interface LineServer extends AsyncDisposable {
  readonly port: number;
  /** Whole lines so far, of all connections. */
  readonly lines: () => readonly string[];
  /** What came after the last line break of a connection that ended. */
  readonly rests: () => readonly string[];
  readonly accepted: () => number;
  readonly open: () => number;
  /** Reads nothing more, and accepts connections all the same. */
  pause(): void;
  resume(): void;
  /** Cuts all connections. */
  cut(): void;
  /** Says goodbye to all connections, and still reads them. */
  halfClose(): void;
}

/** @param port default: a free one; that of a server that ended has it begin anew */
export async function startLineServer(port = 0): Promise<LineServer> {
  const sockets = new Set<Socket>();
  const lines: string[] = [];
  const rests: string[] = [];
  let accepted = 0;
  let isPaused = false;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    accepted += 1;
    sockets.add(socket);
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      const parts = `${rest}${text}`.split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });
    socket.on('end', () => socket.end());
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      if (rest !== '') rests.push(rest);
    });
    if (isPaused) socket.pause();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    lines: () => lines,
    rests: () => rests,
    accepted: () => accepted,
    open: () => sockets.size,
    pause: () => {
      isPaused = true;
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      isPaused = false;
      for (const socket of sockets) socket.resume();
    },
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    halfClose: () => {
      for (const socket of sockets) socket.end();
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
