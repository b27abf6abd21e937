import { HOST_LENGTH_MAX, isHost, withoutBrackets } from '../../shared/sockets/address-fields.ts';
import type { PeerTarget } from '../../shared/sockets/connect-to.ts';

/** Port of a broker that names none: Kafka's own. */
const DEFAULT_PORT = 9092;

/** Most brokers that a config may name. The others of a cluster are found through them. */
export const BOOTSTRAP_MAX = 20;

/** Longest entry: a host in brackets, and a port. */
export const BROKER_LENGTH_MAX: number = HOST_LENGTH_MAX + 8;

/** The broker that `host`, `host:port` or `[IPv6]:port` names; `undefined` for anything else. */
export function parseBroker(text: string): PeerTarget | undefined {
  const [, host = '', digits] = /^(\[[^\]]*\]|[^:]*)(?::([1-9][0-9]{0,4}))?$/.exec(text) ?? [];
  const port = digits === undefined ? DEFAULT_PORT : Number(digits);
  if (host === '' || host.length > HOST_LENGTH_MAX || port > 65_535 || !isHost(host)) return undefined;
  return { host: withoutBrackets(host), port };
}

/** The entries of a list, or of a text with commas. Space around an entry is none of it. */
export function brokerEntries(given: string | readonly string[]): readonly string[] {
  return (typeof given === 'string' ? given.split(',') : given).map((entry) => entry.trim());
}

/** The brokers of a config that was checked. */
export function parseBrokers(given: string | readonly string[]): readonly PeerTarget[] {
  return brokerEntries(given).flatMap((entry) => parseBroker(entry) ?? []);
}
