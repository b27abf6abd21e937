import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Outbound, OutboundAddress } from '@portcullis/plugin-runtime';
import { EXTENDED_RESPONSE, SUCCESS, resultCodeOf } from '../protocol/answers.ts';
import { START_TLS } from '../protocol/requests.ts';
import { LdapConnection } from './ldap-connection.ts';
import type { DirectoryServer } from './server-url.ts';

/** Most addresses of one name that are tried. */
const ADDRESSES_MAX = 3;

/**
 * Opens a connection to a directory: to an address that the way out gave, and to no other. With TLS the server proves that it is the
 * configured host, by a certificate that leads to an authority this machine trusts.
 * @param signal ends it, also when it is open
 * @throws Error when no address lets us in, or TLS fails
 */
export async function openConnection(
  server: DirectoryServer,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<LdapConnection> {
  const addresses = await outbound.resolve(server.host, server.port, signal);
  const socket = await firstOf(addresses.slice(0, ADDRESSES_MAX), signal);
  try {
    if (server.security === 'none') return new LdapConnection(socket);
    const plain = server.security === 'start_tls' ? await startTls(socket) : socket;
    return new LdapConnection(await secured(plain, server.host, signal));
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function firstOf(addresses: readonly OutboundAddress[], signal: AbortSignal): Promise<Socket> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      // One after the other: the next is asked only where this one fails.
      // oxlint-disable-next-line no-await-in-loop -- see above
      return await connected(address, signal);
    } catch (error) {
      failure = error;
    }
  }
  throw new Error('no address of the directory accepts connections', { cause: failure });
}

async function connected({ address, family, port }: OutboundAddress, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted();
  const socket = connect({ host: address, family, port, noDelay: true });
  destroyOnAbort(socket, signal);
  await opened(socket, 'connect');
  return socket;
}

/** Source: RFC 4511, section 4.14. */
async function startTls(socket: Socket): Promise<Socket> {
  const connection = new LdapConnection(socket);
  const answer = await connection.ask(START_TLS);
  const code = answer.operation === EXTENDED_RESPONSE ? resultCodeOf(answer) : undefined;
  if (code !== SUCCESS)
    throw new Error(`the directory refuses StartTLS with result code ${code ?? 'of another operation'}`);
  return connection.release();
}

async function secured(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  // An address is no server name, but its certificate must be for it: RFC 6066, section 3.
  const secure = connectTls({ socket, host, ...(isIP(host) === 0 ? { servername: host } : {}) });
  destroyOnAbort(secure, signal);
  await opened(secure, 'secureConnect');
  return secure;
}

function destroyOnAbort(socket: Socket, signal: AbortSignal): void {
  const destroy = (): void => {
    socket.destroy(signal.reason instanceof Error ? signal.reason : new Error('the call was given up'));
  };
  signal.addEventListener('abort', destroy);
  socket.once('close', () => signal.removeEventListener('abort', destroy));
}

function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once(event, resolve);
  // Stays: an error between this listener and the next would be uncaught.
  socket.on('error', reject);
  socket.once('close', () => reject(new Error('the directory closed the connection')));
  return promise;
}
