import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A socket that takes datagrams. */
export interface DatagramServer extends AsyncDisposable {
  readonly port: number;
  readonly datagrams: () => readonly string[];
  /** Ports of those who sent, without repetition. */
  readonly senders: () => readonly number[];
}

/** @param port default: a free one */
export async function startDatagramServer(family: 4 | 6 = 4, port = 0): Promise<DatagramServer> {
  // The system drops what nobody took in time: a busy machine needs the room.
  const socket = createSocket({ type: `udp${family}`, recvBufferSize: 4 * 1024 * 1024 });
  const datagrams: string[] = [];
  const senders = new Set<number>();
  socket.on('message', (message, { port: sender }) => {
    datagrams.push(message.toString('utf8'));
    senders.add(sender);
  });
  socket.bind(port, family === 4 ? '127.0.0.1' : '::1');
  await once(socket, 'listening');
  let isOpen = true;
  return {
    port: socket.address().port,
    datagrams: () => datagrams,
    senders: () => [...senders],
    [Symbol.asyncDispose]: async () => {
      if (!isOpen) return;
      isOpen = false;
      socket.close();
      await once(socket, 'close');
    },
  };
}
