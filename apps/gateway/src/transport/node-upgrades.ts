import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ConnectionLine } from './connection-line.ts';
import { NodeServerCall } from './node-server-call.ts';
import type { ServerState } from './server-state.ts';
import { upgradeProtocol } from './server-transport.ts';

/**
 * Lets requests ask for another protocol: those that can be given it become {@link UpgradeCall}s. All others are served as if they had not
 * asked; what becomes of the wish is the handler's to say, who sees the fields.
 */
export function acceptUpgrades(server: Server, state: ServerState): void {
  // `node:http` takes it on its server, and its types do not know it yet.
  Object.assign(server, { shouldUpgradeCallback: canSwitch });
  server.on('upgrade', (request, stream, head) => {
    const socket = stream as Socket;
    if (head.length > 0) socket.unshift(head);
    new UpgradeCall(request, socket, state).enter();
  });
}

/**
 * A GET without a body that nothing is before on its connection. Behind an answer that is on its way `node:http` would take its hands off a
 * socket that it still writes to.
 */
function canSwitch(request: IncomingMessage): boolean {
  const { headers, method, httpVersion, socket } = request;
  return (
    headers.upgrade?.toLowerCase() === upgradeProtocol &&
    method === 'GET' &&
    httpVersion === '1.1' &&
    (headers['content-length'] ?? '0') === '0' &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined &&
    !ConnectionLine.of(socket).busy
  );
}

/** A request that asks for another protocol. `node:http` has let go of its socket: whatever it is answered, the connection ends with it. */
export class UpgradeCall extends NodeServerCall {
  readonly #socket: Socket;
  readonly #response: ServerResponse;
  readonly #onReadable = (): void => {
    // Nothing is taken of what comes early, but the end has to be asked for to be seen.
    if (this.#socket.readableLength === 0) this.#socket.read();
  };
  readonly #onEnd = (): void => void this.#socket.destroy();

  constructor(request: IncomingMessage, socket: Socket, state: ServerState) {
    const response = new ServerResponse(request);
    super(request, response, state, false);
    this.#socket = socket;
    this.#response = response;
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on('finish', () => socket.destroySoon());
    socket.setTimeout(0);
    socket.on('error', ignore); // `close` follows.
    socket.on('drain', () => response.emit('drain'));
    socket.on('readable', this.#onReadable);
    socket.once('end', this.#onEnd);
  }

  switchProtocols(headers: readonly string[]): Socket {
    const socket = this.#socket;
    const response = this.#response;
    response.writeHead(101, headers as string[]);
    response.flushHeaders();
    response.detachSocket(socket);
    socket.removeAllListeners('drain');
    socket.off('readable', this.#onReadable);
    socket.off('end', this.#onEnd);
    socket.once('close', () => this.switched());
    return socket;
  }
}

function ignore(): void {
  // Nothing to do.
}
