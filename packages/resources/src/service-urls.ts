/** Schemes of a service's address. `grpc` is HTTP/2 in cleartext, `grpcs` over TLS. Source: wire contract, Value forms. */
export const serviceProtocols = ['http', 'https', 'grpc', 'grpcs', 'tcp', 'tls'] as const;

/** See {@link serviceProtocols}. */
export type ServiceProtocol = (typeof serviceProtocols)[number];

/** The parts of a service's address. */
export interface ServiceAddress {
  readonly protocol: ServiceProtocol;
  /** IPv6 addresses stand in brackets. */
  readonly host: string;
  readonly port: number;
  /** `/` where the address has none. */
  readonly path: string;
}

/** Ports of addresses that name none. What is not HTTP has no port of its own. */
const defaultPorts: Readonly<Partial<Record<ServiceProtocol, number>>> = { http: 80, https: 443, grpc: 80, grpcs: 443 };

/** The parts of a service's address, or `undefined` when the text is none that a gateway could call. */
export function parseServiceUrl(text: string): ServiceAddress | undefined {
  const protocol = serviceProtocols.find((known) => text.slice(0, known.length + 3).toLowerCase() === `${known}://`);
  if (protocol === undefined) return undefined;
  // The URL standard checks and normalises hosts of the schemes that it knows only. `ftp` has a default port of its own
  // that nobody means here, so that 80 and 443 stay what was written.
  const known = `ftp${text.slice(protocol.length)}`;
  const url = URL.canParse(known) ? new URL(known) : undefined;
  if (!url?.hostname || url.username || url.password || url.hash || url.search) return undefined;
  const port = writtenPort(url, text) ?? defaultPorts[protocol];
  if (port === undefined || port === 0) return undefined;
  const isHttp = defaultPorts[protocol] !== undefined;
  if (!isHttp && url.pathname !== '/') return undefined;
  return { protocol, host: url.hostname, port, path: url.pathname };
}

/** The standard leaves out the scheme's default port even where it was written. */
function writtenPort(url: URL, text: string): number | undefined {
  if (url.port !== '') return Number(url.port);
  return /^[^/]*\/\/[^/]*:0*21(?:\/|$)/.test(text) ? 21 : undefined;
}
