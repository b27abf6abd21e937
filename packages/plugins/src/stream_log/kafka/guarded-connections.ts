import type { Outbound } from '@portcullis/plugin-runtime';
import type { Broker, CallbackWithPromise, Connection, ConnectionPool } from '@platformatic/kafka';
import { ADDRESSES_MAX } from '../../shared/sockets/connect-to.ts';
import { guardSocket } from './guarded-socket.ts';

/** Most brokers that are connected to at once. A cluster that names more is not used. */
export const BROKERS_MAX = 64;

/** How connections are made, and who hears of what went wrong. */
export interface ConnectionGuard {
  readonly outbound: Outbound;
  /** Fires when the client is let go. */
  readonly signal: AbortSignal;
  /** Makes an error that the client understands. */
  readonly refusal: (message: string, cause?: unknown) => Error;
  /** The client has to be let go: it tripped over something, and may wait for ever now. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Makes every connection of a client to an address that the way out gives, and to no other. A cluster says itself where its brokers are,
 * and the client goes there: all its ways lead through `get` of its pool. Source: security rules, `stream_log.bootstrap_servers`.
 */
export function guardConnections(pool: ConnectionPool, guard: ConnectionGuard): void {
  const own = pool.get.bind(pool);
  const connect: Get = (broker, callback) => own(broker, callback as CallbackWithPromise<Connection>);
  const guarded = new WeakSet<Connection>();
  /** Where brokers were found: for as long as the connection lasts, nobody is asked again. */
  const found = new Map<string, Broker>();

  const open: Get = (broker, callback) => {
    if (!pool.has(broker) && [...pool].length >= BROKERS_MAX) {
      const refusal = guard.refusal('the cluster has too many brokers');
      // A cluster whose partitions wander begins anew.
      guard.onFault(refusal);
      return callback(refusal);
    }
    connect(broker, callback);
    const connection = pool.getEstablishedConnection(broker);
    if (connection === undefined || guarded.has(connection)) return;
    guarded.add(connection);
    guardSocket(connection.socket, guard.onFault);
  };
  const openFirst = (key: string, [broker, ...others]: readonly Broker[], callback: Callback): void => {
    if (broker === undefined) return callback(guard.refusal('the broker has no address'));
    open(broker, (error, connection) => {
      if (error !== null && error !== undefined && others.length > 0) return openFirst(key, others, callback);
      if (connection !== undefined) {
        // Names are the cluster's to make up. Who is forgotten is asked for again.
        if (found.size >= BROKERS_MAX) found.clear();
        found.set(key, broker);
      }
      callback(error, connection);
    });
  };
  const vet = async (broker: Broker): Promise<readonly Broker[]> => {
    const addresses = await guard.outbound.resolve(broker.host, broker.port, guard.signal);
    return addresses.slice(0, ADDRESSES_MAX).map(({ address, port }) => ({ host: address, port }));
  };

  const openVetted = async (key: string, broker: Broker, callback: Callback): Promise<void> => {
    const brokers = await vet(broker).catch((error: unknown) => guard.refusal('the broker cannot be reached', error));
    if (brokers instanceof Error) callback(brokers);
    else openFirst(key, brokers, callback);
  };
  const get: Get = (broker, callback) => {
    // A partition whose leader is not known: the client has an answer of its own.
    if (!isBroker(broker)) return connect(broker, callback);
    const key = `${broker.host}:${broker.port}`;
    const known = found.get(key);
    if (known !== undefined && pool.has(known)) return open(known, callback);
    found.delete(key);
    openVetted(key, broker, callback).catch(guard.onFault);
  };
  // The client always passes a callback.
  pool.get = get as ConnectionPool['get'];
}

type Callback = (error: Error | null | undefined, connection?: Connection) => void;
type Get = (broker: Broker, callback: Callback) => void;

function isBroker(broker: Partial<Broker> | null | undefined): broker is Broker {
  return typeof broker?.host === 'string' && typeof broker.port === 'number';
}
