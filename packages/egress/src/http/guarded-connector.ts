import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { VettedAddress, VettedAddresses } from '../address/vetted-addresses.ts';
import { egressLimits } from '../egress-limits.ts';

/** What connections are made of. */
export interface ConnectorParts {
  readonly addresses: VettedAddresses;
  readonly isListedOnly: boolean;
  /** Authorities, as PEM, that are trusted in place of the platform's, if there are any. */
  readonly certificates: readonly string[];
  /** Told of each connection. @returns told when it is closed */
  readonly onOpen: () => () => void;
  /** Ends look-ups. */
  readonly signal: AbortSignal;
  /** For connecting, TLS included, in milliseconds. Default: {@link egressLimits}. */
  readonly connectTimeoutMs?: number;
}

/**
 * Connects to addresses that were judged for this connection, and to nothing else: the name is not resolved again between the
 * judgement and the connection. The certificate must have the name; sessions are not resumed, so each certificate is checked.
 */
export function guardedConnector(parts: ConnectorParts): buildConnector.connector {
  return (options, callback) => void connectVetted(parts, options, callback);
}

async function connectVetted(
  parts: ConnectorParts,
  options: buildConnector.Options,
  callback: buildConnector.Callback,
): Promise<void> {
  const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
  let vetted: readonly VettedAddress[];
  try {
    vetted = await parts.addresses.of(options.hostname, port, parts.isListedOnly, parts.signal);
  } catch (error) {
    callback(error as Error, null);
    return;
  }
  // An address is no server name: the certificate is asked for the address itself. Source: RFC 6066, section 3.
  const named = isIP(options.servername ?? '') === 0 ? options : { ...options, servername: '' };
  connectTo(vetted, parts)(named, callback);
}

function connectTo(
  vetted: readonly VettedAddress[],
  { certificates, onOpen, connectTimeoutMs = egressLimits.connectTimeoutMs }: ConnectorParts,
): buildConnector.connector {
  const connect = buildConnector({
    lookup: answerWith(vetted),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: egressLimits.nextAddressMs,
    timeout: connectTimeoutMs,
    allowH2: false,
    maxCachedSessions: 0,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(certificates.length > 0 && { ca: [...certificates] }),
  });
  return (options, callback) =>
    connect(options, (...outcome) => {
      const [failure, socket] = outcome;
      if (failure === null) socket.once('close', onOpen());
      callback(...outcome);
    });
}

/** Node asks for a name's addresses only when it connects to a name. A literal address was judged as such. */
function answerWith(vetted: readonly VettedAddress[]): LookupFunction {
  return (_name, options, callback) => {
    const [first] = vetted;
    if (options.all === true) callback(null, [...vetted]);
    else callback(null, first?.address ?? '', first?.family);
  };
}
