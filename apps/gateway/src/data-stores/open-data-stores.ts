import { setTimeout as delay } from 'node:timers/promises';
import type { DataStores } from '@portcullis/plugin-runtime';
import { ConnectionWatch, type WatchLog } from './connection-watch.ts';
import type { DataStoreAddress } from './data-store-address.ts';

/** How long connections may take to end: what is still asked then nobody waits for. */
const closeMs = 1000;

/** The databases of a process. */
export interface OpenDataStores {
  readonly stores: DataStores;
  /** Whether the last call went well, if there was one. */
  readonly isWell: boolean;
  /** Calls that failed since the process began. */
  readonly failedCalls: number;
  close(): Promise<void>;
}

/**
 * Opens the database of an address. Its driver is loaded only here: most gateways need none. Nothing is connected yet; a database that is not
 * there keeps no gateway from starting.
 * @throws the driver's error for an address that it does not read
 */
export async function openDataStores(address: DataStoreAddress, log: WatchLog): Promise<OpenDataStores> {
  if (!address.isTls && !addressesOf(address).every(({ host }) => isLoopback(host))) {
    log.warn({}, 'PORTCULLIS_AI_CACHE_URL is without TLS: prompts and answers cross the network as they are');
  }
  const watch = new ConnectionWatch(log);
  const [stores, store] = await opened(address, watch);
  return {
    stores,
    get isWell() {
      return watch.isWell;
    },
    get failedCalls() {
      return watch.failedCalls;
    },
    close: () => Promise.race([store.close(), delay(closeMs, undefined, { ref: false })]),
  };
}

/** Servers that nobody but the gateway itself may be led to. */
export function addressesOf(address: DataStoreAddress): readonly { readonly host: string; readonly port: number }[] {
  return address.kind === 'postgres' ? [{ host: address.host, port: address.port }] : address.hosts;
}

async function opened(
  address: DataStoreAddress,
  watch: ConnectionWatch,
): Promise<readonly [DataStores, { close(): Promise<void> }]> {
  if (address.kind === 'postgres') {
    const { PostgresStore } = await import('./postgres-store.ts');
    const store = new PostgresStore(address, watch);
    return [{ sql: store }, store];
  }
  const { MongoStore } = await import('./mongodb-store.ts');
  const store = new MongoStore(address, watch);
  return [{ documents: store }, store];
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
