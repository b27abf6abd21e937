import { isIP } from 'node:net';
import type { RedisOptions } from 'ioredis';
import type { RedisAddress } from './redis-address.ts';

/** What the client's types ask for: replies as RESP 2 has them. */
type ClientOptions = RedisOptions & { replyMapping: 'legacy' };

/** How long a connection may take to come about. */
const connectTimeoutMs = 2000;

/** A connection on which an answer is due and nothing comes for so long is given up, with all calls on it: Redis hangs, or its machine is gone. */
const silenceMs = 1000;

/** How long a connection that was given up may linger. */
const closeTimeoutMs = 500;

/**
 * Settings of the client. Nothing waits for a connection: what cannot be sent now fails now. Nothing is sent twice: a script that
 * may have run is not run again. The client's own pipelines stay off: each waits for the answers to the one before.
 * @param waitMs before the next try to connect
 */
export function redisOptions(address: RedisAddress, waitMs: () => number): ClientOptions {
  const { host, port, username, password, database, isTls } = address;
  return {
    host,
    port,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(isTls ? { tls: isIP(host) === 0 ? { servername: host } : {} } : {}),
    db: database,
    connectionName: 'portcullis-gateway',
    protocol: 2,
    replyMapping: 'legacy',
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: connectTimeoutMs,
    socketTimeout: silenceMs,
    disconnectTimeout: closeTimeoutMs,
    retryStrategy: waitMs,
    // The server became a replica: the name may lead to the new primary by now.
    reconnectOnError: (error) => /\bREADONLY\b/.test(error.message),
  };
}
