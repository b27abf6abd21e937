import { connect as connectPlain, type LookupFunction, type Socket } from 'node:net';
import { connect as connectSecure, type TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { serverNameOf, tlsOptionsOf, type TlsAddress } from './upstream-tls.ts';
import type { UpstreamAddress } from './upstream-transport.ts';

/** An idle connection is asked for signs of life after so many milliseconds: a peer that vanished without a word is found out. */
const keepAliveMs = 60_000;

/** A cleartext connection to an upstream, on its way: `connect` or `error` follows. Its time is bounded by whoever opens it. */
export function openPlain({ host, port }: Pick<UpstreamAddress, 'host' | 'port'>, lookup: LookupFunction): Socket {
  return connectPlain({ host, port, lookup, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs });
}

/**
 * A TLS connection to an upstream, on its way: `secureConnect` or `error` follows. A certificate that is not accepted is an error.
 * @param protocols of ALPN; none are asked for when empty
 * @throws Error of `node:tls` for certificates or keys of the address that it cannot read
 */
export function openSecure(
  address: TlsAddress & Pick<UpstreamAddress, 'port'>,
  lookup: LookupFunction,
  protocols: readonly string[],
): TLSSocket {
  const { host, port } = address;
  const socket = connectSecure({
    host,
    port,
    lookup,
    ...tlsOptionsOf(address),
    ...(protocols.length > 0 && { ALPNProtocols: [...protocols] }),
  });
  socket.setNoDelay(true);
  socket.setKeepAlive(true, keepAliveMs);
  return socket;
}

/**
 * How HTTP/1.1 connects to an upstream: by undici's connector, with its bounds of time and its sessions of TLS.
 * @param onError told why a connection did not come about
 * @throws Error of `node:tls` for certificates or keys of the address that it cannot read
 */
export function upstreamConnector(
  address: UpstreamAddress,
  lookup: LookupFunction,
  onError: (error: Error) => void,
): buildConnector.connector {
  const { protocol, connectTimeoutMs } = address;
  const connect = buildConnector({
    lookup,
    timeout: connectTimeoutMs,
    allowH2: false,
    ...(protocol === 'https' && tlsOptionsOf(address)),
  });
  const servername = serverNameOf(address) ?? '';
  return (options, callback) =>
    // The name is the configuration's: where there is none, none is asked for.
    connect({ ...options, servername }, (...outcome) => {
      if (outcome[0] !== null) onError(outcome[0]);
      callback(...outcome);
    });
}
