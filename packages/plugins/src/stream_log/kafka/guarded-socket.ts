import type { Socket } from 'node:net';
import { FrameSizes } from './frame-sizes.ts';

/** Longest answer that is read from a broker, in bytes. That about a topic with thousands of partitions is shorter. */
export const ANSWER_BYTES_MAX: number = 1024 * 1024;

/**
 * Keeps what a broker says from doing harm: an answer that is too long, or that the client trips over, ends the connection. Without it an
 * exception in the client would be nobody's to catch, and would end the process: brokers are whoever a tenant names.
 * @param onFault is told that the client tripped
 */
export function guardSocket(socket: Socket, onFault: (error: unknown) => void): void {
  const sizes = new FrameSizes(ANSWER_BYTES_MAX);
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean;
  const guarded = (event: string | symbol, ...args: unknown[]): boolean => {
    const [chunk] = args;
    if (event === 'data' && !(chunk instanceof Uint8Array && sizes.accepts(chunk))) {
      socket.destroy();
      return true;
    }
    try {
      return emit(event, ...args);
    } catch (error) {
      socket.destroy();
      onFault(error);
      return true;
    }
  };
  socket.emit = guarded as Socket['emit'];
}
