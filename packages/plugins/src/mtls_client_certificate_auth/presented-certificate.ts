import { hash } from 'node:crypto';
import type { RequestView } from '@portcullis/plugin-runtime';
import type { Config } from './config.ts';
import { readForwardedCertificate } from './forwarded-certificate.ts';
import type { Unpresented } from './refusal-reasons.ts';

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
 * client's. Anybody else has its TLS certificate only. Where it must have been verified, the host that ended TLS may have done that itself.
 * @returns a function that says why, where there is no certificate that may count, or too large a one
 */
export function compilePresented(config: Config): (request: RequestView) => PresentedCertificate | Unpresented {
  const fields = certificateFields(config);
  const { require_verified_header: mustBeVerified, verify_header_value: verified, max_cert_bytes: bytesMax } = config;
  return (request) => {
    if (!request.isFromTrustedPeer) {
      const own = fromConnection(request, bytesMax);
      const found = mustBeVerified && typeof own !== 'string' && !request.isPeerVerified ? 'not_verified' : own;
      return found === 'no_certificate' && request.headers.has(fields.certificate) ? 'untrusted_header' : found;
    }
    const said = mustBeVerified ? request.headers.getAll(fields.verified) : [verified];
    return said.length === 1 && said[0] === verified ? fromFields(request, fields, bytesMax) : 'not_verified';
  };
}

function fromFields(
  { headers }: RequestView,
  { certificate, chain }: CertificateFields,
  bytesMax: number,
): PresentedCertificate | Unpresented {
  const [value = '', ...more] = headers.getAll(certificate);
  const issuers = chain === undefined ? '' : headers.getAll(chain).join(',');
  // Nobody can say which one is the client's.
  if (more.length > 0) return 'several_certificates';
  if (value === '') return 'no_certificate';
  if (value.length + issuers.length > bytesMax) return 'certificate_too_large';
  return {
    key: `field ${hash('sha256', `${value}\n${issuers}`, 'base64')}`,
    isForwarded: true,
    read: () => readForwardedCertificate(value, issuers)?.slice(0, CERTIFICATES_MAX),
  };
}

function fromConnection(request: RequestView, bytesMax: number): PresentedCertificate | Unpresented {
  const chain = request.peerCertificates();
  if (chain.length === 0) return 'no_certificate';
  const known = presentedChains.get(chain);
  if (known !== undefined) return known.bytes > bytesMax ? 'certificate_too_large' : known.presented;
  const bytes = chain.reduce((sum, { length }) => sum + length, 0);
  const digest = hash('sha256', Buffer.concat(chain), 'base64');
  const presented = { key: `tls ${digest}`, isForwarded: false, read: () => chain.slice(0, CERTIFICATES_MAX) };
  presentedChains.set(chain, { bytes, presented });
  return bytes > bytesMax ? 'certificate_too_large' : presented;
}

/** Hosts give the same list for all requests of a connection: it is hashed once. */
const presentedChains = new WeakMap<object, { readonly bytes: number; readonly presented: PresentedCertificate }>();
