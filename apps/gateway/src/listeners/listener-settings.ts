/** Which ports the gateway takes connections on beside the one for HTTP, and how these begin. */
export interface PortSettings {
  /** Port for TLS; 0 takes any free one. */
  readonly proxyTlsPort: number;
  /** Whether the operator chose it. The default one may be another program's: the gateway then serves without TLS, and says so. */
  readonly isProxyTlsPortChosen: boolean;
  /** Ports of routes for streams, each once. */
  readonly streamPorts: readonly number[];
  /** Whether each connection of the proxy's ports begins with a header of the PROXY protocol. */
  readonly proxyProtocol: boolean;
  /** Connections that one client address may have at a time, in each process; 0 for as many as all together. */
  readonly connectionsPerAddress?: number;
}

/** Each takes a handle in every worker. */
export const streamPortsMax = 64;

/**
 * Ports with commas between them.
 * @returns `undefined` for anything else, a port that is named twice, and more than {@link streamPortsMax}
 */
export function readPorts(list: string): readonly number[] | undefined {
  const items = list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const ports = items.map(Number);
  const isPort = (item: string): boolean => /^\d{1,5}$/.test(item) && Number(item) >= 1 && Number(item) <= 65_535;
  if (!items.every(isPort) || new Set(ports).size !== ports.length || ports.length > streamPortsMax) return undefined;
  return ports;
}
