import type { SecureContext } from 'node:tls';

/** What the clients of a server name are asked for. `require` ends handshakes without a certificate that is trusted. */
export type ClientCertificateMode = 'none' | 'request' | 'require';

/** Who the gateway is to clients that ask for a server name. */
export interface ServerIdentity {
  /** Certificates and keys, and the authorities that clients' certificates are verified against; made when it is first asked for. */
  readonly secureContext: SecureContext;
  readonly clientCertificateMode: ClientCertificateMode;
}

/** The server names of a configuration. */
export interface ServerIdentities {
  /**
   * Exact name, else the longest wildcard, else the one for any name (`*`).
   * @param serverName in lower case; `undefined` for clients that name none
   */
  find(serverName: string | undefined): ServerIdentity | undefined;
  /** Whether any of them asks clients for certificates. */
  readonly asksForCertificates: boolean;
  /**
   * Whether what was verified of a client under one server name says as much under another one. A name that cannot be served is like none but
   * itself.
   */
  asksAlike(serverName: string | undefined, other: string): boolean;
}

/** Of a configuration without certificates. */
export const noServerIdentities: ServerIdentities = {
  find: () => undefined,
  asksForCertificates: false,
  asksAlike: () => true,
};
