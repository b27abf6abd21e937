import type { SecureContext } from 'node:tls';

/** What the clients of a server name are asked for. `require` ends handshakes without a certificate that is trusted. */
export type ClientCertificateMode = 'none' | 'request' | 'require';

/** Who the gateway is to clients that ask for a server name. */
export interface ServerIdentity {
  /** Certificates and keys, and the authorities that clients' certificates are verified against; made when it is first asked for. */
  readonly secureContext: SecureContext;
  readonly clientCertificateMode: ClientCertificateMode;
  /** What clients are asked for and who vouches for them, as a digest; empty where they are asked for nothing. */
  readonly asks: string;
}

/** The server names of a configuration. */
export interface ServerIdentities {
  /**
   * Exact name, else the longest wildcard, else the one for any name (`*`).
   * @param serverName in lower case; `undefined` for clients that name none
   */
  find(serverName: string | undefined): ServerIdentity | undefined;
  /** Whether any of them asks clients for certificates, or may do so once it can be served. */
  readonly asksForCertificates: boolean;
  /**
   * What the clients of a server name are asked for at this moment, as {@link ServerIdentity.asks}: what was verified of a client that was
   * asked for something else says nothing here. `undefined` for a name that cannot be served, whose clients may be asked for anything.
   */
  asksOf(serverName: string): string | undefined;
}

/** Of a configuration without certificates. */
export const noServerIdentities: ServerIdentities = {
  find: () => undefined,
  asksForCertificates: false,
  asksOf: () => '',
};
