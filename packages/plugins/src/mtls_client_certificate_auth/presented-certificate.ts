import { hash } from 'node:crypto';
import type { RequestView } from '@portcullis/plugin-runtime';
import type { Config } from './config.ts';
import { readForwardedCertificate } from './forwarded-certificate.ts';

/** Most certificates that are read for one client; what is presented beyond them is not looked at. */
const CERTIFICATES_MAX = 8;

/** A client's certificate as it came, not read yet. */
export interface PresentedCertificate {
  /** Digest of everything that came, and of the way on which it came. */
  readonly key: string;
  readonly isForwarded: boolean;
  /** Certificates in DER, the client's own first; `undefined` for what cannot be read. */
  read(): readonly Uint8Array[] | undefined;
}

/** Header fields that speak of client certificates, in lower case. Only a trusted peer's count. */
export interface CertificateFields {
  readonly certificate: string;
  /** The field with the issuers, where there is one. */
  readonly chain: string | undefined;
  readonly verified: string;
}

/** The fields of a config. `Client-Cert` has its companion. Source: RFC 9440, section 2.3. */
export function certificateFields(config: Pick<Config, 'header_name' | 'verify_header_name'>): CertificateFields {
  const certificate = config.header_name.toLowerCase();
  const chain = certificate === 'client-cert' ? 'client-cert-chain' : undefined;
  return { certificate, chain, verified: config.verify_header_name.toLowerCase() };
}

/**
 * Compiles where certificates are found. A trusted peer speaks for its clients: its fields count, and its own TLS certificate is not its
 * client's. Anybody else has its TLS certificate only.
 * @returns a function that gives `undefined` where there is no certificate that may count, or too large a one
 */
export function compilePresented(config: Config): (request: RequestView) => PresentedCertificate | undefined {
  const fields = certificateFields(config);
  const { require_verified_header: mustBeVerified, verify_header_value: verified, max_cert_bytes: bytesMax } = config;
  return (request) => {
    if (!request.isFromTrustedPeer) return mustBeVerified ? undefined : fromConnection(request, bytesMax);
    const said = mustBeVerified ? request.headers.getAll(fields.verified) : [verified];
    return said.length === 1 && said[0] === verified ? fromFields(request, fields, bytesMax) : undefined;
  };
}

function fromFields(
  { headers }: RequestView,
  { certificate, chain }: CertificateFields,
  bytesMax: number,
): PresentedCertificate | undefined {
  const [value = '', ...more] = headers.getAll(certificate);
  const issuers = chain === undefined ? '' : headers.getAll(chain).join(',');
  // Two certificates: nobody can say which one is the client's.
  if (value === '' || more.length > 0 || value.length + issuers.length > bytesMax) return undefined;
  return {
    key: `field ${hash('sha256', `${value}\n${issuers}`, 'base64')}`,
    isForwarded: true,
    read: () => readForwardedCertificate(value, issuers)?.slice(0, CERTIFICATES_MAX),
  };
}

function fromConnection(request: RequestView, bytesMax: number): PresentedCertificate | undefined {
  const chain = request.peerCertificates();
  if (chain.length === 0) return undefined;
  const known = presentedChains.get(chain);
  if (known !== undefined) return known.bytes > bytesMax ? undefined : known.presented;
  const bytes = chain.reduce((sum, { length }) => sum + length, 0);
  const digest = hash('sha256', Buffer.concat(chain), 'base64');
  const presented = { key: `tls ${digest}`, isForwarded: false, read: () => chain.slice(0, CERTIFICATES_MAX) };
  presentedChains.set(chain, { bytes, presented });
  return bytes > bytesMax ? undefined : presented;
}

/** Hosts give the same list for all requests of a connection: it is hashed once. */
const presentedChains = new WeakMap<object, { readonly bytes: number; readonly presented: PresentedCertificate }>();
