import type { Socket } from 'node:net';
import { SendError } from '../sinks/record-sender.ts';

/** Bytes that may wait in a connection for an end that reads nothing. Above it the connection is cut. */
export const WAITING_BYTES_MAX: number = 4 * 1024 * 1024;

/** Gives bytes to the system. @throws SendError that may be tried again */
export function put(socket: Socket, bytes: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.write(bytes, (error) => {
    if (error === null || error === undefined) resolve();
    else reject(new SendError('the connection broke', true, { cause: error }));
  });
  return promise;
}

/**
 * Waits for what is written, until the connection closes or `signal` fires.
 * @param isLate whether the other end had its time: then the connection is cut with the wait
 * @throws SendError that may be tried again
 */
export function waited(
  writing: Promise<void>,
  socket: Socket,
  signal: AbortSignal,
  isLate: () => boolean,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onClose = (): void => reject(new SendError('the host closed the connection', true));
  const onAbort = (): void => {
    if (isLate() || socket.writableLength > WAITING_BYTES_MAX) socket.destroy();
    reject(new SendError('the host takes nothing more', true));
  };
  socket.once('close', onClose);
  signal.addEventListener('abort', onAbort, { once: true });
  writing.then(resolve, reject);
  if (signal.aborted) onAbort();
  else if (socket.destroyed) onClose();
  return promise.finally(() => {
    socket.off('close', onClose);
    signal.removeEventListener('abort', onAbort);
  });
}
