import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { eventually } from '@portcullis/testkit';
import type { Egress } from '../egress.ts';
import type { EgressCall, EgressListener, EgressStreamRequest } from './stream-request.ts';

/** Longer than any test takes: what ends by it has hung. */
export const patientMs = 60_000;

/** A call and what its listener heard, in order. */
export class HeardCall implements EgressListener {
  readonly heard: string[] = [];
  headers: readonly string[] = [];
  bytes = 0;
  /** What `onData` says. */
  takes = true;
  call: EgressCall | undefined;
  failure: Error | undefined;

  onHead(status: number, headers: readonly string[]): void {
    this.heard.push(`head ${status}`);
    this.headers = headers;
  }

  onData(bytes: Uint8Array): boolean {
    this.bytes += bytes.length;
    this.heard.push(bytes.length > 20 ? 'data' : `data ${Buffer.from(bytes).toString()}`);
    return this.takes;
  }

  onEnd(): void {
    this.heard.push('end');
  }

  onFailure(error: Error): void {
    this.failure = error;
    this.heard.push(`failed ${(error as Error & { code?: string }).code}`);
  }

  get isOver(): boolean {
    return this.heard.some((what) => what === 'end' || what.startsWith('failed'));
  }

  /** Resolves with all that was heard. */
  async over(): Promise<readonly string[]> {
    await eventually(() => this.isOver);
    return this.heard;
  }
}

/** Begins a call; what is not given takes for ever. */
export function begin(egress: Egress, request: Partial<EgressStreamRequest> & { readonly url: string }): HeardCall {
  const heard = new HeardCall();
  const times = { connectTimeoutMs: patientMs, headTimeoutMs: patientMs, idleTimeoutMs: patientMs };
  heard.call = egress.open({ ...times, ...request }, heard);
  if (heard.heard.length > 0) throw new Error('the listener was called within open');
  return heard;
}

/** A server that does with each connection's first bytes what a test says. */
export interface RawServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly sockets: readonly Socket[];
}

/** Starts it on 127.0.0.1. */
export async function startRaw(serve: (socket: Socket, asked: string) => void): Promise<RawServer> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined); // The caller may cut it.
    socket.on('data', (bytes) => serve(socket, bytes.toString('latin1')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
