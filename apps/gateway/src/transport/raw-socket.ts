import type { Socket } from 'node:net';

const raw: unique symbol = Symbol('raw');

interface LayeredSocket extends Socket {
  [raw]?: Socket;
}

/** Says which socket carries a socket of TLS. */
export function setRawSocket(socket: Socket, carrier: Socket): void {
  (socket as LayeredSocket)[raw] = carrier;
}

/** Cuts a connection so that its other end sees a reset: TLS cannot do that, only what carries it. */
export function resetSocket(socket: Socket): void {
  const carrier = (socket as LayeredSocket)[raw];
  (carrier ?? socket).resetAndDestroy();
  if (carrier !== undefined) socket.destroy();
}
